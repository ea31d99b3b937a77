package io.holdfast

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}
import java.nio.file.StandardOpenOption.APPEND

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.sys.process.Process

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

/** What applications leave to each other. */
class HistorySpec extends AnyFunSuite {
  private val plan = Array(0, 1, 0, 0, 17)
  private val PatienceMillis = 120000L
  private val warnings = mutable.Buffer[String]()

  private def withFolder(body: Path => Unit): Unit = {
    warnings.clear()
    val folder = Files.createTempDirectory("holdfast-history-")
    try body(folder)
    finally {
      files(folder).foreach(Files.delete(_))
      Files.delete(folder)
    }
  }

  private def files(folder: Path): Seq[Path] = {
    val all = Files.list(folder)
    try all.iterator.asScala.toSeq.sortBy(_.toString)
    finally all.close()
  }

  private def open(dir: String, id: String = "app-1"): History = {
    val history = new History(dir, new Configuration, line => warnings.synchronized { warnings += line; () })
    history.start(id, null)
    history
  }

  /** What the engine would say: of each workflow one stage of so many tasks. */
  private def patterns(tasks: (Int, Int)*): Array[Byte] =
    tasks
      .map { case (id, n) => s"""{"workflow":$id,"steps":[[0,0,4000000000,$n,12]]}""" }
      .mkString("[", ",", "]")
      .getBytes(UTF_8)

  private def begin(history: History, id: Int, name: String): History.Seen =
    history.begins(new WorkflowRef(id, name, true), plan)

  /** An application that runs one workflow. */
  private def run(dir: String, name: String, tasks: Int): Unit = {
    val history = open(dir)
    begin(history, 1, name)
    history.close(patterns(1 -> tasks), PatienceMillis)
  }

  private def recalled(history: History, name: String, known: Int): Seq[Int] = {
    val until = System.nanoTime() + 20000000000L
    while (history.known < known && System.nanoTime() < until) Thread.sleep(5)
    history.recall(begin(history, 9, name)).asScala.map(_.tasks).toSeq
  }

  /** What a fresh application knows of these workflows. */
  private def recall(dir: String, known: Int, names: String*): Seq[Seq[Int]] = {
    val history = open(dir, "reader")
    try names.map(recalled(history, _, known))
    finally history.close(null, PatienceMillis)
  }

  test("a workflow of the same name and shape is known again, in another application") {
    withFolder { folder =>
      run(folder.toString, "etl", 40)
      val history = open(folder.toUri.toString)
      assert(recalled(history, "etl", 1) == Seq(40) && recalled(history, "other", 1).isEmpty)
      val other = history.begins(new WorkflowRef(3, "etl", true), Array(0, 1, 0, 0, 18))
      assert(history.recall(other).isEmpty, "its first job is another one")
      history.close(null, PatienceMillis)
      assert(warnings.isEmpty && files(folder).size == 1, "nothing learned, nothing written")
    }
  }

  test("two applications at once lose nothing, even under one id") {
    withFolder { folder =>
      val (a, b) = (open(folder.toString), open(folder.toString))
      begin(a, 1, "a")
      begin(b, 1, "b")
      b.close(patterns(1 -> 20), PatienceMillis)
      a.close(patterns(1 -> 10), PatienceMillis)
      assert(recall(folder.toString, 2, "a", "b") == Seq(Seq(10), Seq(20)))
      assert(files(folder).forall(_.getFileName.toString.matches("app-1-[0-9a-f]{8}\\.json")))
    }
  }

  test("of two runs the later counts") {
    withFolder { folder =>
      run(folder.toString, "etl", 10)
      Thread.sleep(5)
      run(folder.toString, "etl", 30)
      assert(recall(folder.toString, 1, "etl") == Seq(Seq(30)))
    }
  }

