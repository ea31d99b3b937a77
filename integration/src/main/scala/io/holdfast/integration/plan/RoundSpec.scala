package io.holdfast.integration.plan

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.{BackgroundSpec, Foregrounds}

/** One round: a foreground beside a background, or alone.
  *
  * @param round 0 is one that warms up: nothing of it is kept
  * @param brief see [[Part]]
  * @param sampleIdle see [[Part]]
  * @param programTimes how often the foreground runs, one run after the other
  * @param training whether it is a whole one before those that are kept, for a scheduler that learns
  */
final case class RoundSpec(
    foreground: String,
    background: Option[BackgroundSpec],
    round: Int,
    seed: Long,
    brief: Boolean = false,
    sampleIdle: Boolean = true,
    programTimes: Int = 1,
    training: Boolean = false
) {

  /** Whether tasks take a tenth of their time. */
  def short: Boolean = brief || round == 0 && !training

  def order: Option[String] = background.map(_.order)

  /** The same with what a Spark's keys say of it: `program.times`, and `crowd.times`, by which the background's tasks take longer. */
  def lengthened(conf: Map[String, String]): RoundSpec = {
    def times(key: String) = conf.get(key).fold(1) { value =>
      value.toIntOption
        .filter(_ > 0)
        .getOrElse(throw new IllegalArgumentException(s"$key is '$value'; give a whole number, 1 or more"))
    }
    copy(
      background = background.map(b => b.copy(times = b.times * times("crowd.times"))),
      programTimes = times("program.times")
    )
  }
}

/** The rounds of one Spark.
  *
  * @param block numbers the Sparks of a setting over all parts: a hundred for each part before, and the block in its part; of an
  *   experiment with Sparks of their own, which repeat it is
  * @param own whether it is the Spark of one measured round
  * @param variant see [[Part]]
  * @param conf keys of the variant
  */
final case class SparkRounds(
    setting: String,
    block: Int,
    rounds: Seq[RoundSpec],
    own: Boolean = false,
    variant: Option[String] = None,
    conf: Map[String, String] = Map.empty
) {

  /** Rounds that are kept. */
  def measured: Int = rounds.count(_.round > 0)

  /** The number of a round among all of its setting. */
  def repeat(round: RoundSpec): Int = if (own) block else RoundPlan.repeat(block, round.round)

  /** Its name as part of a file's. */
  def name: String = if (own) (words(Foregrounds.fileName) :+ s"r$block").mkString("-") else s"$setting-b$block"

  /** A round's, the only one of that name in its experiment. */
  def nameOf(round: RoundSpec): String =
    if (own) name
    else {
      val beside = round.background.fold(Result.Alone)(_.name)
      s"${Foregrounds.fileName(round.foreground)}-$beside-$setting-b$block-r${round.round}"
    }

  /** What its round is, for a reader. */
  def describe: String = (words(identity) :+ s"repeat $block").mkString(" ")

  private def words(program: String => String) =
    rounds.lastOption.toSeq.flatMap(round => Seq(program(round.foreground), setting) ++ variant ++ round.order)
}

/** A round that has not been measured: it failed, or the experiment was stopped before.
  *
  * @param background its name; none: alone
  * @param words what it is, of an experiment with Sparks of their own
  */
final case class LeftRound(
    setting: String,
    foreground: String,
    background: Option[String],
    words: Option[String] = None
)
