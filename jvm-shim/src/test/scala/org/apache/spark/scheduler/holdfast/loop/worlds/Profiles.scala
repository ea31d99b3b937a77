package org.apache.spark.scheduler.holdfast.loop

import org.apache.spark.SparkContext
import org.apache.spark.resource.{ResourceProfile, ResourceProfileManager, TaskResourceProfile, TaskResourceRequests}
import org.apache.spark.scheduler.holdfast.spark40.Line

/** Resource profiles of tasks alone: they run on executors of the default one, and take so many cores. */
private[loop] object Profiles {
  val MostCpus = 3
  private val byCpus =
    (1 to MostCpus).map(cpus => cpus -> new TaskResourceProfile(new TaskResourceRequests().cpus(cpus).requests)).toMap

  /** The profile of tasks of so many cores, or the default one. */
  def id(cpus: Option[Int]): Int = cpus.fold(ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID)(byCpus(_).id)

  /** The context knows these profiles, and a default one as its configuration says it now. */
  def install(sc: SparkContext): Unit = {
    ResourceProfile.clearDefaultProfile()
    // Local masters, as the context's is, have no such profiles.
    val manager = new ResourceProfileManager(sc.conf.clone.setMaster("spark://loop"), sc.listenerBus)
    byCpus.values.foreach(manager.addResourceProfile)
    Line.profileManagerField.foreach { field =>
      field.setAccessible(true)
      field.set(sc, manager)
    }
  }
}
