package io.holdfast.integration.programs

import java.nio.file.{Files, Path}
import java.util.zip.GZIPOutputStream

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

/** Background jobs, as published and as read. */
class TraceSpec extends AnyFunSuite {

  test("jobs of the hour have the published quantiles; equal seeds give equal jobs") {
    val jobs = GoogleHour.sample(20000, seed = 1).jobs
    def quantile(values: Seq[Double], share: Double) = values.sorted.apply((share * values.size).toInt)
    def near(value: Double, published: Double) = assert(math.abs(value / published - 1) < 0.1, s"$value, $published")
    val times = jobs.map(_.taskMs / 1000.0)
    Seq(0.1 -> 2.7, 0.25 -> 6.2, 0.5 -> 12.6, 0.75 -> 24.6, 0.9 -> 50.9).foreach { case (share, published) =>
      near(quantile(times, share), published)
    }
    assert(times.min >= 1.6 && times.max <= 351)
    val gaps = jobs.zip(jobs.tail).map { case (a, b) => (b.arrivalMs - a.arrivalMs) / 1000.0 }
    near(quantile(gaps, 0.5), 1.5)
    near(quantile(gaps, 0.9), 10.0)
    val widths = jobs.map(_.tasks)
    def share(from: Int, to: Int) = widths.count(w => w >= from && w <= to) * 100.0 / widths.size
    Seq((1, 1, 78.0), (2, 2, 4.0), (3, 20, 11.0), (21, 100, 4.0), (101, 303, 3.0)).foreach { case (from, to, percent) =>
      assert(math.abs(share(from, to) - percent) < 1, s"$from to $to tasks")
    }
    near(widths.sum.toDouble / widths.size, 9.2)
    assert(GoogleHour.sample(100, seed = 7) == GoogleHour.sample(100, seed = 7))
    assert(GoogleHour.sample(100, seed = 7) != GoogleHour.sample(100, seed = 8))
  }

  test("as they are drawn, 100 jobs keep about 47 % of 100 slots busy while they arrive") {
    val loads = (1 to 401).map(seed => GoogleHour.sample(100, seed.toLong).load(slots = 100)).sorted
    assert(math.abs(loads(200) - 0.47) < 0.05, loads(200))
  }

  test("run times are fitted to a load, and doubled") {
    val trace = Trace(Seq(TraceJob(0, 10, 4000), TraceJob(1000, 1, 20000), TraceJob(10000, 4, 10000)))
    assert(trace.load(slots = 20) == 0.5)
    assert(trace.fitted(0.25, slots = 20, leastMs = 1).jobs.map(_.taskMs) == Seq(2000, 10000, 5000))
    assert(trace.fitted(0.25, slots = 20, leastMs = 3000).jobs.map(_.taskMs) == Seq(3000, 10000, 5000))
    // Of a span of 10 s: the last job comes before the first ones.
    val turned = Seq(TraceJob(1499, 4, 10000), TraceJob(1500, 10, 4000), TraceJob(2500, 1, 20000))
    assert(trace.turned(1500).jobs == turned)
    assert(trace.longer(2).jobs.map(_.taskMs) == Seq(8000, 40000, 20000) && trace.longer(2).spanMs == 10000)
  }

  test("what is left of a trace in its middle is what slots that took its tasks in turn would have left") {
    val trace = Trace(Seq(TraceJob(0, 3, 4000), TraceJob(1000, 2, 10000), TraceJob(9000, 1, 1000)))
    assert(trace.from(0, slots = 2) == trace)
    // Of the first job one task runs, 4 s late; of the second one has run for a second and one waits.
    val begun = Seq(TraceJob(0, 1, 4000, Seq(3000)), TraceJob(1, 2, 10000, Seq(9000, 10000)))
    assert(trace.from(5000, slots = 2) == Trace(begun :+ TraceJob(4000, 1, 1000)))
    assert(trace.from(20000, slots = 2) == Trace(Nil))
    assert(trace.from(5000, slots = 2).slotMs == 3000 + 19000 + 1000, "what has begun takes what is left of it")
  }

