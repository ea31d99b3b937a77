package io.holdfast.integration.scenarios

import scala.jdk.CollectionConverters._

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import io.holdfast.integration.measure.{Counters, Recorder, StageRun}
import io.holdfast.integration.programs.Context
import org.apache.spark.sql.SparkSession

/** Important queries beside a crowd that wants every slot that is freed. */
trait BesideACrowd extends Scenarios {
  protected val Slots = 4

  private def keys: Seq[(String, String)] = Seq(
    // Planning on a slow machine takes long; how long a gap may last is not what is tested.
    "spark.holdfast.linger.first" -> "20s",
    "spark.holdfast.linger.query" -> "20s",
    "spark.extraListeners" -> s"${classOf[Launches].getName},${classOf[Recorder].getName}",
    s"spark.holdfast.pool.${Recorder.Foreground}.priority" -> "10",
    "spark.sql.adaptive.enabled" -> "true",
    "spark.sql.shuffle.partitions" -> "8",
    "spark.sql.warehouse.dir" -> "warehouse-is-not-used"
  )

  /** Runs a query beside a crowd, which comes when the query's first stage of `width` tasks has its slots. */
  protected def crowded(query: Context => Unit, conf: (String, String)*): Crowded = crowded(query, Slots - 1, conf)()

  /** @param before is run without a crowd, as another user's */
  protected def crowded(query: Context => Unit, width: Int, conf: Seq[(String, String)], sleepMs: Long = 300)(
      before: Context => Unit = _ => ()
  ): Crowded =
    withHoldfast(s"local-cluster[2,${Slots / 2},1024]", keys ++ conf: _*) { app =>
      app.awaitExecutors(2)
      val recorder = Recorder.current
      recorder.awaitExecutors(2)
      recorder.expect(width)
      val context = Context(SparkSession.builder().getOrCreate(), app.folder, app.folder, seed = 1, warmUp = false)
      app.run("before")(before(context))
      app.drain()
      recorder.forget()
      // While somebody's task runs, holds across a gap do not yield as they do when all that is left is waiting.
      val bystander = app.gate()
      val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
      app.awaitRunning("bystander", 1)
      val earlier = ends
      val important = app.start("important", "spark.scheduler.pool" -> Recorder.Foreground) {
        val arrived = System.currentTimeMillis()
        query(context)
        (arrived, System.currentTimeMillis())
      }
      recorder.awaitFullWidth()
      val crowd =
        new Crowd(app, 2, 40, sleepMs, Seq("spark.scheduler.pool" -> Recorder.Background)).start()
      val (arrived, ended) = important.result
      val now = ends
      def since(what: String) = now(what) - earlier(what)
      bystander.open()
      waiting.result
      crowd.stop()
      app.drain()
      recorder.awaitQuiet()
      val timeline = recorder.timeline(width, arrived, ended)
      val seen = Crowded(
        timeline.foregroundStages,
        Counters.of(timeline),
        since("made"),
        since("used"),
        since("expired"),
        unforeseen
      )
      def wanted = app.launches.of(Crowd.Role).last.id > app.launches.of("important").last.id
      assert(seen.stolen > 0 || wanted, "the crowd did want slots all the time")
      seen
    }

  /** Slots that others had been given when workflows became wider than was known. */
  protected def unforeseen: Long =
    Json.tree(Holdfast.status()).required("workflows").elements.asScala.map(_.required("unforeseen").asLong).sum

  private def ends: Map[String, Long] =
    Seq("made", "used", "expired").map(name => name -> holds.required(name).asLong).toMap
}

/** What a query did beside a crowd.
  *
  * @param made holds, and used, expired: how many of them ended so
  * @param unforeseen slots that others had been given when it became wider than was known
  */
private[scenarios] final case class Crowded(
    stages: Seq[StageRun],
    counters: Counters,
    made: Long,
    used: Long,
    expired: Long,
    unforeseen: Long
) {
  def stolen: Int = counters.stolen

  override def toString: String =
    s"${stages.map(_.job).distinct.size} jobs, stages of ${stages.map(_.tasks).mkString(", ")} tasks; stolen $stolen, " +
      s"late ${counters.late}, overtaken ${counters.overtaken}; holds: $made made, $used used, $expired expired; " +
      s"unforeseen $unforeseen"
}
