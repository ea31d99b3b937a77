package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.measure.{Listeners, Recorder}
import io.holdfast.integration.programs.{Context, Foregrounds, Replica}
import io.holdfast.integration.{ChildJvm, Json}
import org.apache.spark.sql.SparkSession

/** Records programs for [[Replica]]s: each runs alone on as many slots as the machine has cores, so that no task waits for a core,
  * once to warm up and once that counts. Arguments: the folder of the experiments, of the inputs, of the archives and of the cells,
  * then names as [[Foregrounds.computing]] knows them.
  */
object Recording {
  private val LimitS = 1800L

  /** What the child does for one program. */
  final case class Spec(program: String, inputs: String, jvm: Seq[String], folder: String, target: String)

  def main(args: Array[String]): Unit = {
    val Seq(experiments, inputs, archived, cells) = args.toSeq.take(4).map(Paths.get(_)): @unchecked
    val programs = args.toSeq.drop(4)
    val archives = ClassArchives(archived)
    val wanted = programs.flatMap(Foregrounds.computing(_).input)
    val prepared = Prepared.all(inputs, wanted, archives, cells)
    val failed =
      prepared.left.toOption ++ programs.flatMap(record(_, Experiments.replicas(experiments), inputs, archives, cells))
    failed.foreach(why => println(s"FAILED: $why"))
    sys.exit(if (failed.isEmpty) 0 else 1)
  }

  private def record(
      name: String,
      replicas: Path,
      inputs: Path,
      archives: ClassArchives,
      cells: Path
  ): Option[String] = {
    val target = Foregrounds.fileOf(replicas, name)
    val folder = cells.resolve(s"recording-${target.getFileName}")
    val options = "-Xmx1g" +: (ChildJvm.QuietJvm ++ archives.driverOptions)
    val jvm = ChildJvm.QuietJvm ++ archives.executorOptions
    println(s"$name: recording")
    val child = RecordedRun.getClass.getName.stripSuffix("$")
    val spec = Spec(name, inputs.toString, jvm, folder.toString, target.toString)
    val outcome = ChildJvm(folder, ChildJvm.Logging, options).run(child, Seq(Json.write(spec)), LimitS)
    if (outcome.isRight) {
      val replica = Json.load[Replica](target)
      println(
        f"$name: ${replica.jobs.size} jobs, ${replica.jobs.map(_.stages.size).sum} stages, at best ${replica.idealMs / 1e3}%.1f s: $target"
      )
    }
    outcome.left.toOption
  }
}

/** Runs one program in this JVM; the argument is a [[Recording.Spec]] as JSON. */
object RecordedRun {
  def main(args: Array[String]): Unit = ChildJvm.main {
    val spec = Json.read[Recording.Spec](args(0))
    val folder = Paths.get(spec.folder)
    val slots = Runtime.getRuntime.availableProcessors()
    val builder = SparkSession.builder().appName(s"recording ${spec.program}")
    SparkKeys.common(folder, 1, slots, spec.jvm).foreach { case (key, value) => builder.config(key, value) }
    val spark = builder.getOrCreate()
    try {
      val recorder = Recorder.current
      recorder.awaitExecutors(1)
      val workload = Foregrounds.computing(spec.program)
      val seed = 42L
      val context = Context(spark, Paths.get(spec.inputs), folder.resolve("warm-up"), seed, warmUp = false)
      new Contest(recorder, workload, context).alone()
      Listeners.drain(spark.sparkContext)
      recorder.awaitQuiet()
      recorder.forget()
      val span = new Contest(recorder, workload, context.copy(outputs = folder.resolve("measured"))).alone()
      Listeners.drain(spark.sparkContext)
      recorder.awaitQuiet()
      val timeline = recorder.timeline(workload.parallelism, span.arrived, span.ended)
      val how = s"alone on $slots slots of as many cores, the second run of its JVM, Spark ${spark.version}, seed $seed"
      Files.createDirectories(Paths.get(spec.target).getParent)
      Json.save(Paths.get(spec.target), Replica.of(workload.title, how, timeline))
    } finally spark.stop()
  }
}
