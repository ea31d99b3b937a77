package io.holdfast.session

import java.io.IOException
import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions
import java.util.Properties
import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicLong

import scala.jdk.CollectionConverters._
import scala.sys.process._

import io.holdfast.bridge.{DecisionLog, LogFile, NativeEngine, Wake}
import io.holdfast.config.Settings
import io.holdfast.history.History
import io.holdfast.notice.Heard
import org.scalatest.funsuite.AnyFunSuite

/** A disk can fail the decision log, and nothing else. */
class DecisionLogSpec extends AnyFunSuite {
  private val Millis = TimeUnit.MILLISECONDS.toNanos(1)
  private val LongestMillis = TimeUnit.MINUTES.toMillis(1)

  private def folder(): Path = Files.createTempDirectory("holdfast-decision-log")

  /** A session at a time that the test sets, and what is due in it. */
  private class InTime(log: DecisionLog.Opening, patience: Long = LongestMillis) extends Timekeeper {
    @volatile var now = 0L
    private var wake: Wake = _
    override def nanoTime(): Long = now * Millis
    override def keep(session: Session, wake: Wake): Unit = this.wake = wake
    override def patienceMillis(): Long = patience
    override def log(settings: Settings, applicationId: String): DecisionLog.Opening = log

    val session = {
      val settings = Settings.parse(Map.empty[String, String].asJava)
      new Session(settings, "none", History.of(settings, null), () => (), this)
    }
    session.open("app-1")
    assert(session.live)

    private def counter(name: String): Int = session.counters.get(name).intValue

    /** Holds a slot, and lets its hold end by the deadline. */
    def holdEndsInTime(): Unit = {
      session.beginRound(true)
      session.defineProfile(0, 0, 1000, 0, 0)
      session.offer("e", 0, 1000, 0, 0, false)
      val important = new Properties
      important.setProperty("spark.holdfast.priority", "10")
      // Of two stages each: its number, tasks, what follows, of which profile, signature.
      val plan = Array(11, 1, 1, 0, 1, 12, 1, 0, 0, 2)
      val set = session.submitted(1, 11, 1, 0, NativeEngine.SHUFFLE_MAP, false, important, false, plan, () => false)
      session.launched(set, 1001, 0, "e", true)
      session.freed(1001, NativeEngine.FINISHED)
      assert(counter("held") == 1)
      val deadline = wake.deadline
      now = deadline / Millis - 1
      Ticker.serve(session, wake.take(nanoTime()))
      assert(counter("held") == 1)
      now += 1
      Ticker.serve(session, wake.take(nanoTime()))
      assert(counter("held") == 0 && counter("expired") == 1 && session.live)
    }
  }

  private def finishes(body: => Unit): Unit = {
    @volatile var failure = Option.empty[Throwable]
    val thread = new Thread(() =>
      try body
      catch { case e: Throwable => failure = Some(e) }
    )
    thread.setDaemon(true)
    thread.start()
    thread.join(LongestMillis)
    assert(!thread.isAlive, thread.getStackTrace.mkString("\n"))
    failure.foreach(throw _)
  }

  private def replay(log: Path): String = {
    val cli = sys.props.getOrElse("holdfast.cli", "../target/debug/holdfast")
    Process(Seq(Paths.get(cli).toAbsolutePath.toString, "replay", log.toString)).!!
  }

  private def mode(file: Path): String = PosixFilePermissions.toString(Files.getPosixFilePermissions(file))

  /** Holds a slot with a log in this folder; answers what was warned of. */
  private def logged(in: Path): Seq[String] = Heard.during(finishes {
    val time = new InTime(() => LogFile.create(in.toFile, "app-1", 1 << 20, 1))
    time.holdEndsInTime()
    time.session.close()
  })

  private def names(in: Path): Set[String] = Files.list(in).iterator.asScala.map(_.getFileName.toString).toSet

