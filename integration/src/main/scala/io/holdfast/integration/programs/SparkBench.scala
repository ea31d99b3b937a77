package io.holdfast.integration.programs

import org.apache.spark.graphx.GraphLoader
import org.apache.spark.mllib.classification.SVMWithSGD
import org.apache.spark.mllib.clustering.{KMeans => MLlibKMeans}
import org.apache.spark.mllib.evaluation.BinaryClassificationMetrics
import org.apache.spark.mllib.linalg.Vectors
import org.apache.spark.mllib.regression.LabeledPoint
import org.apache.spark.storage.StorageLevel

/** KMeans, SVM and PageRank with SparkBench's sequence of calls (CODAIT/spark-bench, tag SparkBench_spark-v1.6; with fewer
  * iterations of PageRank, 5 instead of 12). They read text files and write text files.
  */
object SparkBench {
  private val Clusters = 10
  private val KMeansIterations = 5
  private val KMeansSeed = 127L
  private val SvmIterations = 3
  private val PageRankIterations = 5
  private val ResetProbability = 0.15

  def kmeans(context: Context): Unit = {
    val sc = context.spark.sparkContext
    val data = sc.textFile(context.input(Inputs.KMeans)).map(s => Vectors.dense(s.split(' ').map(_.toDouble))).cache()
    val model = MLlibKMeans.train(data, Clusters, KMeansIterations, MLlibKMeans.K_MEANS_PARALLEL, KMeansSeed)
    data.map(point => s"${model.predict(point)} $point").saveAsTextFile(context.output("kmeans"))
    model.computeCost(data)
    data.unpersist()
  }

  def svm(context: Context): Unit = {
    val sc = context.spark.sparkContext
    val data = sc.textFile(context.input(Inputs.Svm)).map(LabeledPoint.parse)
    val training = data.sample(withReplacement = false, 0.9, 11L).cache()
    val test = data.subtract(training)
    val model = SVMWithSGD.train(training, SvmIterations)
    model.clearThreshold()
    val scored = test.map(p => (model.predict(p.features), p.label))
    new BinaryClassificationMetrics(scored).areaUnderROC()
    training.unpersist()
  }

  def pageRank(context: Context): Unit = {
    val level = StorageLevel.MEMORY_AND_DISK
    val graph = GraphLoader.edgeListFile(
      context.spark.sparkContext,
      context.input(Inputs.Graph),
      canonicalOrientation = true,
      edgeStorageLevel = level,
      vertexStorageLevel = level
    )
    graph.staticPageRank(PageRankIterations, ResetProbability).vertices.saveAsTextFile(context.output("pagerank"))
    graph.unpersist()
  }
}
