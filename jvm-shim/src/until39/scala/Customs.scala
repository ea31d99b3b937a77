package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.resource.{ResourceInformation, ResourceProfile}
import org.apache.spark.scheduler.WorkerOffer

/** Custom resources (for example GPUs), in thousandths; the engine knows the first two names it is told. This Spark
  * lists an address as often as tasks may share it, so amounts count such entries.
  */
private[holdfast] object Customs {

  /** What a task is given: addresses by resource name. */
  type Assignments = Map[String, ResourceInformation]

  private val names = new CustomNames
  private val none = Array(0, 0)

  def demand(profile: ResourceProfile): Array[Int] = {
    val asked = profile.getCustomTaskResources()
    if (asked.isEmpty) none
    else names.place(asked.map { case (name, _) => name -> profile.getSchedulerTaskResourceAmount(name).toDouble })
  }

  def free(offer: WorkerOffer): Array[Int] =
    if (offer.resources.isEmpty) none
    else names.place(offer.resources.map { case (name, addresses) => name -> addresses.size.toDouble })
}
