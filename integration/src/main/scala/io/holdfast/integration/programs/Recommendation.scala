package io.holdfast.integration.programs

import org.apache.spark.mllib.recommendation.{ALS, Rating}

/** Alternating least squares: the factors of users and items in turn, each from the other's over a shuffle. */
object Recommendation {
  private val Rank = 10
  private val Iterations = 5
  private val Lambda = 0.1

  def run(context: Context): Unit = {
    val ratings = context.spark.sparkContext.textFile(context.input(Inputs.Ratings)).map { line =>
      val fields = line.split(' ')
      Rating(fields(0).toInt, fields(1).toInt, fields(2).toDouble)
    }
    val model = ALS.train(ratings, Rank, Iterations, Lambda, context.width, context.seed)
    model.predict(ratings.map(r => (r.user, r.product))).count()
    ()
  }
}
