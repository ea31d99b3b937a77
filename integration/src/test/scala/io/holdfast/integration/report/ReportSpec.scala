package io.holdfast.integration.report

import java.nio.file.Files

import scala.collection.immutable.ListMap
import scala.jdk.CollectionConverters._
import scala.util.Using

import io.holdfast.integration.Json
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{Literal, Measured, Spread, Statement, Timeline}
import io.holdfast.integration.plan.{Claim, Experiment, Part, RoundPlanSpec, Setting}
import org.scalatest.funsuite.AnyFunSuite

/** The page and the figures of each kind of experiment, of rounds that were written by hand. */
class ReportSpec extends AnyFunSuite {
  import RoundPlanSpec.result

  private val settings = ListMap(
    "alone" -> Setting("alone", holdfast = false, "#777777"),
    "fair" -> Setting("stock <FAIR> & $1", holdfast = false, "#d55e00"),
    "holdfast" -> Setting("Holdfast", holdfast = true, "#0072b2"),
    "p40" -> Setting("P = 0.4", holdfast = true, "#77b9df", Map("spark.holdfast.isolation" -> "0.4")),
    "p100" -> Setting("P = 1", holdfast = true, "#0072b2", Map("spark.holdfast.isolation" -> "1"))
  )

  /** The first round of each Spark is cold, the second is warm. */
  private val rounds = result("chain", "alone", None, 1, 10) +: (for {
    repeat <- 1 to 2
    (setting, s) <- Seq("fair" -> 25.0, "holdfast" -> 10.5, "p40" -> 12.0, "p100" -> 10.1)
    version = settings.get(setting).filter(_.holdfast).map(_ => "0.1.0")
  } yield result("chain", setting, Some("crowd"), repeat, s, idleSlotS = if (setting == "p40") 1 else 4)
    .copy(holdfast = version, idleWaitedSlotS = version.map(_ => 0.5)))
  private val timeline = Timeline(
    Map("a" -> 2),
    2,
    2200,
    Seq(Literal.stage(1, 2, 0, 2200), Literal.stage(2, 1, 0, 2000).copy(foreground = false)),
    Seq(Literal.fg(1, 0, "a", 5, 2100).copy(locality = "PROCESS_LOCAL"), Literal.bg(0, "a", -50, 2000)),
    Seq(Statement(1, "ann", "dashboard", "q06", 0, 1500))
  )

  /** The page, and the texts of the figures by their files' names. */
  private def written(figure: String, claims: Claim*): (String, Map[String, String]) = {
    val folder = Files.createTempDirectory("holdfast-report")
    val measured = new Measured(folder.resolve(Measured.File))
    Files.writeString(measured.file, rounds.map(Json.write(_) + "\n").mkString)
    rounds.foreach(r => Json.save(folder.resolve(r.timeline), timeline))
    val experiment =
      Experiment(
        "a <title>",
        "the paper's \"words\" & more",
        figure,
        Shape(1, 1, 2, 512),
        Seq(Part(Nil, Nil, Nil)),
        claims
      )
    val page =
      new Report("figx", experiment, settings, measured, Seq("command" -> "-Pconf='a<b'")).write(folder)
    val figures = Using.resource(Files.list(folder))(_.iterator.asScala.filter(_.toString.endsWith(".svg")).toSeq)
    (Files.readString(page), figures.map(f => f.getFileName.toString -> Files.readString(f)).toMap)
  }

  test("the paper's words, claims with verdicts, numbers and command, whatever characters they have") {
    val (page, figures) =
      written(
        "slowdowns",
        Claim("stock is slow", "slowdown", "fair", least = Some(2.5), paper = Some("3.9 times")),
        Claim("x", "bound", "fair")
      )
    val expected = Seq(
      "<h1>a &lt;title&gt;</h1>",
      "the paper's &quot;words&quot; &amp; more",
      "<td>stock is slow</td><td>3.9 times</td><td>at least 2.5</td><td>job completion time / median alone: 2.500 (chain, n = 2)</td><td>holds</td>",
      "<td>x</td><td>-</td>",
      "<td>reported</td>",
      "medians of 2; seed 42; -Pconf='a&lt;b'",
      "<th>background jobs met</th>",
      "<th>failed tasks</th>",
      "stock &lt;FAIR&gt; &amp; $1",
      "-Pconf='a&lt;b'"
    )
    assert(expected.filterNot(page.contains(_)) == Nil)
    assert(!page.contains("<FAIR>") && figures.keySet == drawn("slowdown", "bound", "idle_slot_s"))
    val (idle, compared) = figures.partition(_._1.contains("idle"))
    assert(compared.values.forall(_.contains("stock &lt;FAIR&gt; &amp; $1")))
    assert(idle.values.forall(!_.contains("FAIR")), "stock holds nothing")
  }

