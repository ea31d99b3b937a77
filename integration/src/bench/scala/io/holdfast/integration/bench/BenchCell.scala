package io.holdfast.integration.bench

import java.nio.file.Paths

import io.holdfast.integration.Json

/** What one JVM measures, under one setting.
  *
  * @param settingName name of a [[Setting]]
  * @param folder for results and logs
  * @param scheduler class of Holdfast's scheduler for the Spark that runs
  * @param conf Spark keys
  */
final case class CellSpec(
    settingName: String,
    folder: String,
    scheduler: String,
    conf: Map[String, String]
) {
  def setting: Setting = Setting.named(settingName)
}

/** @param name as in the results */
final case class Setting(name: String, usesHoldfast: Boolean)

object Setting {
  val Stock: Setting = Setting("stock", usesHoldfast = false)
  val StockIdle: Setting = Setting("stock-idle", usesHoldfast = false)
  val Holdfast: Setting = Setting("holdfast", usesHoldfast = true)
  val HoldfastPool: Setting = Setting("holdfast-pool", usesHoldfast = true)

  def named(name: String): Setting = Seq(Stock, StockIdle, Holdfast, HoldfastPool)
    .find(_.name == name)
    .getOrElse(throw new IllegalArgumentException(s"setting '$name' is unknown"))
}

/** What every benchmark JVM does around its measurement. */
object BenchCell {

  /** The file in the cell's folder with what was measured. */
  val Result = "measured.json"

  /** The only argument is a [[CellSpec]] as JSON. The JVM ends when its standard input ends, so that it does not outlive its runner. */
  def main(args: Array[String])(measure: CellSpec => Measured): Unit = {
    dieWithParent()
    val spec = Json.read[CellSpec](args(0))
    val code =
      try { Json.save(Paths.get(spec.folder, Result), measure(spec)); 0 }
      catch { case e: Throwable => e.printStackTrace(); 1 }
    System.exit(code)
  }

  private def dieWithParent(): Unit = {
    val watcher = new Thread(
      () => {
        while (System.in.read() >= 0) {}
        System.exit(3)
      },
      "parent-watcher"
    )
    watcher.setDaemon(true)
    watcher.start()
  }
}