  for (hangs <- Seq("opened", "written", "closed"))
    test(s"a disk that hangs when the log is $hangs holds up neither steps, deadlines nor the end") {
      val (reached, released) = (new CountDownLatch(1), new CountDownLatch(1))
      @volatile var writer: Thread = null
      def at(place: String): Unit = if (place == hangs) {
        writer = Thread.currentThread
        reached.countDown()
        released.await()
      }
      val opening: DecisionLog.Opening = () => {
        at("opened")
        new DecisionLog.Sink {
          override def write(block: Array[Byte]): Boolean = {
            at("written")
            true
          }
          override def close(): Unit = at("closed")
        }
      }
      val said = Heard.during(finishes {
        val time = new InTime(opening, patience = 1)
        if (hangs != "closed") reached.await()
        time.holdEndsInTime()
        time.session.close()
        reached.await()
        assert(writer.isAlive && writer.isDaemon && writer.getName == "holdfast-log")
      })
      assert(said.count(_.contains("the application ends without waiting for it")) == 1, said)
      released.countDown()
      writer.join(LongestMillis)
      assert(!writer.isAlive, "it ends with its disk's answer")
    }

  test("what waits for a disk that hangs is bounded: then the log is given up, with one warning") {
    val (reached, released) = (new CountDownLatch(1), new CountDownLatch(1))
    @volatile var writer: Thread = null
    @volatile var written = 0L
    val opening: DecisionLog.Opening = () => {
      writer = Thread.currentThread
      reached.countDown()
      released.await()
      new DecisionLog.Sink {
        override def write(block: Array[Byte]): Boolean = {
          written += block.length
          true
        }
        override def close(): Unit = ()
      }
    }
    val said = Heard.during(finishes {
      NativeEngine.drainNativeLog()
      val time = new InTime(opening, patience = 1)
      reached.await()
      val name = "x" * 1000
      // 20 MB; executors come and go.
      for (i <- 0 until 20000) {
        time.session.offer(name + i, 0, 1000, 0, 0, false)
        time.session.executorLost(name + i)
      }
      time.session.housekeeping()
      time.holdEndsInTime()
      time.session.close()
    })
    assert(said == Seq("the decision log is given up: 16 MiB wait for its disk"), said)
    released.countDown()
    writer.join(LongestMillis)
    assert(!writer.isAlive && written < 1000, "the block that was on its way, and nothing after the gap")
  }

  test("a full disk ends the log, with one warning, and nothing else") {
    assume(Files.exists(Paths.get("/dev/full")))
    val tried = new CountDownLatch(1)
    val opening: DecisionLog.Opening = () =>
      new DecisionLog.Sink {
        private val full = Files.newOutputStream(Paths.get("/dev/full"))
        override def write(block: Array[Byte]): Boolean = {
          full.write(block)
          true
        }
        override def close(): Unit = {
          full.close()
          tried.countDown()
        }
      }
    val said = Heard.during(finishes {
      val time = new InTime(opening)
      tried.await()
      time.holdEndsInTime()
      time.session.close()
    })
    assert(
      said.size == 1 && said.head.startsWith("the decision log is given up: ") && said.head.contains("space"),
      said
    )
  }

  test("a log folder that is none costs the log only") {
    val file = Files.createTempFile("holdfast-decision-log", "")
    val said = logged(file)
    assert(said.size == 1 && said.head.contains("the decision log is given up") && said.head.contains(file.toString))
    val folder = Files.createTempDirectory("holdfast-decision-log").resolve("a/b")
    assert(logged(folder).isEmpty && names(folder) == Set("app-1.hflog"))
  }

  test("a pipe without a reader, a link, a folder and an older log are left alone: the log gets the next name") {
    val in = folder()
    val file = in.resolve("app-1.hflog")
    val elsewhere = in.resolve("elsewhere")
    Seq[Path => Unit](
      pipe => assert(Process(Seq("mkfifo", pipe.toString)).! == 0),
      link => Files.createSymbolicLink(link, elsewhere),
      folder => Files.createDirectory(folder),
      older => Files.write(older, Array[Byte](1, 2, 3))
    ).foreach { make =>
      make(file)
      assert(logged(in).isEmpty && !Files.exists(elsewhere))
      val next = in.resolve("app-1.2.hflog")
      assert(mode(next) == "rw-------" && replay(next).contains("the same"))
      Files.delete(next)
      if (Files.isRegularFile(file)) assert(Files.size(file) == 3)
      Files.delete(file)
    }
  }

