package io.holdfast.integration.bench

import java.nio.file.{Path, Paths}

import io.holdfast.integration.{ChildJvm, Json}

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

/** A JVM that measures. */
object BenchCell {
  private val Logging = "io/holdfast/integration/bench/log4j2.properties"
  private val Result = "measured.json"

  /** Far above the longest cell. */
  private val LimitS = 180L

  /** Runs a cell in a JVM of its own, whose main class calls [[main]]; answers what it measured or what went wrong. */
  def run(mainClass: String, spec: CellSpec, holdfastJar: Path): Either[String, Measured] = {
    val folder = Paths.get(spec.folder)
    val jars = if (spec.setting.usesHoldfast) Seq(holdfastJar) else Nil
    ChildJvm(folder, Logging, Seq("-Xmx1g"), jars)
      .run(mainClass, Seq(Json.write(spec)), LimitS)
      .map(_ => Json.load[Measured](folder.resolve(Result)))
  }

  /** The only argument is a [[CellSpec]] as JSON. */
  def main(args: Array[String])(measure: CellSpec => Measured): Unit = ChildJvm.main {
    val spec = Json.read[CellSpec](args(0))
    Json.save(Paths.get(spec.folder, Result), measure(spec))
  }
}
