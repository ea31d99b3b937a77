package org.apache.spark.scheduler.holdfast.loop

import java.io.{OutputStream, PrintStream}
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.sys.process.{Process, ProcessLogger}
import scala.util.Using

import org.apache.spark.{SparkConf, SparkContext}

/** One quiet SparkContext for many runs. */
private[loop] class LoopContext extends AutoCloseable {
  val sc: SparkContext = new SparkContext(
    new SparkConf().setMaster("local[1]").setAppName("loop").set("spark.ui.enabled", "false")
  )
  sc.setLogLevel("OFF")
  val dag = new LoopDag(sc)

  /** Of the decision logs that have not been replayed yet. */
  val logs: Path = Files.createTempDirectory("holdfast-loop")
  private val poolsFile = Files.createTempFile("holdfast-pools", ".xml")
  private val console = System.err

  /** Cores of a task in the default profile. */
  private var cpus = 1
  Profiles.install(sc)

  def run(world: World, variant: Variant): Outcome = {
    // A scheduler reads Spark's own keys from its context.
    val conf = world.spark ++ allocation(world)
    conf.foreach { case (key, value) => sc.conf.set(key, value) }
    if (world.taskCpus != cpus) {
      cpus = world.taskCpus
      Profiles.install(sc)
    }
    // Each session has a banner and a summary.
    System.setErr(new PrintStream(OutputStream.nullOutputStream()))
    try new Run(this, world, variant).go()
    finally {
      System.setErr(console)
      conf.keys.foreach(sc.conf.remove(_))
    }
  }

  /** The file that describes the world's pools. */
  private def allocation(world: World): Option[(String, String)] =
    if (world.pools.isEmpty) None
    else {
      val pools = world.pools.map { pool =>
        val mode = if (pool.fair) "FAIR" else "FIFO"
        s"<pool name='${pool.name}'><schedulingMode>$mode</schedulingMode><weight>${pool.weight}</weight>" +
          s"<minShare>${pool.minShare}</minShare></pool>"
      }
      Files.writeString(poolsFile, pools.mkString("<allocations>", "", "</allocations>"))
      Some("spark.scheduler.allocation.file" -> poolsFile.toUri.toString)
    }

  /** All logs since the last call go through a fresh engine, which must decide the same. Answers how many there were.
    *
    * @param twins
    *   so many of them are played against the engine's naive twin, too, and all invariants are checked after each step
    */
  def replay(twins: Int = 0): Int = {
    val all = written
    through(Seq(sys.props("holdfast.cli"), "replay"), all, "the engine alone decides otherwise")
    through(twin(), all.take(twins), "the twin decides otherwise, or an invariant is broken")
    forget()
    all.size
  }

  /** Whether the twin differs from the logs since the last [[replay]] if it has a bug. */
  def noticed(bug: String): Boolean = run(twin("--bug", bug), written).nonEmpty

  private def twin(options: String*): Seq[String] = sys.props("holdfast.twin") +: options

  private def through(command: Seq[String], logs: Seq[Path], what: String): Unit =
    logs.grouped(LoopContext.LogsAtOnce).foreach { some =>
      run(command, some).foreach { said =>
        val kept = Files.createTempDirectory("holdfast-loop-differs")
        some.foreach(log => Files.move(log, kept.resolve(log.getFileName)))
        throw new LoopFailure(s"$what (logs are in $kept):\n$said")
      }
    }

  /** What the command said, if it found something. */
  private def run(command: Seq[String], logs: Seq[Path]): Option[String] = {
    val said = new StringBuilder
    val logger = ProcessLogger(line => said.append(line).append('\n'))
    if (Process(command ++ logs.map(_.toString)).!(logger) == 0) None else Some(said.toString)
  }

  private def written: Vector[Path] = Using.resource(Files.list(logs))(_.iterator.asScala.toVector)

  /** The logs since the last [[replay]] are of no interest. */
  def forget(): Unit = written.foreach(Files.delete(_))

  override def close(): Unit = {
    sc.stop()
    forget()
    Files.delete(logs)
    Files.delete(poolsFile)
  }
}

private object LoopContext {
  val LogsAtOnce = 200
}
