package io.holdfast.integration.run

import java.nio.file.{Files, Path}

import io.holdfast.integration.measure.{CpuResult, Recorder}
import io.holdfast.integration.programs.{Context, Workload}
import org.apache.spark.sql.SparkSession
import org.scalatest.funsuite.AnyFunSuite

class ContestSpec extends AnyFunSuite {

  /** A measurement that has taken an hour more each time it is asked. */
  private final class Hourly {
    private var asked = 0
    def seconds(): Double = { asked += 1; 3600.0 * asked }
  }

  private def span(folder: Path, measuringS: () => Double): Span = {
    val spark = SparkSession
      .builder()
      .master("local[1]")
      .config("spark.ui.enabled", "false")
      .config("spark.extraListeners", classOf[Recorder].getName)
      .getOrCreate()
    try {
      val context = Context(spark, folder, folder, seed = 1, warmUp = true)
      val nothing = Workload("nothing", "Nothing", 1, None, _ => ())
      new Contest(Recorder.current, nothing, context, measuringS = measuringS).alone()
    } finally spark.stop()
  }

  test("what measuring took between two readings is left out, and nothing of what it took before or later") {
    val hours = new Hourly
    val measured = span(Files.createTempDirectory("holdfast-contest"), () => hours.seconds())
    def hoursOf(used: CpuResult) = math.round(-used.driverS / 3600)
    // Asked for the whole, for the foreground, and again at the end of either.
    assert((hoursOf(measured.cpu), hoursOf(measured.whole)) == ((1, 3)))
  }
}
