package io.holdfast.integration.run

import io.holdfast.integration.measure.Trial

/** One cell: one run of one workload in a JVM of its own.
  *
  * @param setting alone | uncontended (alone with Holdfast on) | stock | holdfast
  * @param order foreground-first | background-first; none when alone
  * @param variant the name of a Holdfast cell with further keys, for comparisons among them
  * @param conf further Spark keys, `crowd.times`: how many times as long as usual the background's tasks take, and `program.times`:
  *   how often the program runs, one run after the other
  * @param warmUp whether the program runs once before it is measured
  * @param inputs folder of the generated inputs
  * @param archives folder of [[ClassArchives]]
  * @param folder where the cell keeps its files
  */
final case class CellSpec(
    workload: String,
    setting: String,
    order: Option[String],
    variant: Option[String],
    repeat: Int,
    seed: Long,
    conf: Map[String, String],
    warmUp: Boolean,
    inputs: String,
    archives: String,
    folder: String
) {
  def trial: Trial = Trial(workload, setting, order, variant, repeat, seed)
}
