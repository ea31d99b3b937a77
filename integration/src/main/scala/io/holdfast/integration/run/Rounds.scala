package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths, StandardOpenOption}

import io.holdfast.integration.{ChildJvm, Json}
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{HoldfastStatus, IdleSampler, Listeners, Recorder, Result, Timeline, Trial}
import io.holdfast.integration.plan.{Preemption, RoundSpec, SparkRounds}
import io.holdfast.integration.programs.{Background, Context, Foregrounds, Loads, TraceFiles}
import io.holdfast.integration.programs.dashboards.{Server, ServerSpec}
import org.apache.spark.sql.SparkSession

/** What one Spark of an experiment does.
  *
  * @param spark the rounds in their order
  * @param holdfast whether Holdfast is on its class path, and switched on
  * @param counted whether Holdfast's own counters are read: not where a key switches it off again
  * @param version of Holdfast's jar, if it runs
  * @param equal whether the two pools are alike
  * @param preemption whether tasks are killed for the foreground
  * @param apart whether a background has an application of its own, on as many executors
  * @param jvm options of the executors
  * @param conf further keys of its session
  * @param replicas folder of recorded programs
  * @param scale of TPC-H's tables
  * @param server that it runs, if users come through one
  * @param results file to which each round adds a line
  * @param folder of this Spark alone
  */
final case class RoundsSpec(
    spark: SparkRounds,
    holdfast: Boolean,
    counted: Boolean,
    version: Option[String],
    equal: Boolean,
    preemption: Option[Preemption],
    apart: Boolean,
    jvm: Seq[String],
    conf: Map[String, String],
    cluster: Shape,
    scale: BigDecimal,
    server: Option[ServerSpec],
    trace: Option[TraceFiles],
    inputs: String,
    replicas: String,
    results: String,
    folder: String
)

/** Runs the rounds of one Spark in this JVM; the first argument is a [[RoundsSpec]] as JSON. */
object Rounds {

  def main(args: Array[String]): Unit = ChildJvm.main(run(Json.read[RoundsSpec](args(0))))

  private def run(spec: RoundsSpec): Unit = {
    val plan = spec.spark
    val name = if (plan.own) plan.name else s"${plan.setting}, block ${plan.block}"
    val spark = session(spec, name)
    val recorder = Recorder.current
    val preemptor = spec.preemption.map(new Preemptor(spark.sparkContext, _, recorder.slotsNow))
    try {
      val server = spec.server.map(_.start(spark))
      plan.rounds.foreach { round =>
        val one = new OneRound(spec, round, spark, server, recorder)
        if (plan.own && round.round == 0) one.warmUp() else one.run()
      }
    } finally {
      preemptor.foreach(_.close())
      spark.stop()
    }
  }

  /** A session with all executors of the cluster. */
  private[run] def session(spec: RoundsSpec, name: String): SparkSession = {
    val builder = SparkSession.builder().appName(name)
    keys(spec).foreach { case (key, value) => builder.config(key, value) }
    val spark = builder.getOrCreate()
    Recorder.current.awaitExecutors(spec.cluster.executors)
    spark
  }

  /** The loads of one round.
    *
    * @param folder of this round alone
    */
  private[run] def loads(
      spec: RoundsSpec,
      round: RoundSpec,
      spark: SparkSession,
      server: Option[Server],
      folder: Path
  ): Loads = {
    val trace = for (files <- spec.trace; beside <- round.background) yield files.read(beside.jobs, round.seed)
    val context = contextOf(spec, round, spark, server, folder)
    new Loads(context, Recorder.current, trace, folder.resolve("foreground-ended"), Paths.get(spec.replicas))
  }

  private def contextOf(
      spec: RoundsSpec,
      round: RoundSpec,
      spark: SparkSession,
      server: Option[Server],
      folder: Path
  ) = Context(
    spark,
    Paths.get(spec.inputs),
    folder,
    round.seed,
    warmUp = round.short,
    kept = round.round > 0,
    scale = spec.scale,
    server = server
  )

  private def keys(spec: RoundsSpec): Map[String, String] = {
    val folder = Paths.get(spec.folder)
    val shared = SparkKeys.shared(folder, spec.cluster.executors * spec.cluster.slots, spec.jvm)
    val pools =
      if (spec.equal) Map("spark.scheduler.allocation.file" -> SparkKeys.equalPools(folder).toUri.toString)
      else Map.empty
    shared ++ pools ++ spec.conf
  }

  private final class OneRound(
      spec: RoundsSpec,
      round: RoundSpec,
      spark: SparkSession,
      server: Option[Server],
      recorder: Recorder
  ) {
    private val name = spec.spark.nameOf(round)
    private val folder = Files.createDirectories(
      Paths.get(spec.folder).resolve(if (spec.spark.own && round.round == 0) "warm-up" else name)
    )
    private val workload = Foregrounds.named(round.foreground, Paths.get(spec.replicas))
    private val context = contextOf(spec, round, spark, server, folder)

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
        val load =
          if (spec.apart) new Elsewhere(spec, round, Files.createDirectories(folder.resolve("beside")))
          else own.of(beside)
        if (beside.first) contest.second(load) else contest.first(load)
      }
      Listeners.drain(spark.sparkContext)
      recorder.awaitQuiet()
      val after = status().since(before)
      val waitedSlotS = sampler.map(_.stop())
      if (round.round > 0)
        keep(recorder.timeline(workload.parallelism, span.arrived, span.ended), span, after, waitedSlotS)
    }

    private def status() = if (spec.counted) HoldfastStatus.readWhenIdle() else HoldfastStatus.none

    private lazy val own = loads(spec, round, spark, server, folder)

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
      val hourSlotS = round.background.filter(_.anytime).map(own.hour(_).slotMs / 1e3)
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