  test("a crash in the middle of a write costs that entry only") {
    withFolder { folder =>
      run(folder.toString, "whole", 8)
      val written = files(folder).head
      val line = Files.readAllLines(written).get(1)
      Files.write(written, line.take(line.length / 2).getBytes(UTF_8), APPEND)
      Files.writeString(folder.resolve(".app-2-00000000.json.tmp"), line.take(20))
      assert(recall(folder.toString, 1, "whole") == Seq(Seq(8)))
      assert(warnings.size == 1 && warnings.head.contains("line 3 is damaged"), warnings)
    }
  }

  test("other versions and other people's files are skipped, with one notice") {
    withFolder { folder =>
      run(folder.toString, "etl", 8)
      val text = Files.readString(files(folder).head)
      Files.writeString(folder.resolve("future.json"), text.replace("history\":1", "history\":2").replace("etl", "new"))
      Files.writeString(folder.resolve("foreign.json"), "[]\n")
      Files.writeString(folder.resolve("notes.txt"), "not ours")
      assert(recall(folder.toString, 1, "etl", "new") == Seq(Seq(8), Nil))
      assert(warnings.size == 1 && warnings.head.contains("and 1 more"), warnings)
    }
  }

  test("numbers out of range are no entry") {
    withFolder { folder =>
      val head = """{"holdfast_history":1,"application":"a"}"""
      val rows = Seq("[0,0,1,0,5]", "[0,0,4294967296,1,5]", "[0,-1,1,1,5]", "[0,0,1,1]", "[0,0,1.5,1,1]").map { step =>
        s"""{"workflow":"w","shape":"s","when":1,"runs":1,"steps":[$step]}"""
      }
      Files.writeString(folder.resolve("a.json"), (head +: rows).mkString("\n"))
      recall(folder.toString, 0, "w")
      assert(warnings.size == 1 && warnings.head.contains("line 2 is damaged and 4 more"), warnings)
    }
  }

  test("a folder that is not there is made; one that cannot be is named once, and everything goes on") {
    withFolder { folder =>
      val made = folder.resolve("a")
      run(made.toString, "etl", 8)
      assert(recall(made.toString, 1, "etl") == Seq(Seq(8)) && warnings.isEmpty)
      val file = files(made).head
      Seq(s"$file/below", "nowhere://host/x", "a b://[").foreach { wrong =>
        warnings.clear()
        run(wrong, "etl", 8)
        assert(warnings.size == 1 && warnings.head.startsWith(s"spark.holdfast.history.dir=$wrong "), warnings)
      }
      Files.delete(file)
      Files.delete(made)
    }
  }

  /** Begins a job with one task set; what the engine hears of it. */
  private def submit(jobs: Jobs, said: mutable.Buffer[Seq[Int]], id: Int, name: String, recurs: Boolean): Seq[Int] = {
    said.clear()
    val identity = new Identity(name, true, 5, Settings.ONE, 0, null, recurs, null, null, null)
    val job = jobs.submit(id, identity, null, true)
    jobs.planned(job, plan)
    jobs.begin(job, 0, false, new SetRef.Shape(1, 0, Array(1000, 0, 0, 0), NativeEngine.RESULT, () => false))
    said.map(_.head).toSeq
  }

  test("a name that recurs is recalled once, before its first task set; one that does not is neither told nor kept") {
    withFolder { folder =>
      run(folder.toString, "etl", 40)
      run(folder.toString, "sql:1", 40)
      val history = open(folder.toString)
      recalled(history, "", 2)
      val said = mutable.Buffer[Seq[Int]]()
      val steps: Jobs.Steps = (kind, a, b, c, d, e, f) => {
        said += Seq(kind, a, b, c, d, e, f)
        ()
      }
      import NativeEngine.{JOB_SUBMITTED, RECALLED, SET_SUBMITTED, STAGE_PLANNED, WORKFLOW_OPENED}
      val opened = Seq(WORKFLOW_OPENED, JOB_SUBMITTED)
      val begun = Seq(STAGE_PLANNED, SET_SUBMITTED)
      val jobs = new Jobs(steps, (_, _, _) => (), history)
      assert(submit(jobs, said, 0, "etl", recurs = true) == (opened :+ RECALLED) ++ begun)
      assert(said(2) == Seq(RECALLED, 0, 0, 0, 4000000000L.toInt, 40, 12))
      assert(submit(jobs, said, 1, "etl", recurs = true) == opened ++ begun, "once")
      assert(submit(jobs, said, 2, "sql:1", recurs = false) == opened ++ begun)
      history.close(patterns(0 -> 50, 1 -> 60), PatienceMillis)
      assert(recall(folder.toString, 2, "etl", "sql:1") == Seq(Seq(50), Seq(40)))
    }
  }

