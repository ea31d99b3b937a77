package io.holdfast.history

import java.nio.file.{Files, Path}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import io.holdfast.{Holdfast, HoldfastPlugin}
import io.holdfast.notice.Heard
import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.conf.Configuration
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

/** A history on a file system that is not the local one, and answers as a remote one may. */
class RemoteHistorySpec extends AnyFunSuite {
  private val hadoop = new Configuration
  hadoop.set(StrictFileSystem.Key._1, StrictFileSystem.Key._2)

  /** A new folder here, and its address there. */
  private def folder(name: String = "history"): (Path, String) = {
    val here = Files.createDirectory(Files.createTempDirectory("holdfast-remote-").resolve(name))
    (here, s"${StrictFileSystem.Scheme}://$here")
  }

  private def files(folder: Path): Seq[String] = {
    val all = Files.list(folder)
    try all.iterator.asScala.map(_.getFileName.toString).toSeq.sorted
    finally all.close()
  }

  /** An application that runs one workflow of two jobs, the second of so many tasks. */
  private def application(dir: String, workflow: String, remembers: Int = 0, tasks: Int = 3): Unit = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("history")
      .set("spark.ui.enabled", "false")
      .set("spark.plugins", classOf[HoldfastPlugin].getName)
      .set("spark.holdfast.history.dir", dir)
      .set(s"spark.hadoop.${StrictFileSystem.Key._1}", StrictFileSystem.Key._2)
    val sc = new SparkContext(conf)
    try {
      val until = System.nanoTime() + 30000000000L
      while (remembered < remembers && System.nanoTime() < until) Thread.sleep(5)
      assert(remembered == remembers)
      sc.setLocalProperty("spark.holdfast.workflow", workflow)
      sc.setLocalProperty("spark.holdfast.priority", "5")
      assert(sc.parallelize(1 to 10, 2).count() == 10 && sc.parallelize(1 to 10, tasks).count() == 10)
    } finally {
      sc.stop()
      // The stop waits for the last file only a little, and the next application reads it.
      Thread.getAllStackTraces.keySet.asScala.filter(_.getName == "holdfast-history").foreach(_.join(60000))
    }
  }

  private def remembered: Int = new ObjectMapper().readTree(Holdfast.status()).get("remembered").asInt

  test("applications leave their workflows there, and a later one knows those of all") {
    val (here, dir) = folder()
    val warnings = Heard.during {
      application(dir, "etl")
      application(dir, "report", remembers = 1)
      application(dir, "etl", remembers = 2)
    }
    assert(warnings.isEmpty)
    assert(files(here).size == 3 && files(here).forall(_.endsWith(".json")))
  }

  test("a file that is there is replaced where no rename replaces anything and FileContext knows nothing") {
    val (here, dir) = folder()
    val before = StrictFileSystem.renamed.get
    val written = new HistoryFolder(dir, hadoop)
    def remembered = {
      val skipped = mutable.Buffer[String]()
      val found = written.read((name, what) => { skipped += s"$name: $what"; () })
      assert(skipped.isEmpty)
      found.workflows.values.asScala.map(_.runs).toSeq
    }
    Seq(1, 2).foreach { runs =>
      val key = new Remembered.Key("etl", "00000001")
      val entry = new Remembered(key, 7L, runs, java.util.List.of(new Remembered.Step(0, 0, 1, 4, 5)))
      written.write("a.json", HistoryFile.write("app", java.util.List.of(entry), java.util.List.of()))
      assert(remembered == Seq(runs) && files(here) == Seq("a.json"))
    }
    assert(StrictFileSystem.renamed.get == before + 2 && StrictFileSystem.refused.get == 0)
  }

  test("files of ours that are too old to be read are removed there, others are not, and a file is its owner's") {
    val (here, dir) = folder()
    val name = (i: Int) => f"app-1-$i%08x.json"
    val old = 1 to HistoryFolder.MOST_FILES + 7
    old.foreach { i =>
      Files.writeString(here.resolve(name(i)), "{}")
      Files.setLastModifiedTime(here.resolve(name(i)), FileTime.fromMillis(i * 1000L))
    }
    Files.writeString(here.resolve("others.json"), "{}")
    Files.setLastModifiedTime(here.resolve("others.json"), FileTime.fromMillis(0))
    new HistoryFolder(dir, hadoop).prune()
    assert(files(here).toSet == old.drop(7).map(name).toSet + "others.json")
    new HistoryFolder(dir, hadoop).write("a.json", "x")
    assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(here.resolve("a.json"))) == "rw-------")
  }

  test("a folder that may not be read is named once, and Spark goes on") {
    val (here, dir) = folder("forbidden")
    val warnings = Heard.during(application(dir, "etl"))
    assert(warnings.size == 1, warnings)
    val start = s"spark.holdfast.history.dir=$dir cannot be read ("
    assert(warnings.head.startsWith(start) && warnings.head.contains("Permission denied"))
    assert(warnings.head.contains("Holdfast goes on without it"))
    assert(files(here).isEmpty)
  }

  test("a file that may not be read is named, and those beside it count") {
    val (here, dir) = folder()
    application(dir, "etl")
    Files.copy(here.resolve(files(here).head), here.resolve("forbidden.json"))
    val warnings = Heard.during(application(dir, "report", remembers = 1))
    assert(warnings.size == 1, warnings)
    assert(warnings.head.contains("entries that are skipped (forbidden.json: "), warnings)
    assert(files(here).size == 3)
  }

  test("a file system that nobody knows is named once, and Spark goes on") {
    val warnings = Heard.during(application("nowhere://host/history", "etl"))
    assert(warnings.size == 1 && warnings.head.contains("nowhere://host/history cannot be read"), warnings)
  }
}
