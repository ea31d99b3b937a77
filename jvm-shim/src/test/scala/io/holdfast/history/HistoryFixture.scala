package io.holdfast.history

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

/** Applications that leave histories in a folder. */
trait HistoryFixture extends AnyFunSuite {
  protected val plan = Array(0, 1, 0, 0, 17)
  protected val PatienceMillis = 120000L
  protected val warnings = mutable.Buffer[String]()

  protected def withFolder(body: Path => Unit): Unit = {
    warnings.clear()
    val folder = Files.createTempDirectory("holdfast-history-")
    try body(folder)
    finally {
      files(folder).foreach(Files.delete(_))
      Files.delete(folder)
    }
  }

  protected def files(folder: Path): Seq[Path] = {
    val all = Files.list(folder)
    try all.iterator.asScala.toSeq.sortBy(_.toString)
    finally all.close()
  }

  protected def open(dir: String, id: String = "app-1"): History = {
    val history = new History(dir, new Configuration, line => warnings.synchronized { warnings += line; () })
    history.start(id, null)
    history
  }

  /** What the engine would say: of each workflow one stage of so many tasks. */
  protected def patterns(tasks: (Int, Int)*): History.Learned = {
    val rows = tasks.map { case (id, n) => s"""{"workflow":$id,"steps":[[0,0,4000000000,$n,12]]}""" }
    new History.Learned(rows.mkString("[", ",", "]").getBytes(UTF_8), null)
  }

  /** What the engine would say of so many tasks' bounded jobs. */
  protected def samples(tasks: Int*): History.Learned = {
    val rows = tasks.map(n => s"[2,$n,8,500000,700000,1200]")
    new History.Learned("[]".getBytes(UTF_8), rows.mkString("[", ",", "]").getBytes(UTF_8))
  }

  protected def begin(history: History, id: Int, name: String): History.Seen =
    history.begins(id, name, plan)

  /** As when the engine has forgotten all, and none has run for a while. */
  protected def forget(history: History): Unit = {
    history.seen.values.forEach(_.when = 0)
    history.learn("[]".getBytes(UTF_8))
    ()
  }

  /** An application that runs one workflow. */
  protected def run(dir: String, name: String, tasks: Int): Unit = {
    val history = open(dir)
    begin(history, 1, name)
    history.close(patterns(1 -> tasks), PatienceMillis)
  }

  protected def recalled(history: History, name: String, known: Int): Seq[Int] = {
    val until = System.nanoTime() + 20000000000L
    while (history.known < known && System.nanoTime() < until) Thread.sleep(5)
    history.recall(begin(history, 9, name)).asScala.map(_.tasks).toSeq
  }

  /** What a fresh application knows of these workflows. */
  protected def recall(dir: String, known: Int, names: String*): Seq[Seq[Int]] = {
    val history = open(dir, "reader")
    try names.map(recalled(history, _, known))
    finally history.close(nothing, PatienceMillis)
  }

  protected val nothing: History.Learned = History.Learned.NOTHING
}
