package io.holdfast.history

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/** What bounded jobs of an application teach the next one. */
class SamplesSpec extends HistoryFixture {
  private val head = """{"holdfast_history":1,"application":"a"}"""

  /** The tasks of the jobs that a fresh application is told of. */
  private def told(history: History, wanted: Boolean = true): Seq[Int] = {
    val until = System.nanoTime() + 20000000000L
    var told = history.recallSamples()
    while (wanted && told.isEmpty && System.nanoTime() < until) {
      Thread.sleep(5)
      told = history.recallSamples()
    }
    told.asScala.map(_.tasks).toSeq
  }

  private def teach(folder: Path, tasks: Int*): Unit = {
    val history = open(folder.toString)
    history.close(samples(tasks: _*), PatienceMillis)
  }

  private def learn(folder: Path): Seq[Int] = {
    val history = open(folder.toString, "reader")
    try told(history)
    finally history.close(nothing, PatienceMillis)
  }

  test("the next application is told samples once, and leaves only its own") {
    withFolder { folder =>
      teach(folder, 40, 50)
      Thread.sleep(5)
      val second = open(folder.toString)
      assert(told(second) == Seq(40, 50) && second.toldSamples == 2)
      assert(told(second, wanted = false).isEmpty, "once")
      second.close(samples(40, 50, 40, 60), PatienceMillis)
      assert(learn(folder).sorted == Seq(40, 40, 50, 60))
      assert(warnings.isEmpty && files(folder).size == 2)
    }
  }

  test("samples and workflows share a file, and neither needs the other") {
    withFolder { folder =>
      val history = open(folder.toString)
      begin(history, 1, "etl")
      history.close(new History.Learned(patterns(1 -> 8).patterns, samples(40).samples), PatienceMillis)
      assert(recall(folder.toString, 1, "etl") == Seq(Seq(8)) && learn(folder) == Seq(40))
      val silent = open(folder.toString)
      silent.close(samples(), PatienceMillis)
      assert(files(folder).size == 1, "nothing learned, nothing written")
    }
  }

  test("a damaged line of samples costs these, with one notice") {
    withFolder { folder =>
      teach(folder, 40)
      val rows = Seq(
        "[4,1,1,1,1,1]",
        "[0,0,1,1,1,1]",
        "[0,1,-1,1,1,1]",
        "[0,1,1,1000001,1,1]",
        "[0,1,1,1,1]",
        "[0,1,1.5,1,1,1]",
        "[0,1,1,1,1,2147483648]",
        Seq.fill(129)("[0,1,1,1,1,1]").mkString(",")
      ).map(row => s"""{"when":1,"samples":[$row]}""")
      val whole = """{"when":1,"samples":[[0,70,1,1,1,1]]}"""
      val cut = """{"when":1,"samples":[[0,7"""
      Files.writeString(folder.resolve("a.json"), ((head +: rows) ++ Seq(whole, cut)).mkString("\n"))
      assert(learn(folder).sorted == Seq(40, 70))
      assert(warnings.size == 1 && warnings.head.contains("line 2 is damaged and 8 more"), warnings)
    }
  }

  test("no more samples are read of a file than an application leaves, and none are told beyond the newest") {
    withFolder { folder =>
      def lines(tasks: Int, n: Int) =
        Seq.fill(n)(s"""{"when":1,"samples":[${Seq.fill(128)(s"[0,$tasks,1,1,1,1]").mkString(",")}]}""")
      Files.write(folder.resolve("a.json"), (head +: lines(1, 19)).asJava, UTF_8)
      Files.write(folder.resolve("b.json"), (head +: lines(2, 10)).asJava, UTF_8)
      Files.setLastModifiedTime(folder.resolve("a.json"), java.nio.file.attribute.FileTime.fromMillis(1000))
      assert(learn(folder) == Seq.fill(2304 - 1280)(1) ++ Seq.fill(1280)(2))
      assert(warnings.size == 1 && warnings.head.contains("a.json: it has more than 2304 samples"), warnings)
    }
  }
}
