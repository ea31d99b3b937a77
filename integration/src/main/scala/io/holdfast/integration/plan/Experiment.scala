package io.holdfast.integration.plan

import scala.collection.immutable.ListMap

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include
import com.fasterxml.jackson.databind.annotation.JsonDeserialize
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.BackgroundSpec
import io.holdfast.integration.programs.dashboards.ServerKind

/** An experiment: a file of a folder in `integration/experiments`. Times in its results are seconds.
  *
  * @param title what it shows
  * @param paper the paper's own statement, with its figure
  * @param figure which plots its report has, see [[Figures]]
  * @param parts what runs; none when the cells of `cells_of` are shown
  * @param seed draws the order of the settings in a block, and all that foregrounds and backgrounds draw
  * @param quick what a small version has
  * @param cellsOf the experiment whose cells this one shows; nothing runs for it then
  * @param apart whether it only runs when it is named, not with all
  * @param conf keys of every Spark of it, besides those of its setting
  * @param ownSparks whether each foreground beside each background has a Spark of its own under each setting, which warms up in a
  *   pool of its own, and starts anew each time; else all rounds of a setting share one, and are gone on with
  * @param driverMb heap of each driver
  * @param scale of TPC-H's tables, where foregrounds read them
  * @param server through which users come, see [[ServerKind]]; none: they are threads of the driver
  */
final case class Experiment(
    title: String,
    paper: String,
    figure: String,
    cluster: Shape,
    parts: Seq[Part] = Nil,
    claims: Seq[Claim] = Nil,
    seed: Long = 42,
    quick: Quick = Quick(),
    cellsOf: Option[String] = None,
    apart: Boolean = false,
    conf: Map[String, String] = Map.empty,
    @JsonInclude(Include.NON_DEFAULT) ownSparks: Boolean = false,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Integer]) driverMb: Option[Int] =
      None,
    @JsonInclude(Include.NON_ABSENT) scale: Option[BigDecimal] = None,
    @JsonInclude(Include.NON_ABSENT) server: Option[String] = None
) {
  server.foreach(ServerKind.named)
  require(
    !ownSparks || parts.forall(_.rounds == 1),
    "own_sparks gives each round a Spark of its own: set rounds to 1, and blocks to how often all of it runs"
  )
  require(
    parts.nonEmpty != cellsOf.nonEmpty,
    "give either parts that run, or cells_of, the experiment whose cells are shown"
  )

  /** The same with these settings, too, in each part that has backgrounds. */
  def besides(settings: Seq[String]): Experiment = copy(parts = parts.map { part =>
    if (part.backgrounds.isEmpty) part else part.copy(settings = (part.settings ++ settings).distinct)
  })

  /** A small version of it. */
  def small: Experiment = copy(
    cluster = quick.cluster.getOrElse(cluster),
    parts = parts.take(quick.parts).map { part =>
      part.copy(
        blocks = 1,
        // A first round without a warm-up is a cold one: there is another to compare it with.
        rounds = if (part.warmUp) 1 else 2,
        foregrounds = part.foregrounds.take(quick.foregrounds),
        training = Map.empty,
        backgrounds = part.backgrounds.take(quick.backgrounds),
        brief = quick.brief
      )
    }
  )

  /** The least of it that runs everything once: a foreground beside a background under the last setting, on a small cluster. */
  def tiny: Experiment = {
    val tried = small
    tried.copy(
      cluster = Shape(workers = 2, executorsPerWorker = 1, slots = 4, memoryMb = 512),
      parts = tried.parts.take(1).map { part =>
        val beside = part.backgrounds.map(b => b.copy(headStartS = 1, times = 1, jobs = math.min(20, b.jobs)))
        part.copy(settings = part.settings.takeRight(1), backgrounds = beside, rounds = 1, warmUp = false, brief = true)
      }
    )
  }
}

/** Every setting meets every foreground beside every background.
  *
  * @param foregrounds names of programs, see [[Foregrounds]]
  * @param backgrounds what runs beside them; whoever is measured alone has nothing beside it
  * @param settings names of [[Setting]]s
  * @param blocks how often each setting gets a Spark of its own; the settings of a block are interleaved
  * @param rounds how often a Spark repeats all of it
  * @param warmUp whether each foreground runs once before, which is not kept. Without it a Spark that goes on where another one was
  *   stopped does so for those whose first round has been measured: the others would have been warm, too
  * @param brief whether tasks of sleeping foregrounds take a tenth of their time, as they do when they warm up, and users ask for a
  *   ninth of it
  * @param variants named sets of further keys, with `own_sparks`: each runs in place of the setting `holdfast`
  * @param training programs that run first, under the settings that are named, each beside the next of the backgrounds
  * @param sampleIdle whether Holdfast is asked for its held idle slot-time, see [[IdleSampler]]; not where processor time is measured
  */
final case class Part(
    foregrounds: Seq[String],
    backgrounds: Seq[BackgroundSpec],
    settings: Seq[String],
    blocks: Int = 1,
    rounds: Int = 5,
    warmUp: Boolean = true,
    brief: Boolean = false,
    sampleIdle: Boolean = true,
    @JsonInclude(Include.NON_EMPTY) training: Map[String, Seq[String]] = Map.empty,
    @JsonInclude(Include.NON_EMPTY) variants: ListMap[String, Map[String, String]] = ListMap.empty
) {

  /** What runs under a setting: the setting itself, or each variant of it. */
  def variantsOf(setting: String): Seq[(Option[String], Map[String, String])] =
    if (setting != Result.Holdfast || variants.isEmpty) Seq(None -> Map.empty)
    else variants.toSeq.map { case (name, conf) => Some(name) -> conf }

  /** All programs that it names. */
  def programs: Seq[String] = foregrounds ++ backgrounds.flatMap(_.program) ++ training.values.flatten

  /** What runs beside foregrounds under a setting. */
  def beside(setting: String): Seq[Option[BackgroundSpec]] =
    if (Result.aloneIn(setting)) Seq(None) else backgrounds.map(Some(_))
}

/** How much of an experiment a small version has: the first parts, foregrounds and backgrounds, once.
  *
  * @param cluster a smaller one
  * @param brief see [[Part]]
  */
final case class Quick(
    parts: Int = 1,
    foregrounds: Int = 1,
    backgrounds: Int = 1,
    cluster: Option[Shape] = None,
    @JsonInclude(Include.NON_DEFAULT) brief: Boolean = false
)
