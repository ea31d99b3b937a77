package io.holdfast.history

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.nio.file.attribute.{FileTime, PosixFilePermissions}
import java.nio.file.StandardOpenOption.APPEND

import scala.sys.process.Process

import org.apache.hadoop.conf.Configuration

/** What applications leave to each other. */
class HistorySpec extends HistoryFixture {
  test("a workflow of the same name and shape is known again, in another application") {
    withFolder { folder =>
      run(folder.toString, "etl", 40)
      val history = open(folder.toUri.toString)
      assert(recalled(history, "etl", 1) == Seq(40) && recalled(history, "other", 1).isEmpty)
      val other = history.begins(3, "etl", Array(0, 1, 0, 0, 18))
      assert(history.recall(other).isEmpty, "its first job is another one")
      history.close(nothing, PatienceMillis)
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

  test("of a workflow with many steps the latest stay") {
    withFolder { folder =>
      val history = open(folder.toString)
      begin(history, 1, "w")
      val steps = (1 to 70).map(i => s"[0,$i,4000000000,$i,12]").mkString(",")
      history.close(new History.Learned(s"""[{"workflow":1,"steps":[$steps]}]""".getBytes, null), PatienceMillis)
      assert(recall(folder.toString, 1, "w") == Seq(7 to 70))
    }
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
