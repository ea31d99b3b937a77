package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable

/** Gives custom resources their places in the engine's vector. What comes later than the second is left to Spark. */
private[holdfast] class CustomNames {
  private val places = mutable.HashMap.empty[String, Int]

  def place(amounts: Map[String, Double]): Array[Int] = synchronized {
    val placed = new Array[Int](CustomNames.Places)
    amounts.toSeq.sortBy(_._1).foreach { case (name, amount) =>
      val at = places.getOrElseUpdate(name, places.size)
      if (at < placed.length) placed(at) = (amount * Line.Milli).round.toInt
    }
    placed
  }
}

private object CustomNames {
  val Places = 2
}
