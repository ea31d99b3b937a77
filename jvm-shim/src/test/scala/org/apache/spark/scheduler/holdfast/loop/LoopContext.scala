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
  private val console = System.err

  def run(world: World, variant: Variant): Outcome = {
    // A scheduler reads Spark's own keys from its context.
    world.spark.foreach { case (key, value) => sc.conf.set(key, value) }
    // Each session has a banner and a summary.
    System.setErr(new PrintStream(OutputStream.nullOutputStream()))
    try new Run(this, world, variant).go()
    finally {
      System.setErr(console)
      world.spark.keys.foreach(sc.conf.remove(_))
    }
  }

  /** All logs since the last call go through a fresh engine, which must decide the same. Answers how many there were. */
  def replay(): Int = {
    val all = written
    all.grouped(LoopContext.LogsAtOnce).foreach { some =>
      val said = new StringBuilder
      val logger = ProcessLogger(line => said.append(line).append('\n'))
      val code = Process(Seq(sys.props("holdfast.cli"), "replay") ++ some.map(_.toString)).!(logger)
      if (code != 0) throw new LoopFailure(s"the engine alone decides otherwise (logs are in $logs):\n$said")
    }
    forget()
    all.size
  }

  private def written: Vector[Path] = Using.resource(Files.list(logs))(_.iterator.asScala.toVector)

  /** The logs since the last [[replay]] are of no interest. */
  def forget(): Unit = written.foreach(Files.delete(_))

  override def close(): Unit = {
    sc.stop()
    forget()
    Files.delete(logs)
  }
}

private object LoopContext {
  val LogsAtOnce = 200
}
