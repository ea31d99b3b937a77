package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler.WorkerOffer

/** Custom resources (for example GPUs), in thousandths; the engine knows the first two names it is told. */
private[holdfast] object Customs {

  /** What a task is given: addresses and amounts by resource name. */
  type Assignments = Map[String, Map[String, Long]]

  private val names = new CustomNames
  private val none = Array(0, 0)

  def demand(profile: ResourceProfile): Array[Int] = {
    val asked = profile.getCustomTaskResources()
    if (asked.isEmpty) none else names.place(asked.map { case (name, request) => name -> request.amount })
  }

  def free(offer: WorkerOffer): Array[Int] = {
    val amounts = offer.resources.availableResources
    if (amounts.isEmpty) none else names.place(amounts.map { case (name, addresses) => name -> addresses.values.sum })
  }
}