  test("a log is its owner's, and a later one of the same id gets a number") {
    val in = folder()
    (1 to 3).foreach(_ => assert(logged(in).isEmpty))
    assert(names(in) == Set("app-1.hflog", "app-1.2.hflog", "app-1.3.hflog"))
    names(in).foreach(name =>
      assert(mode(in.resolve(name)) == "rw-------" && replay(in.resolve(name)).contains("the same"))
    )
  }

  /** An application whose log takes two files of 50 KiB, if it may have them. */
  private def large(in: Path, parts: Int): Seq[String] = {
    val (written, refused) = (new AtomicLong, new AtomicLong)
    val opening: DecisionLog.Opening = () => {
      val file = LogFile.create(in.toFile, "app-1", 50 << 10, parts)
      new DecisionLog.Sink {
        override def write(block: Array[Byte]): Boolean = {
          val more = file.write(block)
          if (!more) refused.incrementAndGet()
          written.addAndGet(block.length.toLong)
          more
        }
        override def close(): Unit = file.close()
      }
    }
    Heard.during(finishes {
      val time = new InTime(opening)
      // Until the log's thread has come so far, however busy the machine is; a full log gets one more record.
      while (written.get < (60 << 10) || refused.get == 1) {
        time.session.offer("x" * 1000, 0, 1000, 0, 0, false)
        time.session.executorLost("x" * 1000)
        Thread.sleep(1)
      }
      time.holdEndsInTime()
      time.session.close()
    })
  }

  private def sizes(in: Path): Map[String, Long] = names(in).map(name => name -> Files.size(in.resolve(name))).toMap

  test("a large log goes on in further files, which are read as one by any of their names") {
    val in = folder()
    assert(large(in, parts = 100).isEmpty)
    val parts = names(in)
    assert(parts.contains("app-1.hflog.2") && parts.forall(name => mode(in.resolve(name)) == "rw-------"), parts)
    val told = parts.map(name => replay(in.resolve(name)))
    assert(told.size == 1 && told.head.contains("app-1.hflog: ") && told.head.contains("the same"), told)
    Files.delete(in.resolve("app-1.hflog"))
    assert(large(in, parts = 100).isEmpty)
    assert(!names(in).contains("app-1.hflog") && names(in).contains("app-1.2.hflog"), "later parts would follow it")
  }

  test("a log that has had all its files ends, marked, with one warning") {
    val in = folder()
    val said = large(in, parts = 1)
    assert(said.size == 1 && said.head.contains("is full") && said.head.contains("spark.holdfast.log.max.size"), said)
    assert(names(in) == Set("app-1.hflog"))
    assert(replay(in.resolve("app-1.hflog")).contains("the same"))
  }

  test("a file that is in the way of the next one ends the log, with one warning, and is left alone") {
    val in = folder()
    val (made, go) = (new CountDownLatch(1), new CountDownLatch(1))
    val opening: DecisionLog.Opening = () => {
      val file = LogFile.create(in.toFile, "app-1", 1, 9)
      made.countDown()
      go.await()
      file
    }
    val said = Heard.during(finishes {
      val time = new InTime(opening)
      made.await()
      Files.write(in.resolve("app-1.hflog.2"), Array[Byte](1))
      go.countDown()
      time.holdEndsInTime()
      time.session.close()
    })
    assert(said.size == 1 && said.head.contains("given up") && said.head.contains("app-1.hflog.2"), said)
    assert(sizes(in)("app-1.hflog.2") == 1)
  }

  test("a sink that fails later leaves the engine without a log, not without a decision") {
    val failed = new CountDownLatch(1)
    val opening: DecisionLog.Opening = () =>
      new DecisionLog.Sink {
        override def write(block: Array[Byte]): Boolean = {
          failed.countDown()
          throw new IOException("a test")
        }
        override def close(): Unit = throw new IOException("a test, too")
      }
    val said = Heard.during(finishes {
      val time = new InTime(opening)
      failed.await()
      time.holdEndsInTime()
      time.session.close()
    })
    assert(said.size <= 2 && said.head == "the decision log is given up: java.io.IOException: a test", said)
  }
}
