package io.holdfast.integration.plan

import java.util.SplittableRandom

import io.holdfast.integration.measure.Result

/** Which rounds an experiment consists of, in the order in which they run. Pure. */
object RoundPlan {

  /** Rounds that have been measured are left out. */
  def of(experiment: Experiment, measured: Seq[Result]): Seq[SparkRounds] =
    if (experiment.ownSparks) owned(experiment, measured) else shared(experiment, measured)

  /** What has not been measured, with its setting. */
  def left(experiment: Experiment, measured: Seq[Result]): Seq[LeftRound] = for {
    spark <- of(experiment, measured)
    round <- spark.rounds if round.round > 0
    words = Option.when(spark.own)(spark.describe)
  } yield LeftRound(spark.setting, round.foreground, round.background.map(_.name), words)

  /** Every block runs all settings of its part, each in a Spark of its own. */
  private def shared(experiment: Experiment, measured: Seq[Result]): Seq[SparkRounds] = {
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
    } yield SparkRounds(
      setting,
      number,
      warm.map(RoundSpec(_, None, 0, experiment.seed)) ++ training(part, setting, experiment.seed) ++ rounds
    )
  }

  /** Interleaved: all settings of one block of one foreground run one after the other, and the next block starts with another
    * setting, so that a change of the machine's load does not meet one setting alone.
    */
  private def owned(experiment: Experiment, measured: Seq[Result]): Seq[SparkRounds] = {
    val done = measured.map(r => (r.workload, r.setting, r.variant, r.order, r.repeat)).toSet
    for {
      block <- 1 to experiment.parts.map(_.blocks).maxOption.getOrElse(0)
      foreground <- experiment.parts.flatMap(_.foregrounds).distinct
      spark <- rotated(ownedBy(experiment, foreground, block), block - 1)
      if !done((foreground, spark.setting, spark.variant, spark.rounds.last.order, block))
    } yield spark
  }

  private def ownedBy(experiment: Experiment, foreground: String, block: Int): Seq[SparkRounds] = for {
    part <- experiment.parts if part.blocks >= block && part.foregrounds.contains(foreground)
    setting <- part.settings
    (variant, conf) <- part.variantsOf(setting)
    background <- part.beside(setting)
    seed = experiment.seed + block - 1
    warm = if (part.warmUp) Seq(RoundSpec(foreground, None, 0, seed)) else Nil
    round = RoundSpec(foreground, background, 1, seed, part.brief, part.sampleIdle)
  } yield SparkRounds(setting, block, warm :+ round, own = true, variant, conf)

  private def rotated[A](items: Seq[A], by: Int): Seq[A] =
    if (items.isEmpty) items else items.drop(by % items.size) ++ items.take(by % items.size)

  /** Whether the rounds of it that are left begin after the first. */
  private def isWarm(foreground: String, left: Seq[RoundSpec]): Boolean =
    left.find(_.foreground == foreground).exists(_.round > 1)

  /** With seeds that no other round has. */
  private def training(part: Part, setting: String, seed: Long): Seq[RoundSpec] =
    part.training.getOrElse(setting, Nil).zipWithIndex.map { case (program, i) =>
      val beside = part.backgrounds.lift(i % math.max(1, part.backgrounds.size))
      RoundSpec(program, beside, 0, seed - 1 - i, sampleIdle = false, training = true)
    }

  /** The number of a round among all of its setting. */
  def repeat(block: Int, round: Int): Int = 1000 * block + round

  private def roundsOf(experiment: Experiment, part: Part, setting: String, block: Int): Seq[RoundSpec] = for {
    round <- 1 to part.rounds
    background <- part.beside(setting)
    foreground <- part.foregrounds
  } yield RoundSpec(foreground, background, round, experiment.seed + 100 * block + round, part.brief, part.sampleIdle)

  /** An order drawn from the seed, another one in each experiment; every second block has that of the block before it turned round, so that nobody is always first. */
  private def inOrder(settings: Seq[String], seed: Long, block: Int): Seq[String] =
    if (block % 2 == 0) inOrder(settings, seed, block - 1).reverse else shuffled(settings, seed + block)

  private def shuffled[A](items: Seq[A], seed: Long): Seq[A] = {
    val random = new SplittableRandom(seed)
    items.map(_ -> random.nextLong()).sortBy(_._2).map(_._1)
  }
}
