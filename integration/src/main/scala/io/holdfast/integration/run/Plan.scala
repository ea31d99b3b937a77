package io.holdfast.integration.run

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.Workload

/** Which cells an experiment consists of, in the order in which they run. */
object Plan {

  /** Interleaved: all settings of one repeat of one workload run one after the other, and the next repeat starts with another
    * setting, so that a change of the machine's load does not meet one setting alone.
    */
  def cells(options: Options): Seq[CellSpec] =
    for {
      repeat <- 1 to options.repeats
      workload <- options.workloads
      group = settings(options, workload, repeat)
      cell <- rotate(group, repeat - 1)
    } yield cell

  private def settings(options: Options, workload: Workload, repeat: Int): Seq[CellSpec] = {
    val also = if (repeat == 1 && options.also.contains(workload)) Seq(Result.BackgroundFirst) else Nil
    val holdfastOrders = (options.orders ++ also).distinct
    options.settings.flatMap {
      case setting if Result.aloneIn(setting) => Seq(cell(options, workload, setting, None, None, repeat))
      case Result.Holdfast if options.variants.nonEmpty =>
        for ((name, conf) <- options.variants; order <- holdfastOrders)
          yield cell(options, workload, Result.Holdfast, Some(order), Some(name), repeat, conf)
      case setting =>
        val orders = if (setting == Result.Holdfast) holdfastOrders else options.orders
        orders.map(order => cell(options, workload, setting, Some(order), None, repeat))
    }
  }

  private def cell(
      options: Options,
      workload: Workload,
      setting: String,
      order: Option[String],
      variant: Option[String],
      repeat: Int,
      conf: Map[String, String] = Map.empty
  ): CellSpec = {
    val shared = options.conf.filter { case (key, _) =>
      Result.holdfastIn(setting) || !key.startsWith("spark.holdfast.")
    }
    val name = (Seq(workload.name, setting) ++ variant ++ order :+ s"r$repeat").mkString("-")
    CellSpec(
      workload.name,
      setting,
      order,
      variant,
      repeat,
      options.seed + repeat - 1,
      shared ++ conf,
      options.warmUp,
      options.inputs.toString,
      options.archives.toString,
      options.cells.resolve(name).toString
    )
  }

  private def rotate[A](items: Seq[A], by: Int): Seq[A] =
    if (items.isEmpty) items else items.drop(by % items.size) ++ items.take(by % items.size)
}