  test("a history is its owner's, and a link in its place is not followed") {
    withFolder { folder =>
      val elsewhere = Files.writeString(folder.resolve("elsewhere.txt"), "not ours")
      val written = new HistoryFolder(folder.toString, new Configuration)
      Seq("x", "y").foreach { text =>
        Files.createSymbolicLink(folder.resolve(".a.json.tmp"), elsewhere)
        written.write("a.json", text)
        assert(Files.readString(folder.resolve("a.json")) == text && Files.readString(elsewhere) == "not ours")
      }
      assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a.json"))) == "rw-------")
    }
  }

  test("a pipe and a link in the folder are not read") {
    withFolder { folder =>
      run(folder.toString, "etl", 8)
      assert(Process(Seq("mkfifo", folder.resolve("pipe.json").toString)).! == 0)
      Files.createSymbolicLink(folder.resolve("link.json"), folder.resolve("pipe.json"))
      assert(recall(folder.toString, 1, "etl") == Seq(Seq(8)) && warnings.isEmpty)
    }
  }

  test("a history that is too large is refused, with one notice, and the others count") {
    val head = """{"holdfast_history":1,"application":"a"}"""
    def entry(name: String) = s"""{"workflow":"$name","shape":"s","when":1,"runs":1,"steps":[[0,0,1,2,5]]}"""
    Seq(
      "it is larger than 4 MiB" -> (head +: Seq.fill(60)(" " * (80 << 10))).mkString("\n"),
      "it has more than 256 workflows" -> (head +: (1 to 300).map(i => entry(s"w$i"))).mkString("\n"),
      "line 2 is damaged" -> s"$head\n${entry("w" * (16 << 10))}"
    ).foreach { case (why, text) =>
      withFolder { folder =>
        run(folder.toString, "etl", 8)
        Files.writeString(folder.resolve("large.json"), text)
        assert(recall(folder.toString, 1, "etl") == Seq(Seq(8)))
        assert(warnings.size == 1 && warnings.head.contains(s"large.json: $why"), warnings)
      }
    }
  }

  test("histories that are too large together are read as far as the bound, the newest first") {
    withFolder { folder =>
      val line = s"""{"workflow":"w","shape":"s","when":1,"runs":1,"steps":[]}"""
      val text =
        (s"""{"holdfast_history":1,"application":"a"}""" +: Seq.fill(255)(line.padTo(16000, ' '))).mkString("\n")
      (1 to 5).foreach { i =>
        val file = Files.writeString(folder.resolve(s"$i.json"), text)
        Files.setLastModifiedTime(file, FileTime.fromMillis(i * 1000L))
      }
      recall(folder.toString, 1, "w")
      assert(warnings.size == 1 && warnings.head.contains("1.json: with all older ones"), warnings)
    }
  }

  test("without the key nothing is kept") {
    val history = open(null)
    assert(begin(history, 1, "etl") == null && history.known == 0)
    history.close(patterns(1 -> 3), PatienceMillis)
  }

  test("an application leaves no more than its latest 256 workflows") {
    withFolder { folder =>
      val history = open(folder.toString)
      val ids = 1 to History.MOST_WORKFLOWS + 5
      ids.foreach(id => begin(history, id, s"w$id"))
      history.close(patterns(ids.map(_ -> 2): _*), PatienceMillis)
      assert(Files.readAllLines(files(folder).head).size == 1 + History.MOST_WORKFLOWS)
    }
  }
}