  private def drawn(measures: String*) = measures.map(m => s"figx-$m-crowd.svg").toSet

  test("what it costs: the driver, the background, and slot-time") {
    assert(written("overhead")._2.keySet == drawn("driver_cpu", "background_slowdown", "held_idle_percent"))
  }

  test("each kind of figure is drawn, stands alone, and says of how many rounds it is") {
    val names = Map(
      "slowdowns" -> "figx-slowdown-crowd.svg",
      "pairs" -> "figx-paired_slowdown-crowd.svg",
      "running" -> "figx-running-chain-crowd.svg",
      "localities" -> "figx-locality-chain.svg",
      "trade-off" -> "figx-trade-off-chain.svg",
      "overhead" -> "figx-driver_cpu-crowd.svg",
      "bounds" -> "figx-wasted_slot_s-crowd.svg",
      "users" -> "figx-overview-crowd.svg"
    )
    assert(names.keySet == Figures.names.toSet)
    names.foreach { case (kind, file) =>
      val (page, figures) = written(kind)
      assert(figures.keySet.contains(file), kind)
      assert(figures(file).startsWith("<svg xmlns=") && figures(file).contains("<pattern id=\"background\""), kind)
      assert(page.contains("<p class=\"small\">"), kind)
      assert(figures(file).contains("seed 42; -Pconf='a&lt;b'"), "a figure says itself what it is of")
    }
    assert(written("trade-off")._1.contains("Sweet spot"))
    assert(written("bounds")._1.contains("<th>copies won</th>"))
    val (page, users) = written("users")
    assert(page.contains("<th>p95 / alone</th>"))
    assert(users("figx-latencies-dashboard-crowd.svg").contains("Holdfast (2)"), "statements of both rounds")
    assert(users("figx-latencies-etl-crowd.svg").contains("none has ended"))
    assert(users("figx-minute-crowd.svg").contains("Holdfast"))
  }

  test("what is less than nothing is drawn below the axis, within the picture") {
    def drawn(least: Double) = {
      val points = Seq(0.0 -> Spread(Seq(least)), 1.0 -> Spread(Seq(0.5)))
      val svg = Curves("t", "P", Seq(Curve("gain", "#222222", points))).svg
      val ends = "polyline points=\"[^,]+,([^ ]+) ".r.findFirstMatchIn(svg).map(_.group(1).toDouble)
      val axis = "y1=\"([^\"]+)\" x2=\"[^\"]+\" y2=\"[^\"]+\" class=\"axis\"".r.findFirstMatchIn(svg)
      (ends.get, axis.map(_.group(1).toDouble).get)
    }
    val (below, axis) = drawn(-0.5)
    assert(below > axis && below <= 230 && axis < 230)
    assert(drawn(0) == ((230.0, 230.0)))
  }

  test("tasks by where they ran are drawn in the colour of the setting that ran them") {
    val locality = written("localities")._2("figx-locality-chain.svg")
    Seq("fair", "p40").foreach { setting =>
      val one = settings(setting).colour
      assert(locality.contains(s"fill=\"$one\"") && locality.contains(s"warm JVM, $setting"))
    }
  }

  test("the overview has each experiment's claims beside the paper's words") {
    val folder = Files.createTempDirectory("holdfast-overview")
    val measured = new Measured(folder.resolve(Measured.File))
    Files.writeString(measured.file, rounds.map(Json.write(_) + "\n").mkString)
    rounds.foreach(r => Json.save(folder.resolve(r.timeline), timeline))
    val claim = Claim("Holdfast is near", "slowdown", "holdfast", most = Some(1.01), paper = Some("so it says"))
    val experiment =
      Experiment("one", "says so", "slowdowns", Shape(1, 1, 2, 512), Seq(Part(Nil, Nil, Nil)), Seq(claim))
    val page = Report.overview(Seq(new Report("figx", experiment, settings, measured, Nil)))
    assert(page.contains("<td>one</td><td>Holdfast is near</td><td>so it says</td><td>at most 1.01</td>"))
    assert(page.contains("<td>does not hold</td>"))
  }
}
