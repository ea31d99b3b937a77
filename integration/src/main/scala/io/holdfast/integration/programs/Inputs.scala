package io.holdfast.integration.programs

import java.nio.file.{Files, Path}

import scala.util.Random

import org.apache.spark.graphx.util.GraphGenerators
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.regression.LabeledPoint
import org.apache.spark.mllib.util.KMeansDataGenerator
import org.apache.spark.SparkContext
import org.apache.spark.sql.SparkSession

/** Generates the inputs of the SparkBench programs once, as text files, the way SparkBench's own generators do. The sizes are
  * SparkBench's defaults (tag SparkBench_spark-v1.6), except KMeans' 100,000 points and 8 partitions.
  */
object Inputs {
  val KMeans = "kmeans-100000x20-k10"
  val Svm = "svm-20000x10"
  val Graph = "graph-2000-lognormal-4-1.3-seed42"

  val Ratings = "ratings-200000-of-3000x1000"
  val Orders = "orders-150000"

  /** As many lines in each partition. */
  val Records = s"records-${Bounded.Records}"

  /** So many in the median partition; their logarithm is normally distributed. */
  val Sized = s"records-${Bounded.Records}-lognormal-0.6"

  private val SvmFeatures = 10
  private val RatingSeed = 20111

  private val generators: Map[String, (SparkContext, String, Int) => Unit] =
    Map(
      KMeans -> kmeans,
      Svm -> svm,
      Graph -> graph,
      Ratings -> ratings,
      Orders -> orders,
      Records -> records(0),
      Sized -> records(0.6)
    )

  /** What has not been generated yet. */
  def missing(folder: Path, inputs: Seq[Input]): Seq[Input] =
    inputs.distinct.filterNot(input => Files.exists(folder.resolve(input.folder)))

  /** Generates an input in the folder; it appears there as a whole. */
  def generate(sc: SparkContext, folder: Path, input: Input): Unit = {
    Files.createDirectories(folder)
    val partial = folder.resolve(s"${input.folder}.partial-${ProcessHandle.current().pid()}")
    generators(input.name)(sc, partial.toUri.toString, input.partitions)
    if (missing(folder, Seq(input)).nonEmpty) Files.move(partial, folder.resolve(input.folder))
  }

  private def kmeans(sc: SparkContext, path: String, partitions: Int): Unit =
    KMeansDataGenerator
      .generateKMeansRDD(sc, 100000, 10, 20, 0.6, partitions)
      .map(_.mkString(" "))
      .saveAsTextFile(path)

  private def svm(sc: SparkContext, path: String, partitions: Int): Unit = {
    val weightsFrom = new Random(94720)
    val weights = Array.fill(SvmFeatures)(weightsFrom.nextGaussian())
    sc.parallelize(0 until 20000, partitions)
      .map { index =>
        val random = new Random(42 + index)
        val x = Array.fill(SvmFeatures)(random.nextDouble() * 2.0 - 1.0)
        val y = x.zip(weights).map { case (a, b) => a * b }.sum + 0.1 * random.nextGaussian()
        LabeledPoint(if (y < 0) 0.0 else 1.0, Vectors.dense(x)).toString
      }
      .saveAsTextFile(path)
  }

  private def graph(sc: SparkContext, path: String, partitions: Int): Unit =
    GraphGenerators
      .logNormalGraph(sc, 2000, partitions, 4.0, 1.3, 42L)
      .edges
      .map(e => s"${e.srcId} ${e.dstId} ${e.attr}")
      .saveAsTextFile(path)

  private def ratings(sc: SparkContext, path: String, partitions: Int): Unit =
    sc.parallelize(0 until 200000, partitions)
      .map { i =>
        val random = new Random(RatingSeed + i)
        s"${random.nextInt(3000)} ${random.nextInt(1000)} ${1 + random.nextInt(5)}"
      }
      .saveAsTextFile(path)

  private def records(sigma: Double)(sc: SparkContext, path: String, partitions: Int): Unit =
    sc.parallelize(0 until partitions, partitions)
      .flatMap { i =>
        val size = math.exp(sigma * new Random(72900 + i).nextGaussian())
        (0 until math.max(1, math.round(Bounded.Records * size).toInt)).map(record => f"$i%05d-$record%05d")
      }
      .saveAsTextFile(path)

  private def orders(sc: SparkContext, path: String, partitions: Int): Unit =
    Queries.generate(SparkSession.builder().config(sc.getConf).getOrCreate(), path, partitions)
}

/** An input of a program, in so many partitions. */
final case class Input(name: String, partitions: Int) {

  /** Below the folder of all inputs. */
  def folder: String = s"$name-p$partitions"
}
