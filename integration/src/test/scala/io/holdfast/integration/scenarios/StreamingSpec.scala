package io.holdfast.integration.scenarios

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.streaming.Trigger

/** A streaming query of a few tasks, every ten minutes. */
class StreamingSpec extends Scenarios {
  private val pool = "spark.scheduler.pool" -> "stream"
  private val conf = Seq("spark.holdfast.pool.stream.priority" -> "5", "spark.holdfast.linger.first" -> "10min")

  /** What is held when the first micro-batch is over. */
  private def heldAfterABatch(properties: (String, String)*): Long =
    withSpark("local[4]", conf :+ ("spark.plugins" -> Scenarios.Plugin): _*) { app =>
      val spark = SparkSession.builder().getOrCreate()
      properties.foreach { case (key, value) => app.sc.setLocalProperty(key, value) }
      val query = spark.readStream
        .format("rate-micro-batch")
        .option("rowsPerBatch", 8)
        .option("numPartitions", 4)
        .load()
        .repartition(4)
        .writeStream
        .option("checkpointLocation", app.folder.resolve("checkpoint").toString)
        .trigger(Trigger.ProcessingTime("10 minutes"))
        .foreachBatch((batch: DataFrame, _: Long) => { batch.collect(); () })
        .start()
      app.await("a batch's progress")(query.lastProgress != null)
      app.drain()
      assert(made > 0, "inside the batch slots were held")
      val left = held
      query.stop()
      left
    }

  test("nothing is held between two micro-batches") {
    assert(heldAfterABatch(pool) == 0)
  }

  test("a query that is asked to be one workflow keeps its slots between them") {
    assert(heldAfterABatch(pool, "spark.holdfast.workflow" -> "live", "spark.holdfast.priority" -> "5") > 0)
  }
}
