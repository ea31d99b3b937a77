package io.holdfast.integration.plan

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include

/** A way to schedule: Spark's own, or one of Holdfast's policies.
  *
  * @param holdfast whether Holdfast is switched on
  * @param equal whether foreground and background have equal pools, instead of a foreground with all the weight and the minimum
  *   share, and a priority
  * @param colour of it in all plots
  * @param conf its keys
  * @param preemption whether jobs below their share get it by killing others' tasks
  * @param apart whether foreground and background are an application each, with half of the executors
  */
final case class Setting(
    title: String,
    holdfast: Boolean,
    colour: String,
    conf: Map[String, String] = Map.empty,
    equal: Boolean = false,
    @JsonInclude(Include.NON_ABSENT) preemption: Option[Preemption] = None,
    @JsonInclude(Include.NON_DEFAULT) apart: Boolean = false
)

/** Killing for a share, as Databricks documents it for shared clusters: a job that has had less than a part of its fair share for some
  * time gets that share, and tasks of jobs that have more than theirs are killed for it.
  *
  * @param threshold part of the fair share
  * @param timeoutS how long a job has had less
  * @param intervalS between two looks
  */
final case class Preemption(threshold: Double, timeoutS: Double, intervalS: Double) {
  require(
    threshold > 0 && threshold <= 1 && timeoutS > 0 && intervalS > 0,
    s"threshold is $threshold, timeout_s $timeoutS, interval_s $intervalS; give a threshold up to 1, and times above 0"
  )
}
