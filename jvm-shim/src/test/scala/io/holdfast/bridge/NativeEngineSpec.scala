package io.holdfast.bridge

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, StandardOpenOption}
import java.util.concurrent.{Callable, Executors, TimeUnit}

import scala.jdk.CollectionConverters._

import io.holdfast.bridge.NativeEngine._
import io.holdfast.config.Settings
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The exports as a JVM calls them. Run with -Xcheck:jni. */
class NativeEngineSpec extends AnyFunSuite with BeforeAndAfterAll {
  private val Milli = 1000000L

  override def beforeAll(): Unit = NativeLoader.load(null)

  private def bytes(text: String): Array[Byte] = text.getBytes(UTF_8)

  private def error(): String = new String(NativeEngine.lastError(), UTF_8)

  private def open(config: String = "{}", logs: Boolean = false): Long = {
    val handle = NativeEngine.open(bytes(config), bytes("""{"app":"test"}"""), logs)
    assert(handle > 0, error())
    handle
  }

  private def withEngine()(body: Long => Unit): Unit = {
    val handle = open()
    try body(handle)
    finally {
      NativeEngine.close(handle)
      ()
    }
  }

  /** Writes what the engine's log has gathered since. */
  private def drain(handle: Long, file: Path): Unit =
    Iterator.continually(NativeEngine.drainLog(handle)).takeWhile(_ != null).foreach(append(file, _))

