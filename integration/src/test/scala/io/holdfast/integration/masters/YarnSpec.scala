package io.holdfast.integration.masters

import java.io.File
import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.cluster.YarnCluster
import io.holdfast.integration.scenarios.Wait

/** YARN's own daemons. */
class YarnSpec extends MasterSuite[YarnCluster] {

  override protected def start(folder: Path): YarnCluster = {
    val jars = MasterSuite.property("holdfast.hadoop.jars").split(File.pathSeparator).toSeq.map(Paths.get(_))
    YarnCluster.start(shape, folder, jars, MasterSuite.home)
  }

  override protected def expectedScheduler(mode: String): String =
    if (mode == "client") "YarnClientHoldfastScheduler" else "YarnClusterHoldfastScheduler"

  override protected def expectedBackend(mode: String): String =
    if (mode == "client") "YarnClientSchedulerBackend" else "YarnClusterSchedulerBackend"

  override protected def further: Seq[String] = Seq("racks")

  // The host that the task wants has no executor, and the one that it got is in the same rack.
  override protected def assertFurther(steps: Map[String, Step]): Unit =
    assert(steps("racks").localities == Seq("RACK_LOCAL") && steps("racks").elsewhere == 0): Unit

  override protected def beside(mode: String): Unit =
    test(s"$mode mode: a node is lost with holds on it; the log replays") {
      var lost = ""
      val outcome = run(
        mode,
        Seq("node"),
        meanwhile = folder => {
          val host = folder.resolve("node").resolve(MasterSteps.LostHost)
          Wait.until("the step that loses a node")(Files.exists(host))
          lost = Files.readString(host)
          cluster.crash(lost)
        }
      )
      assertLost(outcome.steps("node"))
      cluster.restart(lost)
    }
}
