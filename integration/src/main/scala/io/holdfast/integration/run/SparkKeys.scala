package io.holdfast.integration.run

import java.nio.file.{Files, Path}

import io.holdfast.integration.ChildJvm
import io.holdfast.integration.measure.Recorder
import io.holdfast.integration.programs.dashboards.User

/** The Spark configuration of cells. Stock and Holdfast differ in [[holdfast]] only. */
object SparkKeys {

  /** `local-cluster` with executors that are processes of their own; serializer, codec and compression as in SparkBench's global
    * settings.
    *
    * @param jvm options of the executors
    */
  def common(folder: Path, executors: Int, slots: Int, jvm: Seq[String]): Map[String, String] =
    shared(folder, executors * slots, jvm) + ("spark.master" -> s"local-cluster[$executors,$slots,1024]")

  /** What does not depend on the master.
    *
    * @param slots of all executors
    */
  def shared(folder: Path, slots: Int, jvm: Seq[String] = ChildJvm.QuietJvm): Map[String, String] = Map(
    "spark.scheduler.mode" -> "FAIR",
    "spark.scheduler.allocation.file" -> fairScheduler(folder, slots).toUri.toString,
    "spark.extraListeners" -> classOf[Recorder].getName,
    "spark.executor.extraClassPath" -> sys.props("java.class.path"),
    "spark.executor.extraJavaOptions" -> jvm.mkString(" "),
    "spark.serializer" -> "org.apache.spark.serializer.KryoSerializer",
    "spark.io.compression.codec" -> "lzf",
    "spark.rdd.compress" -> "false",
    "spark.ui.enabled" -> "false",
    "spark.local.dir" -> folder.resolve("local").toString,
    "spark.sql.warehouse.dir" -> folder.resolve("warehouse").toString,
    "spark.sql.adaptive.enabled" -> "true",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.shuffle.partitions" -> "8"
  )

  /** Switches Holdfast on. */
  val plugin: Map[String, String] = Map("spark.plugins" -> "io.holdfast.HoldfastPlugin")

  /** All that Holdfast adds for a foreground of higher priority. */
  val holdfast: Map[String, String] = plugin + (s"spark.holdfast.pool.${Recorder.Foreground}.priority" -> "10")

  /** The same under a server: its clients choose pools, and the administrator says who is important. */
  val holdfastOfUsers: Map[String, String] = plugin + (s"spark.holdfast.user.${User.Dashboard}-*.priority" -> "10")

  /** The strongest priority that stock Spark knows: a minimum share of all slots and a thousandfold weight. */
  private def fairScheduler(folder: Path, slots: Int): Path =
    allocations(folder, pool(Recorder.Foreground, 1000, slots))

  /** Both pools alike, for `spark.scheduler.allocation.file`. */
  def equalPools(folder: Path): Path = allocations(folder, pool(Recorder.Foreground, 1, 0))

  private def allocations(folder: Path, foreground: String): Path =
    Files.writeString(
      folder.resolve("fairscheduler.xml"),
      s"""<?xml version="1.0"?>
         |<allocations>
         |  $foreground
         |  ${pool(Recorder.Background, 1, 0)}
         |</allocations>
         |""".stripMargin
    )

  private def pool(name: String, weight: Int, minShare: Int): String =
    s"""<pool name="$name"><schedulingMode>FIFO</schedulingMode><weight>$weight</weight><minShare>$minShare</minShare></pool>"""
}
