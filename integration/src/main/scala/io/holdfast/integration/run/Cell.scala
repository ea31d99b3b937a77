package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.measure.{CpuResult, HoldfastStatus, Listeners, Recorder, Result, Timeline}
import io.holdfast.integration.programs.{Background, Context, Workload}
import io.holdfast.integration.{ChildJvm, Json}
import org.apache.spark.sql.SparkSession

/** Runs one cell in this JVM. The argument is a [[CellSpec]] as JSON; `result.json` and `timeline.json` appear in its folder.
  * Its executors end with it.
  */
object Cell {
  private val Executors = 4
  private val SlotsPerExecutor = 2

  def main(args: Array[String]): Unit = ChildJvm.main(run(Json.read[CellSpec](args(0))))

  def run(spec: CellSpec): Result = {
    val folder = Paths.get(spec.folder)
    Files.createDirectories(folder)
    val spark = session(spec, folder)
    try {
      val (timeline, cpu, status) = measure(spec, spark, folder)
      val result = Result.measured(spec.trial, spark.version, timeline, cpu, status, "timeline.json")
      Json.save(folder.resolve("timeline.json"), timeline)
      Json.save(folder.resolve("result.json"), result)
      result
    } finally spark.stop()
  }

  private def session(spec: CellSpec, folder: Path): SparkSession = {
    val jvm = ChildJvm.QuietJvm ++ ClassArchives(Paths.get(spec.archives)).executorOptions
    val conf = SparkKeys.common(folder, Executors, SlotsPerExecutor, jvm) ++
      (if (Result.holdfastIn(spec.setting)) SparkKeys.holdfast else Map.empty) ++ spec.conf
    val builder = SparkSession.builder().appName(s"${spec.workload}-${spec.setting}")
    conf.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

  private def measure(spec: CellSpec, spark: SparkSession, folder: Path): (Timeline, CpuResult, HoldfastStatus) = {
    val workload = Workload.named(spec.workload)
    val sc = spark.sparkContext
    val recorder = Recorder.current
    val context = Context(spark, Paths.get(spec.inputs), folder.resolve("measured"), spec.seed, warmUp = false)
    recorder.awaitExecutors(Executors)
    if (spec.warmUp) warmUp(workload, context.copy(outputs = folder.resolve("warm-up"), warmUp = true))
    recorder.expect(workload.parallelism)
    val holds = Result.holdfastIn(spec.setting) && !spec.conf.get("spark.holdfast.mode").contains("off")
    def status() = if (holds) HoldfastStatus.readWhenIdle() else HoldfastStatus.none
    val before = status()
    val span = contend(spec, workload, context, recorder, folder)
    Listeners.drain(sc)
    recorder.awaitQuiet()
    (recorder.timeline(workload.parallelism, span.arrived, span.ended), span.cpu, status().since(before))
  }

  private def contend(
      spec: CellSpec,
      workload: Workload,
      context: Context,
      recorder: Recorder,
      folder: Path
  ): Span = {
    val contest = new Contest(recorder, workload, context, times(spec, "program.times"))
    def background = new Background(
      context.spark.sparkContext,
      spec.seed,
      folder.resolve("foreground-ended"),
      times(spec, "crowd.times")
    )
    spec.order match {
      case None => contest.alone()
      case Some(Result.BackgroundFirst) => contest.second(background)
      case Some(Result.ForegroundFirst) => contest.first(background)
      case Some(other) =>
        throw new IllegalArgumentException(
          s"order '$other' is unknown; use ${Result.ForegroundFirst} or ${Result.BackgroundFirst}"
        )
    }
  }

  /** A number of the spec's own; 1 without it. */
  private def times(spec: CellSpec, key: String): Int = spec.conf.get(key).fold(1)(_.toInt)

  /** Loads classes and compiles hot code, in a pool that nobody gave a priority, so that Holdfast holds nothing for it. */
  private def warmUp(workload: Workload, context: Context): Unit = {
    val sc = context.spark.sparkContext
    sc.setLocalProperty("spark.scheduler.pool", "warm-up")
    Files.createDirectories(context.outputs)
    val flag = Files.createFile(context.outputs.resolve("no-sleep"))
    try {
      Background.warmUp(sc, flag)
      workload.run(context)
    } finally sc.setLocalProperty("spark.scheduler.pool", null)
  }
}
