package io.holdfast.integration.plan

import java.util.SplittableRandom

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.BackgroundSpec

/** The rounds of one Spark.
  *
  * @param block numbers the Sparks of a setting over all parts: a hundred for each part before, and the block in its part
  */
final case class SparkRounds(setting: String, block: Int, rounds: Seq[RoundSpec]) {

  /** Rounds that are kept. */
  def measured: Int = rounds.count(_.round > 0)
}

/** A round that has not been measured: it failed, or the experiment was stopped before.
  *
  * @param background its name; none: alone
  */
final case class LeftRound(setting: String, foreground: String, background: Option[String])

/** Which rounds an experiment consists of, in the order in which they run. Pure. */
object RoundPlan {

  /** Every block runs all settings of its part, each in a Spark of its own; rounds that have been measured are left out. */
  def of(experiment: Experiment, measured: Seq[Result]): Seq[SparkRounds] = {
    val done = measured.map(r => (r.workload, r.variant, r.setting, r.repeat)).toSet
    for {
      (part, i) <- experiment.parts.zipWithIndex
      block <- 1 to part.blocks
      setting <- inOrder(part.settings, experiment.seed + experiment.title.hashCode, block)
      number = 100 * i + block
      rounds = roundsOf(experiment, part, setting, number).filterNot { r =>
        done((r.foreground, r.background.map(_.name), setting, repeat(number, r.round)))
      }
      if rounds.nonEmpty
      warm = part.foregrounds.filter(f => part.warmUp || isWarm(f, rounds))
    } yield SparkRounds(setting, number, warm.map(RoundSpec(_, None, 0, experiment.seed)) ++ rounds)
  }

  /** What has not been measured, with its setting. */
  def left(experiment: Experiment, measured: Seq[Result]): Seq[LeftRound] = for {
    spark <- of(experiment, measured)
    round <- spark.rounds if round.round > 0
  } yield LeftRound(spark.setting, round.foreground, round.background.map(_.name))

  /** Whether the rounds of it that are left begin after the first. */
  private def isWarm(foreground: String, left: Seq[RoundSpec]): Boolean =
    left.find(_.foreground == foreground).exists(_.round > 1)

  /** The number of a round among all of its setting. */
  def repeat(block: Int, round: Int): Int = 1000 * block + round

  private def roundsOf(experiment: Experiment, part: Part, setting: String, block: Int): Seq[RoundSpec] = {
    val beside: Seq[Option[BackgroundSpec]] =
      if (setting == Result.Alone) Seq(None) else part.backgrounds.map(Some(_))
    for {
      round <- 1 to part.rounds
      background <- beside
      foreground <- part.foregrounds
    } yield RoundSpec(foreground, background, round, experiment.seed + 100 * block + round, part.brief, part.sampleIdle)
  }

  /** An order drawn from the seed, another one in each experiment; every second block has that of the block before it turned round, so that nobody is always first. */
  private def inOrder(settings: Seq[String], seed: Long, block: Int): Seq[String] =
    if (block % 2 == 0) inOrder(settings, seed, block - 1).reverse else shuffled(settings, seed + block)

  private def shuffled[A](items: Seq[A], seed: Long): Seq[A] = {
    val random = new SplittableRandom(seed)
    items.map(_ -> random.nextLong()).sortBy(_._2).map(_._1)
  }
}
