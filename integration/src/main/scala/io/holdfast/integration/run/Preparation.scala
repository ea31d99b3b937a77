package io.holdfast.integration.run

import java.nio.file.{Path, Paths}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import io.holdfast.integration.programs.{Context, Input, Inputs, Workload}
import io.holdfast.integration.{ChildJvm, Json}
import org.apache.spark.sql.SparkSession

/** What the first run of an experiment has to make, in a JVM of its own: the inputs that are missing, and the archives of classes,
  * which both JVMs of its Spark leave when they end.
  */
object Preparation {

  /** @param archives the folder for archives of classes, when they are to be made */
  final case class Spec(inputs: String, missing: Seq[Input], archives: Option[String], folder: String)

  private val ExecutorEndS = 120L

  /** The only argument is a [[Spec]] as JSON. */
  def main(args: Array[String]): Unit = ChildJvm.main {
    val spec = Json.read[Spec](args(0))
    val folder = Paths.get(spec.folder)
    val archiving = spec.archives.toSeq.flatMap(made => ClassArchives(Paths.get(made)).archiveExecutor)
    val options = ChildJvm.QuietJvm ++ archiving
    val builder = SparkSession.builder().appName("preparation")
    SparkKeys.common(folder, executors = 1, slots = 2, options).foreach { case (key, value) =>
      builder.config(key, value)
    }
    val spark = builder.getOrCreate()
    try {
      val inputs = Paths.get(spec.inputs)
      spec.missing.foreach(Inputs.generate(spark.sparkContext, inputs, _))
      if (spec.archives.nonEmpty) load(spark, inputs, folder)
    } finally spark.stop()
    ProcessHandle.current().descendants().iterator().asScala.foreach(_.onExit().get(ExecutorEndS, TimeUnit.SECONDS))
  }

  /** Runs a bit of everything, so that its classes are loaded. */
  private def load(spark: SparkSession, inputs: Path, folder: Path): Unit = {
    val context = Context(spark, inputs, folder.resolve("outputs"), seed = 1, warmUp = true)
    val svm = Workload.named("svm")
    if (Inputs.missing(inputs, svm.input.toSeq).isEmpty) svm.run(context)
    Workload.named("chain").run(context)
  }
}
