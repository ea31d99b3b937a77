package io.holdfast.integration.masters

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.cluster.YarnCluster
import io.holdfast.integration.measure.{HoldfastStatus, HoldsResult}
import io.holdfast.integration.scenarios._
import org.apache.spark.SparkEnv

/** What is tried on every master, each step beside what those before it left behind. */
class MasterSteps(app: App, executors: Int, slotsEach: Int) {
  private val slots = executors * slotsEach
  private val priority = "spark.holdfast.priority" -> "5"

  def run(name: String): Step = {
    // An executor that a step before this one has lost comes back.
    if (name != "dynamic" && name != "node") awaitSlots(name)
    val step = name match {
      case "used" => counted(used())
      case "expired" => counted(expired())
      case "executor" => counted(losing(name)(kill))
      case "node" => counted(losing(name)(loseNode))
      case "decommissioned" => counted(decommissioned())
      case "racks" => counted(racks())
      case "dynamic" => counted(dynamic())
    }
    step
  }

  private def held: Long = HoldfastStatus.read().holds.left

  /** Ends when nothing is held any more. */
  private def counted(step: => Step): Step = {
    val before = HoldfastStatus.readWhenIdle()
    val seen = step
    seen.copy(holds = HoldfastStatus.readWhenIdle().since(before).holds)
  }

  private def seen(launched: Int, stolen: Int = 0, elsewhere: Int = 0, localities: Seq[String] = Nil) =
    Step(HoldsResult(0, 0, 0, 0, 0, 0), launched, stolen, elsewhere, localities)

  /** Until tasks run on as many slots as there should be. */
  private def awaitSlots(name: String): Unit = {
    val (role, together) = (s"slots-$name", app.gate())
    val program = app.start(role)(app.stage(slots)(_ => together.await()).count())
    app.awaitRunning(role, slots)
    together.open()
    program.result: Unit
  }

  private def besideCrowd(role: String): Step = {
    val (own, stolen) = new Chain(app, slots).beside(role, priority)
    seen(own.size, stolen.size)
  }

  private def used(): Step = besideCrowd("used")

  /** A program between two actions that never comes to the second. */
  private def expired(): Step = {
    val gate = app.gate()
    val important =
      app.start("expired", priority, "spark.jobGroup.id" -> "etl")(app.stage(slots)(_ => gate.await()).count())
    app.awaitRunning("expired", slots)
    val crowd = new Crowd(app).start()
    gate.open()
    important.result
    Wait.until("a hold on every slot")(held == slots)
    val stolen = app.launches.running(Crowd.Role)
    app.awaitRunning(Crowd.Role, slots)
    crowd.stop()
    app.drain()
    seen(app.launches.of("expired").size, stolen)
  }

  /** An executor goes with holds on it, and with what has finished there. */
  private def losing(role: String)(lose: (Path, Launch) => Unit): Step = {
    val folder = Files.createDirectory(app.folder.resolve(role))
    val base = folder.toString
    val all = Gate(s"$base/all")
    val important = app.start(role, priority) {
      val first = app.stage(slots) { _ =>
        val me = SparkEnv.get.executorId
        Files.writeString(Paths.get(base, s"pid-$me"), ProcessHandle.current().pid().toString)
        Wait.until("the executor's gate")(all.isOpen || Gate(s"$base/$me").isOpen)
      }
      Programs.next(first, slots)(_ => Thread.sleep(100)).sum()
    }
    app.awaitRunning(role, slots)
    val crowd = new Crowd(app).start()
    val victim = app.launches.of(role).head
    Gate(s"$base/${victim.executor}").open()
    Wait.until("holds on the executor")(held == slotsEach)
    lose(folder, victim)
    app.await("the loss of the executor")(app.launches.gone.contains(victim.executor))
    Wait.until("the end of its holds")(held == 0)
    all.open()
    require(important.result == (0 until slots).sum.toDouble)
    crowd.stop()
    app.drain()
    val own = app.launches.of(role)
    seen(own.size, elsewhere = own.drop(slots).count(_.executor == victim.executor))
  }

  private def kill(folder: Path, victim: Launch): Unit = {
    val pid = Files.readString(folder.resolve(s"pid-${victim.executor}")).trim.toLong
    ProcessHandle.of(pid).get.destroyForcibly(): Unit
  }

  /** Only who started the cluster can do that. */
  private def loseNode(folder: Path, victim: Launch): Unit = {
    val told = Files.writeString(folder.resolve("host.partial"), victim.host)
    Files.move(told, folder.resolve(MasterSteps.LostHost)): Unit
  }

  /** An executor leaves in good order while its slots are held. */
  private def decommissioned(): Step = {
    val role = "decommissioned"
    val (early, late) = (app.gate(), app.gate())
    val important = app.start(role, priority) {
      val first = app.stage(slots)(i => if (i == 0) early.await() else late.await())
      Programs.next(first, slots)(_ => ()).count()
    }
    app.awaitRunning(role, slots)
    val crowd = new Crowd(app).start()
    early.open()
    Wait.until("a hold")(held == 1)
    app.drain()
    val leaving = app.launches.of(role).find(_.index == 0).get.executor
    Internals.decommission(app.sc, leaving)
    // At once: soon the executor is gone, and its holds with it whatever we do.
    require(held == 0 && !app.launches.gone.contains(leaving), s"$held holds after the decommissioning")
    late.open()
    important.result
    crowd.stop()
    app.await("the executor's end")(app.launches.gone.contains(leaving))
    val own = app.launches.of(role)
    seen(own.size, elsewhere = own.drop(slots).count(_.executor == leaving))
  }

  /** A task that wants a host on which nothing runs, in the rack of one on which something does. */
  private def racks(): Step = {
    val host = app.launches.all.last.host
    val there = Seq(0 -> Seq(YarnCluster.neighbour(host)))
    app.run("racks", priority)(app.sc.makeRDD(there).count())
    app.drain()
    val own = app.launches.of("racks")
    seen(own.size, elsewhere = own.count(_.host != host), localities = own.map(_.locality))
  }

  /** Executors come when tasks wait for them, and go when they idle: nothing that is held may be in their way. */
  private def dynamic(): Step = {
    val step = besideCrowd("dynamic")
    app.await("the end of all idle executors")(app.launches.cores.keySet == app.launches.gone)
    require(held == 0, "a hold is left without an executor")
    app.run("afterwards", priority)(app.stage(slots)(_ => ()).count())
    step
  }
}

object MasterSteps {

  /** A file in the step's folder: the host that a test is to lose. */
  val LostHost = "host"
}