  private def append(file: Path, block: Array[Byte]): Unit = {
    Files.write(file, block, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
    ()
  }

  private def withLog(file: Path)(body: Long => Unit): Unit = {
    val handle = open(logs = true)
    try body(handle)
    finally append(file, NativeEngine.close(handle))
  }

  private def withFile(body: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("holdfast-test-")
    val file = folder.resolve("app.hflog")
    try body(file)
    finally {
      Files.deleteIfExists(file)
      Files.delete(folder)
    }
  }

  private def step(handle: Long, nowMillis: Long, kind: Int, numbers: Int*): Long = {
    val n = numbers.padTo(6, 0)
    NativeEngine.step(handle, nowMillis * Milli, kind, n(0), n(1), n(2), n(3), n(4), n(5))
  }

  private def ok(result: Long): Long = {
    assert(result >= 0, error())
    result
  }

  private def totals(handle: Long): Seq[Long] = {
    val out = new Array[Long](TOTALS)
    assert(NativeEngine.totals(handle, out) == 0, error())
    out.toSeq
  }

  /** One executor of one slot; workflow 1 is important and has a job of two stages, workflow 2 has a task that waits. */
  private def begin(handle: Long): Unit = {
    ok(step(handle, 0, PROFILE_DEFINED, 0, 0, 1000))
    ok(step(handle, 0, EXECUTOR_ADDED, 5, 0, 1000))
    ok(step(handle, 1, WORKFLOW_OPENED, 1, 10, Settings.ONE))
    ok(step(handle, 1, WORKFLOW_OPENED, 2, 0, Settings.ONE))
    ok(step(handle, 2, JOB_SUBMITTED, 1, 1, 0))
    ok(step(handle, 2, STAGE_PLANNED, 1, 11, 1, 1))
    ok(step(handle, 2, STAGE_PLANNED, 1, 12, 1, 0))
    ok(step(handle, 3, SET_SUBMITTED, 101, 1, 11, 1, 0, 0))
    ok(step(handle, 4, LAUNCHED, 1001, 101, 0, 5))
    ok(step(handle, 5, JOB_SUBMITTED, 2, 2, 0))
    ok(step(handle, 5, SET_SUBMITTED, 102, 2, 21, 1, 0, 0))
    ()
  }

  /** All exports that take a handle, on one that is not good any more. */
  private def allAnswer(handle: Long, code: Int): Unit = {
    assert(step(handle, 1, TICK) == code)
    assert(NativeEngine.verdict(handle, 1, 1, 1, 0, 0, 0) == code)
    assert(NativeEngine.barrierRoom(handle, 1, 1, 1, 0, 0, 0) == code)
    assert(NativeEngine.admits(handle, 1) == code)
    assert(NativeEngine.copy(handle, 1, 1) == code)
    assert(NativeEngine.wantsCopies(handle, 1) == code)
    assert(NativeEngine.name(handle, NAME_EXECUTOR, 1, bytes("e")) == code)
    assert(NativeEngine.totals(handle, new Array[Long](TOTALS)) == code)
    assert(NativeEngine.dropLog(handle) == code && NativeEngine.drainLog(handle) == null)
    ()
  }

  test("the handshake gives the ABI, describe the build") {
    assert((NativeEngine.handshake() >> 32).toInt == ABI)
    val description = new String(NativeEngine.describe(), UTF_8)
    assert(NativeLoader.field(description, "version").matches("\\d+\\.\\d+\\.\\d+"), description)
    assert(NativeLoader.field(description, "target") == NativeLoader.platform())
    assert(description.contains("\"revision\":\""))
  }

  test("a slot is held at the barrier, refused to others, and used by its owner") {
    withEngine() { handle =>
      begin(handle)
      val freed = ok(step(handle, 100, SLOT_FREED, 1001, FINISHED))
      assert(NativeEngine.deadline(freed) == 60100 * Milli, "hold.max after the slot was freed")
      assert(NativeEngine.restricts(freed))
      assert(totals(handle)(TOTAL_MADE) == 1 && totals(handle)(TOTAL_LEFT) == 1)
      assert(NativeEngine.verdict(handle, 102, 5, 1000, 0, 0, 0) == VETO_HELD)
      assert(NativeEngine.barrierRoom(handle, 102, 5, 1000, 0, 0, 0) == 0)
      assert(NativeEngine.admits(handle, 102) == 0)
      ok(step(handle, 101, SET_ENDED, 101))
      ok(step(handle, 102, SET_SUBMITTED, 103, 1, 12, 1, 0, 0))
      assert(NativeEngine.verdict(handle, 103, 5, 1000, 0, 0, 0) == ALLOW_HELD)
      assert(NativeEngine.admits(handle, 103) == 1)
      ok(step(handle, 103, LAUNCHED, 1002, 103, 0, 5))
      assert(totals(handle)(TOTAL_USED) == 1 && totals(handle)(TOTAL_LEFT) == 0)
      assert(totals(handle)(TOTAL_IDLE_HELD_MICROS) == 3000, "from 100 to 103 ms")
      val after = ok(step(handle, 200, SLOT_FREED, 1002, FINISHED))
      assert(NativeEngine.deadline(after) == NO_DEADLINE)
      assert(!NativeEngine.reoffer(after) && !NativeEngine.restricts(after))
      assert(NativeEngine.verdict(handle, 102, 5, 1000, 0, 0, 0) == ALLOW)
      assert(totals(handle)(TOTAL_EVENTS) == 16)
    }
  }

  test("what a workflow repeats is told, and taught to the next engine") {
    def patterns(handle: Long): String = new String(NativeEngine.patterns(handle), UTF_8)
    withEngine() { handle =>
      ok(step(handle, 1, WORKFLOW_OPENED, 1, 10, Settings.ONE))
      ok(step(handle, 2, RECALLED, 1, 0, 0, -7, 4, 5))
      assert(patterns(handle) == """[{"steps":[[0,0,4294967289,4,5]],"workflow":1}]""")
    }
  }

  test("samples of bounded jobs are told as they were taught") {
    withEngine() { handle =>
      def samples: String = new String(NativeEngine.samples(handle), UTF_8)
      assert(samples == "[]")
    }
  }

  test("a straggler gets a copy on a held slot of another executor") {
    withEngine() { handle =>
      ok(step(handle, 0, PROFILE_DEFINED, 0, 0, 1000))
      Seq(5, 6).foreach(executor => ok(step(handle, 0, EXECUTOR_ADDED, executor, 0, 1000)))
      ok(step(handle, 1, WORKFLOW_OPENED, 1, 10, Settings.ONE))
      ok(step(handle, 2, JOB_SUBMITTED, 1, 1, 0))
      ok(step(handle, 2, STAGE_PLANNED, 1, 11, 2, 2))
      ok(step(handle, 3, SET_SUBMITTED, 101, 1, 11, 2, 0, SHUFFLE_MAP))
      ok(step(handle, 4, LAUNCHED, 1001, 101, 0, 5, 1))
      ok(step(handle, 4, LAUNCHED, 1002, 101, 1, 6, 1))
      val freed = ok(step(handle, 104, SLOT_FREED, 1001, FINISHED))
      assert(NativeEngine.deadline(freed) == 204 * Milli, "when it has run twice as long")
      assert(NativeEngine.wantsCopies(handle, 101) == 0 && NativeEngine.copy(handle, 101, 5) == 0)
      assert(NativeEngine.reoffer(ok(step(handle, 204, TICK))))
      assert(NativeEngine.wantsCopies(handle, 101) == 1)
      assert(NativeEngine.copy(handle, 101, 5) == 2 && NativeEngine.copy(handle, 101, 6) == 0)
      ok(step(handle, 205, LAUNCHED, 1003, 101, 1, 5, 1))
      ok(step(handle, 206, SLOT_FREED, 1003, FINISHED))
      ok(step(handle, 207, SLOT_FREED, 1002, NOT_FINISHED))
      assert(totals(handle)(TOTAL_COPIES) == 1 && totals(handle)(TOTAL_COPIES_WON) == 1)
      assert(NativeEngine.copy(handle, 999, 5) == -5, "unknown task set")
    }
  }

  test("a hold that ends unused asks for new offers") {
    withEngine() { handle =>
      begin(handle)
      ok(step(handle, 100, SLOT_FREED, 1001, FINISHED))
      assert(!NativeEngine.reoffer(ok(step(handle, 60099, TICK))))
      assert(NativeEngine.reoffer(ok(step(handle, 60100, TICK))))
      assert(totals(handle)(TOTAL_EXPIRED) == 1)
    }
  }

  test("a refused event tells of the offers that its expiries ask for with the next one") {
    withEngine() { handle =>
      begin(handle)
      ok(step(handle, 100, SLOT_FREED, 1001, FINISHED))
      assert(step(handle, 60100, LAUNCHED, 1, 999, 0, 5) == -5, "unknown task set")
      assert(error().contains("unknown task set"))
      assert(totals(handle)(TOTAL_EXPIRED) == 1)
      assert(NativeEngine.reoffer(ok(step(handle, 60101, TICK))))
      assert(!NativeEngine.reoffer(ok(step(handle, 60102, TICK))))
    }
  }

  test("a closed handle answers so, from every export, and does no harm") {
    val handle = open()
    NativeEngine.close(handle)
    allAnswer(handle, BAD_HANDLE)
    assert(error().contains(handle.toString))
    NativeEngine.close(handle)
    NativeEngine.close(0)
    NativeEngine.close(-7)
    NativeEngine.testPanic(handle, 1)
    val next = open()
    assert(next != handle)
    allAnswer(handle, BAD_HANDLE)
    ok(step(next, 1, TICK))
    NativeEngine.close(next)
  }

  test("a bad configuration is refused by name") {
    for ((config, word) <- Seq("{\"hold_max\":1}" -> "hold_max", "{\"policy\":\"fifo\"}" -> "fifo", "[" -> "EOF")) {
      assert(NativeEngine.open(bytes(config), bytes("{}"), false) == BAD_ARGUMENT)
      assert(error().contains(word), error())
    }
  }

  test("every kind of event has a name for messages") {
    assert(EVENTS(BOUNDED) == "bounded" && EVENTS.distinct.length == AKIN + 1)
    withEngine()(handle => assert(step(handle, 1, EVENTS.length) == BAD_ARGUMENT, "there are no more kinds"))
  }

  test("events with any number of numbers are told by arrays") {
    withEngine() { handle =>
      def tell(kind: Int, numbers: Array[Int]) = NativeEngine.stepArray(handle, Milli, kind, numbers)
      ok(tell(TICK, Array()))
      ok(tell(TICK, null))
      ok(tell(PROFILE_DEFINED, Array(0, 0, 1000, 0, 0, 0)))
      assert(tell(PROFILE_DEFINED, Array(0, 0, 1000, 0, 0)) == BAD_ARGUMENT && error().contains("it has more numbers"))
      assert(tell(TICK, new Array(MOST_NUMBERS + 1)) == BAD_ARGUMENT && error().contains("none has more than"))
      assert(totals(handle)(TOTAL_EVENTS) == 3)
    }
  }

  test("bad arguments are refused and named") {
    withEngine() { handle =>
      assert(step(handle, 1, 29) == BAD_ARGUMENT && error().contains("29"))
      assert(step(handle, 1, RECALLED, 1, 0, 0, 7, -1, 0) == BAD_ARGUMENT && error().contains("negative"))
      assert(step(handle, 1, EXECUTOR_ADDED, 1, 0, -1000) == BAD_ARGUMENT && error().contains("negative"))
      assert(step(handle, 1, JOB_ENDED, 1, 2) == BAD_ARGUMENT)
      assert(NativeEngine.verdict(handle, 1, 1, -1, 0, 0, 0) == BAD_ARGUMENT)
      assert(NativeEngine.totals(handle, new Array[Long](3)) == BAD_ARGUMENT && error().contains(TOTALS.toString))
      assert(NativeEngine.totals(handle, null) == BAD_ARGUMENT)
      assert(NativeEngine.name(handle, 9, 1, bytes("x")) == BAD_ARGUMENT)
      assert(NativeEngine.name(handle, 0, 1, null) == BAD_ARGUMENT)
      assert(NativeEngine.open(null, bytes("{}"), false) == BAD_ARGUMENT)
      assert(totals(handle)(TOTAL_EVENTS) == 0)
    }
  }

  test("a panic breaks its own engine for good, and no other") {
    val (broken, other) = (open(), open())
    NativeEngine.drainNativeLog()
    NativeEngine.testPanic(broken, 2)
    ok(step(broken, 1, TICK))
    assert(step(broken, 2, TICK) == PANIC)
    assert(error().contains("testPanic"), error())
    allAnswer(broken, PANIC)
    ok(step(other, 3, TICK))
    val lines = new String(NativeEngine.drainNativeLog(), UTF_8)
    assert(lines.startsWith("INFO panic: ") && lines.endsWith("\n"), lines)
    assert(NativeEngine.drainNativeLog() == null)
    NativeEngine.close(broken)
    allAnswer(broken, BAD_HANDLE)
    NativeEngine.close(other)
  }

  test("of a log that was given up nothing is left") {
    val handle = open(logs = true)
    assert(NativeEngine.drainLog(handle).nonEmpty && NativeEngine.dropLog(handle) == 0)
    ok(step(handle, 1, TICK))
    assert(NativeEngine.drainLog(handle) == null && NativeEngine.close(handle) == null)
  }

  test("the log of a run replays with identical decisions and explains them") {
    withFile { file =>
      withLog(file) { handle =>
        assert(NativeEngine.name(handle, NAME_WORKFLOW, 1, bytes("kmeans é")) == 0)
        begin(handle)
        ok(step(handle, 100, SLOT_FREED, 1001, FINISHED))
        assert(step(handle, 101, LAUNCHED, 1, 999, 0, 5) == -5)
        ok(step(handle, 101, RECALLED, 1, 0, 0, -7, 4, 5))
        drain(handle, file)
        ok(step(handle, 102, JOB_ENDED, 1, 0))
      }
      assert(cli("replay", file.toString).contains("15 events, 3 decisions: the same"))
      val told = cli("explain", file.toString, "--workflow", "kmeans é")
      assert(told.contains("task 0 of stage 11 (kmeans é) finished"), told)
    }
  }

  test("eight threads share one engine, and have their own") {
    withFile { file =>
      withLog(file) { shared =>
        begin(shared)
        val before = totals(shared)(TOTAL_EVENTS)
        val rounds = 2000
        val pool = Executors.newFixedThreadPool(8)
        try {
          val work = (0 until 8).map { thread =>
            new Callable[Unit] {
              override def call(): Unit = for (i <- 0 until rounds) {
                ok(step(shared, 10L + i, TICK))
                assert(NativeEngine.verdict(shared, 102, 5, 1000, 0, 0, 0) == ALLOW)
                if (thread == 0) drain(shared, file)
                if (i % 100 == 0) {
                  val own = open()
                  assert(step(own, 1, SET_ENDED, thread) >= 0)
                  NativeEngine.close(own)
                  assert(step(own, 1, TICK) == BAD_HANDLE)
                }
              }
            }
          }
          pool.invokeAll(work.asJava).asScala.foreach(_.get(60, TimeUnit.SECONDS))
        } finally pool.shutdownNow()
        assert(totals(shared)(TOTAL_EVENTS) == before + 8 * rounds)
      }
      assert(cli("replay", file.toString).contains("the same"))
    }
  }

  /** What the CLI says; it must succeed. */
  private def cli(args: String*): String = {
    val binary = Path.of(sys.props.getOrElse("holdfast.cli", "../target/debug/holdfast")).toAbsolutePath
    assert(
      Files.isExecutable(binary),
      s"$binary is missing: build it with ./gradlew cargoTestBuild, or set holdfast.cli"
    )
    val process = new ProcessBuilder((binary.toString +: args).asJava).redirectErrorStream(true).start()
    val output = new String(process.getInputStream.readAllBytes(), UTF_8)
    assert(process.waitFor() == 0, output)
    output
  }
}
