package io.holdfast.integration

import java.nio.file.{Files, Path}

import scala.util.Random

import org.apache.spark.graphx.util.GraphGenerators
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.regression.LabeledPoint
import org.apache.spark.mllib.util.KMeansDataGenerator
import org.apache.spark.SparkContext

/** Generates the inputs of the SparkBench programs once, as text files, the way SparkBench's own generators do. The sizes are
  * SparkBench's defaults (tag SparkBench_spark-v1.6), except KMeans' 100,000 points and 8 partitions.
  */
object Inputs {
  val KMeans = "kmeans-100000x20-k10"
  val Svm = "svm-20000x10"
  val Graph = "graph-2000-lognormal-4-1.3-seed42"

  private val SvmFeatures = 10

  private val generators: Map[String, (SparkContext, String) => Unit] =
    Map(KMeans -> kmeans, Svm -> svm, Graph -> graph)

  def exists(folder: Path, name: String): Boolean = Files.exists(folder.resolve(name).resolve("_SUCCESS"))

  /** Generates the input of that name in the folder. */
  def generate(sc: SparkContext, folder: Path, name: String): Unit = {
    Files.createDirectories(folder)
    val partial = folder.resolve(s"$name.partial-${ProcessHandle.current().pid()}")
    generators(name)(sc, partial.toUri.toString)
    if (!exists(folder, name)) Files.move(partial, folder.resolve(name))
  }

  private def kmeans(sc: SparkContext, path: String): Unit =
    KMeansDataGenerator
      .generateKMeansRDD(sc, 100000, 10, 20, 0.6, Workload.Partitions)
      .map(_.mkString(" "))
      .saveAsTextFile(path)

  private def svm(sc: SparkContext, path: String): Unit = {
    val weightsFrom = new Random(94720)
    val weights = Array.fill(SvmFeatures)(weightsFrom.nextGaussian())
    sc.parallelize(0 until 20000, Workload.Partitions)
      .map { index =>
        val random = new Random(42 + index)
        val x = Array.fill(SvmFeatures)(random.nextDouble() * 2.0 - 1.0)
        val y = x.zip(weights).map { case (a, b) => a * b }.sum + 0.1 * random.nextGaussian()
        LabeledPoint(if (y < 0) 0.0 else 1.0, Vectors.dense(x)).toString
      }
      .saveAsTextFile(path)
  }

  private def graph(sc: SparkContext, path: String): Unit =
    GraphGenerators
      .logNormalGraph(sc, 2000, Workload.Partitions, 4.0, 1.3, 42L)
      .edges
      .map(e => s"${e.srcId} ${e.dstId} ${e.attr}")
      .saveAsTextFile(path)
}
