package io.holdfast.integration.plan

import scala.collection.immutable.ListMap

import io.holdfast.integration.measure.Result

/** What a user wants otherwise than an experiment's file has it; none and empty: as it is.
  *
  * @param settings in place of those of an experiment with Sparks of their own, besides those of another
  * @param only settings of which rounds are measured now, others another time; none: all
  * @param orders which is there first, foreground or background
  * @param also a foreground that runs once with the background first, too, whatever the orders, under the setting `holdfast`
  */
final case class Choice(
    settings: Seq[String] = Nil,
    only: Seq[String] = Nil,
    workloads: Seq[String] = Nil,
    orders: Seq[String] = Nil,
    variants: ListMap[String, Map[String, String]] = ListMap.empty,
    repeats: Option[Int] = None,
    seed: Option[Long] = None,
    warmUp: Option[Boolean] = None,
    also: Option[String] = None
) {

  /** @throws java.lang.IllegalArgumentException if it asks for what only experiments with Sparks of their own have */
  def of(experiment: Experiment, name: String): Experiment =
    if (experiment.ownSparks) owned(experiment)
    else if (copy(settings = Nil, only = Nil) == Choice()) experiment.besides(settings)
    else
      throw new IllegalArgumentException(
        s"'$name' has its programs, orders, repeats and seed in its file: of these options it knows -Psettings only"
      )

  private def owned(experiment: Experiment): Experiment = {
    val main = chosen(experiment.parts.head)
    val others = also.fold(experiment.parts.tail)(program => Seq(second(main, program)))
    val kept = others.map(o => o.copy(variants = main.variants, warmUp = main.warmUp)).filter(isWanted(main, _))
    experiment.copy(parts = main +: kept, seed = seed.getOrElse(experiment.seed))
  }

  private def chosen(part: Part): Part = part.copy(
    foregrounds = if (workloads.isEmpty) part.foregrounds else workloads,
    settings = if (settings.isEmpty) part.settings else settings,
    backgrounds =
      if (orders.isEmpty) part.backgrounds
      else orders.map(o => part.backgrounds.head.copy(name = o, first = o == Result.BackgroundFirst)),
    blocks = repeats.getOrElse(part.blocks),
    warmUp = warmUp.getOrElse(part.warmUp),
    variants = if (variants.isEmpty) part.variants else variants
  )

  private def second(main: Part, program: String): Part = main.copy(
    foregrounds = Seq(program),
    backgrounds = Seq(main.backgrounds.head.copy(name = Result.BackgroundFirst, first = true)),
    settings = Seq(Result.Holdfast),
    blocks = 1
  )

  /** Whether it runs something of what was asked for that the first part does not. */
  private def isWanted(main: Part, other: Part): Boolean =
    other.foregrounds.forall(main.foregrounds.contains) && other.settings.forall(main.settings.contains) &&
      !other.backgrounds.forall(b => main.backgrounds.exists(_.order == b.order))
}
