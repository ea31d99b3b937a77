package io.holdfast.integration.bench

import java.util.Locale

import io.holdfast.integration.measure.Spread
import io.holdfast.integration.report.Text

/** One measure under Holdfast against one under stock, repeat by repeat.
  *
  * @param against the measure of stock
  * @param atMost the target of Holdfast / stock, or
  * @param atLeast this one
  * @param differs Holdfast - stock is compared instead; `atMost` is its target, in the unit
  */
final case class Comparison(
    what: String,
    benchmark: Benchmark,
    setting: Setting,
    measure: String,
    baseline: Setting,
    against: String,
    unit: String,
    atMost: Option[Double] = None,
    atLeast: Option[Double] = None,
    differs: Boolean = false
) {

  /** None when no repeat has both. */
  def of(runs: Seq[Run]): Option[Row] = {
    def values(s: Setting, name: String): Map[Int, Double] =
      runs.filter(r => r.benchmark == benchmark.id && r.setting == s.name).map(r => r.repeat -> r.measured(name)).toMap
    val (ours, stocks) = (values(setting, measure), values(baseline, against))
    val pairs = ours.keySet.intersect(stocks.keySet).toSeq.sorted
    if (pairs.isEmpty) None
    else {
      val ratio = Spread(pairs.map { repeat =>
        if (differs) ours(repeat) - stocks(repeat) else ours(repeat) / stocks(repeat)
      })
      Some(
        Row(
          what,
          setting.name,
          baseline.name,
          unit,
          Spread(pairs.map(stocks)).median,
          Spread(pairs.map(ours)).median,
          Ratio(ratio.n, ratio.median, ratio.min, ratio.max),
          differs,
          atMost.map(t => if (differs) f"<= $t%+.0f" else f"<= $t%.2f").orElse(atLeast.map(t => f">= $t%.2f")),
          atMost.map(ratio.median <= _).orElse(atLeast.map(ratio.median >= _))
        )
      )
    }
  }
}

object Comparison {
  import Benchmark.{Round, Start, Tiny}
  import Setting._

  val all: Seq[Comparison] = Seq(
    round("refused round, 1000 executors x 4 slots, 50 sets", Stock, "all_us", "all_us").copy(atMost = Some(1.0)),
    round("the same, CPU", Stock, "all_cpu_us", "all_cpu_us"),
    round("the same, stock otherwise idle", StockIdle, "all_us", "all_us").copy(atMost = Some(1.0)),
    round("refused round of one executor", Stock, "one_executor_us", "one_executor_us"),
    round("refused executor by executor", Stock, "asked_us", "all_us")
  ) ++ Seq(Holdfast -> "nothing configured", HoldfastPool -> "pool with priority").flatMap { case (setting, name) =>
    Seq(
      Comparison(
        s"10,000 tiny tasks, $name",
        Tiny,
        setting,
        "tasks_per_s",
        Stock,
        "tasks_per_s",
        "tasks/s",
        atLeast = Some(0.97)
      ),
      Comparison("the same, CPU of all Java threads", Tiny, setting, "cpu_s", Stock, "cpu_s", "s")
    )
  } ++ Seq(
    start("from the JVM's start to a SparkContext", "ready_ms").copy(atMost = Some(150)),
    start("of these the SparkContext's constructor", "constructor_ms"),
    start("the same, CPU of its thread", "constructor_cpu_ms")
  )

  private def start(what: String, measure: String) =
    Comparison(what, Start, Holdfast, measure, Stock, measure, "ms", differs = true)

  private def round(what: String, baseline: Setting, measure: String, against: String) =
    Comparison(what, Round, Holdfast, measure, baseline, against, "us")
}

/** Holdfast / stock, or Holdfast - stock. */
final case class Ratio(n: Int, median: Double, min: Double, max: Double)

/** A comparison's outcome; medians over the repeats. */
final case class Row(
    what: String,
    setting: String,
    baseline: String,
    unit: String,
    stock: Double,
    holdfast: Double,
    ratio: Ratio,
    differs: Boolean,
    target: Option[String],
    met: Option[Boolean]
)

object Table {
  def text(rows: Seq[Row]): String = {
    val cells = Seq("", "unit", "stock", "holdfast", "ratio, or +", "min", "max", "n", "target", "") +: rows.map { r =>
      val ratios = Seq(r.ratio.median, r.ratio.min, r.ratio.max).map(if (r.differs) difference else ratio)
      Seq(r.what, r.unit, number(r.stock), number(r.holdfast)) ++ ratios ++
        Seq(r.ratio.n.toString, r.target.getOrElse(""), r.met.fold("")(if (_) "met" else "MISSED"))
    }
    Text.table(cells, numbers = 2) + "\n"
  }

  private def difference(value: Double): String = String.format(Locale.ROOT, "%+.0f", value)

  private def ratio(value: Double): String = String.format(Locale.ROOT, "%.3f", value)

  def number(value: Double): String =
    String.format(Locale.ROOT, if (value >= 1000) "%.0f" else if (value >= 10) "%.1f" else "%.3f", value)
}
