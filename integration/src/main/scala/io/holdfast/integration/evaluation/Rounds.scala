package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path, Paths, StandardOpenOption}

import io.holdfast.integration._
import io.holdfast.integration.cluster.Shape
import org.apache.spark.sql.SparkSession

/** One round: a foreground beside a background, or alone.
  *
  * @param round 0 is the one that warms up: nothing of it is kept
  */
final case class RoundSpec(foreground: String, background: Option[BackgroundSpec], round: Int, seed: Long) {
  def name(setting: String, block: Int): String =
    s"${foreground.replace('*', 'x')}-${background.fold("alone")(_.name)}-$setting-b$block-r$round"
}

/** What one Spark of an experiment does.
  *
  * @param conf all keys of its session
  * @param rounds in their order
  * @param replicas folder of recorded programs
  * @param results file to which each round adds a line
  * @param folder of this Spark alone
  */
final case class RoundsSpec(
    setting: String,
    holdfast: Boolean,
    block: Int,
    conf: Map[String, String],
    cluster: Shape,
    rounds: Seq[RoundSpec],
    inputs: String,
    replicas: String,
    results: String,
    folder: String
)

/** Runs one setting's rounds in this JVM; the argument is a [[RoundsSpec]] as JSON. */
object Rounds {

  /** Longer than the longest linger (5 s). */
  private val LingerPatienceMs = 15000L
  private val GoogleHeadStartMs = 10000L

  /** Shorter tasks would measure the driver. */
  private val LeastTaskMs = 500L

  def main(args: Array[String]): Unit = ChildJvm.main(run(Json.read[RoundsSpec](args(0))))

  private def run(spec: RoundsSpec): Unit = {
    val builder = SparkSession.builder().appName(s"${spec.setting}, block ${spec.block}")
    val folder = Paths.get(spec.folder)
    val keys = SparkKeys.shared(folder, spec.cluster.executors * spec.cluster.slots) ++ spec.conf
    keys.foreach { case (key, value) => builder.config(key, value) }
    val spark = builder.getOrCreate()
    try {
      val recorder = Recorder.current
      recorder.awaitExecutors(spec.cluster.executors)
      spec.rounds.foreach(round => new OneRound(spec, round, spark, recorder).run())
    } finally spark.stop()
  }

  private final class OneRound(spec: RoundsSpec, round: RoundSpec, spark: SparkSession, recorder: Recorder) {
    private val sc = spark.sparkContext
    private val name = round.name(spec.setting, spec.block)
    private val folder = Files.createDirectories(Paths.get(spec.folder).resolve(name))
    private val workload = Foregrounds.named(round.foreground, Paths.get(spec.replicas))

    def run(): Unit = {
      recorder.forget()
      recorder.expect(workload.parallelism)
      val before = status()
      val context = Context(spark, Paths.get(spec.inputs), folder, round.seed, warmUp = round.round == 0)
      val contest = new Contest(recorder, workload, context)
      val span = round.background.fold(contest.alone())(b => if (b.first) contest.second(load(b)) else contest.first(load(b)))
      Listeners.drain(sc)
      recorder.awaitQuiet()
      val after = status().since(before)
      if (round.round > 0) keep(recorder.timeline(workload.parallelism, span.arrived, span.ended), span, after)
    }

    private def status() = if (spec.holdfast) HoldfastStatus.readWhenIdle(LingerPatienceMs) else HoldfastStatus.none

    private def load(background: BackgroundSpec): Load = background.kind match {
      case BackgroundSpec.Crowd => new Background(sc, round.seed, folder.resolve("foreground-ended"), background.times)
      case _ =>
        val trace = GoogleHour
          .sample(background.jobs, round.seed)
          .fitted(background.load, recorder.slotsNow, LeastTaskMs)
          .longer(background.times)
        new OpenArrivals(sc, trace, name, GoogleHeadStartMs)
    }

    private def keep(timeline: Timeline, span: Span, status: HoldfastStatus): Unit = {
      val file = s"timelines/$name.json"
      val results = Paths.get(spec.results)
      Json.save(results.resolveSibling(file), timeline)
      append(
        results,
        Result.measured(
          round.foreground,
          spec.setting,
          round.background.map(_.name),
          round.background.map(b => if (b.first) Result.BackgroundFirst else Result.ForegroundFirst),
          1000 * spec.block + round.round,
          round.seed,
          spark.version,
          timeline,
          span.cpu,
          status,
          file
        )
      )
    }

    private def append(file: Path, result: Result): Unit = {
      Files.writeString(file, Json.write(result) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
      ()
    }
  }
}