  test("a foreground that may come at any time does: equal seeds at equal ones, early, late and between") {
    val spec = BackgroundSpec("hour", BackgroundSpec.Google, anytime = true, headStartS = 5)
    val hour = GoogleHour.sample(100, seed = 1).fitted(0.47, slots = 100, leastMs = 500)
    def at(seed: Long) = Loads.met(spec, hour, slots = 100, seed)
    // The last job comes as much sooner as the foreground comes later; of one that comes last there may be none.
    val shares = (1 to 400).flatMap(seed => at(seed.toLong).jobs.lastOption).map(_.arrivalMs.toDouble / hour.spanMs)
    Seq(0.25, 0.5, 0.75).foreach { share =>
      assert(math.abs(shares.count(_ < share) / 400.0 - share) < 0.08, s"$share of the hour")
    }
    assert(at(7) == at(7) && (1 to 400).map(seed => at(seed.toLong).spanMs).toSet.size > 300)
    val turned = spec.copy(anytime = false, widestAfterS = Some(2))
    val widest = Loads.met(turned, hour, slots = 100, seed = 1).jobs.maxBy(_.tasks)
    assert(widest.arrivalMs == 7000)
  }

  private val hour = 3600L * 1000000L

  /** Job 7 of hour 1 has two tasks of 20 s and 40 s, one of them evicted first; job 8 has one that fails; job 9 comes later. */
  private val events = Seq(
    s"0,,5,0,,0,user,3,9,,,,",
    s"${hour + 1000000},,7,0,,0,user,3,9,,,,",
    s"${hour + 1000000},,7,1,,0,user,3,9,,,,",
    s"${hour + 2000000},,7,0,100,1,user,3,9,,,,",
    s"${hour + 2000000},,7,1,100,1,user,3,9,,,,",
    s"${hour + 3000000},,8,0,100,0,user,3,9,,,,",
    s"${hour + 3000000},,8,0,100,1,user,3,9,,,,",
    s"${hour + 4000000},,8,0,100,3,user,3,9,,,,",
    s"${hour + 12000000},,7,1,100,2,user,3,9,,,,",
    s"${hour + 13000000},,7,1,101,1,user,3,9,,,,",
    s"${hour + 22000000},,7,0,100,4,user,3,9,,,,",
    s"${hour + 31000000},,9,0,100,0,user,3,9,,,,",
    s"${hour + 31000000},,9,0,100,1,user,3,9,,,,",
    s"${hour + 32000000},,9,0,100,4,user,3,9,,,,",
    s"${hour + 53000000},,7,1,101,4,user,3,9,,,,",
    s"${2 * hour},,10,0,100,0,user,3,9,,,,"
  )

  test("task events of ClusterData2011-2 are read, plain and compressed") {
    val folder = Files.createTempDirectory("holdfast-trace")
    val plain = Files.write(folder.resolve("part-00000-of-00500.csv"), events.mkString("\n").getBytes)
    val packed = folder.resolve("part-00000-of-00500.csv.gz")
    Using.resource(new GZIPOutputStream(Files.newOutputStream(packed)))(_.write(Files.readAllBytes(plain)))
    Seq(plain, packed).foreach { file =>
      val trace = ClusterData.read(Seq(file), hour = 1, jobs = 100, seed = 1)
      assert(trace.jobs == Seq(TraceJob(0, 2, 30000), TraceJob(30000, 1, 1000)))
    }
  }

  test("of more jobs than are wanted some are drawn from the seed, in the order of their arrivals") {
    val file = Files.write(
      Files.createTempDirectory("holdfast-trace").resolve("x.csv"),
      (1 to 50)
        .flatMap(job =>
          Seq(0, 1, 4).map(kind => s"${hour + job * 1000000L + kind * 1000L * job},,$job,0,,$kind,u,3,9,,,,")
        )
        .mkString("\n")
        .getBytes
    )
    def drawn(seed: Long) = ClusterData.read(Seq(file), hour = 1, jobs = 10, seed).jobs
    assert(drawn(1) == drawn(1) && drawn(1) != drawn(2))
    assert(drawn(1).size == 10 && drawn(1).map(_.arrivalMs) == drawn(1).map(_.arrivalMs).sorted)
    assert(drawn(1).map(_.taskMs).distinct.size == 10, "each once")
  }

  test("what is no task event is named with its file and line; so is an hour without jobs") {
    val file =
      Files.write(Files.createTempDirectory("holdfast-trace").resolve("x.csv"), s"${events.head}\nhello\n".getBytes)
    def said(hour: Int, file: Path) =
      intercept[IllegalArgumentException](ClusterData.read(Seq(file), hour, jobs = 1, seed = 1)).getMessage
    assert(said(1, file).contains(s"$file, line 2"))
    Files.write(file, events.head.getBytes)
    assert(said(3, file).contains("no job of hour 3"))
  }
}
