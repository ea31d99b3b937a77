package io.holdfast.integration.plan

/** A way to schedule: Spark's own, or one of Holdfast's policies.
  *
  * @param holdfast whether Holdfast is switched on
  * @param equal whether foreground and background have equal pools, instead of a foreground with all the weight and the minimum
  *   share, and a priority
  * @param colour of it in all plots
  * @param conf its keys
  */
final case class Setting(
    title: String,
    holdfast: Boolean,
    colour: String,
    conf: Map[String, String] = Map.empty,
    equal: Boolean = false
)
