package io.holdfast.integration.masters

import java.nio.file.Path

import io.holdfast.integration.cluster.StandaloneCluster

/** Spark's own master and workers. */
class StandaloneSpec extends MasterSuite[StandaloneCluster] {

  override protected def start(folder: Path): StandaloneCluster =
    StandaloneCluster.start(shape, folder, home = Some(MasterSuite.home), spare = 1)

  override protected def expectedScheduler(mode: String): String = "HoldfastScheduler"
  override protected def expectedBackend(mode: String): String = "StandaloneSchedulerBackend"
}
