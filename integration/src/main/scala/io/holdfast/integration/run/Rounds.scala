package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths, StandardOpenOption}

import io.holdfast.integration.{ChildJvm, Json}
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{HoldfastStatus, IdleSampler, Listeners, Recorder, Result, Timeline, Trial}
import io.holdfast.integration.plan.{RoundSpec, SparkRounds}
import io.holdfast.integration.programs.{Background, Context, Foregrounds, Loads, TraceFiles}
import org.apache.spark.sql.SparkSession

/** What one Spark of an experiment does.
  *
  * @param spark the rounds in their order
  * @param holdfast whether Holdfast is on its class path, and switched on
  * @param counted whether Holdfast's own counters are read: not where a key switches it off again
  * @param version of Holdfast's jar, if it runs
  * @param equal whether the two pools are alike
  * @param jvm options of the executors
  * @param conf further keys of its session
  * @param replicas folder of recorded programs
  * @param results file to which each round adds a line
  * @param folder of this Spark alone
  */
final case class RoundsSpec(
    spark: SparkRounds,
    holdfast: Boolean,
    counted: Boolean,
    version: Option[String],
    equal: Boolean,
    jvm: Seq[String],
    conf: Map[String, String],
    cluster: Shape,
    trace: Option[TraceFiles],
    inputs: String,
    replicas: String,
    results: String,
    folder: String
)

/** Runs the rounds of one Spark in this JVM; the argument is a [[RoundsSpec]] as JSON. */
object Rounds {

  def main(args: Array[String]): Unit = ChildJvm.main(run(Json.read[RoundsSpec](args(0))))

  private def run(spec: RoundsSpec): Unit = {
    val plan = spec.spark
    val name = if (plan.own) plan.name else s"${plan.setting}, block ${plan.block}"
    val builder = SparkSession.builder().appName(name)
    keys(spec).foreach { case (key, value) => builder.config(key, value) }
    val spark = builder.getOrCreate()
    try {
      val recorder = Recorder.current
      recorder.awaitExecutors(spec.cluster.executors)
      plan.rounds.foreach { round =>
        val one = new OneRound(spec, round, spark, recorder)
        if (plan.own && round.round == 0) one.warmUp() else one.run()
      }
    } finally spark.stop()
  }

  private def keys(spec: RoundsSpec): Map[String, String] = {
    val folder = Paths.get(spec.folder)
    val shared = SparkKeys.shared(folder, spec.cluster.executors * spec.cluster.slots, spec.jvm)
    val pools =
      if (spec.equal) Map("spark.scheduler.allocation.file" -> SparkKeys.equalPools(folder).toUri.toString)
      else Map.empty
    shared ++ pools ++ spec.conf
  }

  private final class OneRound(spec: RoundsSpec, round: RoundSpec, spark: SparkSession, recorder: Recorder) {
    private val name = spec.spark.nameOf(round)
    private val folder = Files.createDirectories(
      Paths.get(spec.folder).resolve(if (spec.spark.own && round.round == 0) "warm-up" else name)
    )
    private val replicas = Paths.get(spec.replicas)
    private val workload = Foregrounds.named(round.foreground, replicas)
    private val context =
      Context(spark, Paths.get(spec.inputs), folder, round.seed, warmUp = round.short)

    /** Loads classes and compiles hot code, in a pool that nobody gave a priority, so that Holdfast holds nothing for it. */
    def warmUp(): Unit = {
      val sc = spark.sparkContext
      sc.setLocalProperty("spark.scheduler.pool", "warm-up")
      try {
        Background.warmUp(sc, Files.createFile(folder.resolve("no-sleep")))
        workload.run(context)
      } finally sc.setLocalProperty("spark.scheduler.pool", null)
    }

    def run(): Unit = {
      recorder.forget()
      recorder.expect(workload.parallelism)
      val before = status()
      val sampler = Option.when(spec.counted && round.sampleIdle)(new IdleSampler(recorder))
      val contest =
        new Contest(recorder, workload, context, round.programTimes, measuringS = () => sampler.fold(0.0)(_.cpuS))
      val span = round.background.fold(contest.alone()) { beside =>
        if (beside.first) contest.second(loads.of(beside)) else contest.first(loads.of(beside))
      }
      Listeners.drain(spark.sparkContext)
      recorder.awaitQuiet()
      val after = status().since(before)
      val waitedSlotS = sampler.map(_.stop())
      if (round.round > 0)
        keep(recorder.timeline(workload.parallelism, span.arrived, span.ended), span, after, waitedSlotS)
    }

    private def status() = if (spec.counted) HoldfastStatus.readWhenIdle() else HoldfastStatus.none

    private lazy val loads = {
      val trace = for (files <- spec.trace; beside <- round.background) yield files.read(beside.jobs, round.seed)
      new Loads(context, recorder, trace, folder.resolve("foreground-ended"), replicas)
    }

    private def keep(timeline: Timeline, span: Span, status: HoldfastStatus, waitedSlotS: Option[Double]): Unit = {
      val file = s"timelines/$name.json"
      val results = Paths.get(spec.results)
      Json.save(results.resolveSibling(file), timeline)
      val cpu = if (round.background.exists(_.toEnd)) span.whole else span.cpu
      val trial = Trial(
        round.foreground,
        spec.spark.setting,
        round.order,
        if (spec.spark.own) spec.spark.variant else round.background.map(_.name),
        spec.spark.repeat(round),
        round.seed
      )
      val result = Result.measured(trial, spark.version, timeline, cpu, status, file)
      val hourSlotS = round.background.filter(_.anytime).map(loads.hour(_).slotMs / 1e3)
      append(
        results,
        result.copy(idleWaitedSlotS = waitedSlotS, hourSlotS = hourSlotS, holdfast = spec.version)
      )
    }

    private def append(file: Path, result: Result): Unit = {
      Files.writeString(file, Json.write(result) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND)
      ()
    }
  }
}
