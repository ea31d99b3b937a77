package io.holdfast.integration.masters

import java.nio.file.Path

import io.holdfast.integration.cluster.KubernetesMock

/** Spark's own backend for Kubernetes, against a mock of its API server. */
class KubernetesSpec extends MasterSuite[KubernetesMock] {

  override protected def start(folder: Path): KubernetesMock =
    KubernetesMock.start(shape, folder, MasterSuite.property("holdfast.kubernetes.classpath"), MasterSuite.home)

  override protected def expectedScheduler(mode: String): String = "HoldfastScheduler"
  override protected def expectedBackend(mode: String): String = "KubernetesClusterSchedulerBackend"

  // As if the image had it.
  override protected def named(mode: String, file: String): String = if (mode == "client") file else s"local://$file"
}
