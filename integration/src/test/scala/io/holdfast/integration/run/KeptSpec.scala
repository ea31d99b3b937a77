package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths, StandardCopyOption}

import scala.util.Using

import io.holdfast.integration.Json
import io.holdfast.integration.measure.{Measured, Timeline}
import io.holdfast.integration.plan.{Experiment, RoundPlan, RoundPlanSpec}
import org.scalatest.funsuite.AnyFunSuite

/** What a folder of rounds says of them, and what pages make of it. Nothing runs. */
class KeptSpec extends AnyFunSuite {
  import RoundPlanSpec.result

  private val folder = Files.createTempDirectory("holdfast-kept")
  private val experiments = Files.createDirectories(folder.resolve("experiments"))
  private val replicas = Seq("kmeans-8", "svm-8", "kmeans-20", "pagerank-20").map(name => s"replicas/$name.json")
  (Seq("settings.json", "fig01.json", "fig14.json") ++ replicas).foreach { name =>
    val copy = experiments.resolve(name)
    Files.createDirectories(copy.getParent)
    Files.copy(Paths.get("experiments/ssr").resolve(name), copy, StandardCopyOption.REPLACE_EXISTING)
  }

  private def asked(more: String*) = Asked.parse(
    Seq(s"--experiments=$experiments", s"--holdfast-jar=${folder.resolve("no.jar")}", "--own-jar=x") ++
      Seq("reports", "inputs", "archives", "cells").map(name => s"--$name=${folder.resolve(name)}") ++ more
  )

  private val reports = folder.resolve("reports/fig01")
  private def experiment = Experiments.load(experiments, "fig01")
  private def conditions(more: String*) =
    Conditions.now(experiment, Experiments.settings(experiments), asked(more: _*))

  /** All rounds of fig01, in a folder as `evaluate` leaves it. */
  private def measured(command: String, more: String*): Unit = {
    Files.createDirectories(reports)
    val kept = new Kept(reports)
    kept.begin(experiment, conditions(more: _*))
    kept.add(command)
    val rounds =
      for (spark <- RoundPlan.of(experiment, Nil); round <- spark.rounds if round.round > 0)
        yield result(
          round.foreground,
          spark.setting,
          round.background.map(_.name),
          RoundPlan.repeat(spark.block, round.round)
        )
    rounds.foreach(r => Json.save(reports.resolve(r.timeline), Timeline(Map("a" -> 2), 2, 10, Nil, Nil)))
    Files.writeString(reports.resolve(Measured.File), rounds.map(Json.write(_) + "\n").mkString)
    ()
  }

  private def run(more: String*): Boolean =
    Using.resource(new Clusters(asked(more: _*)))(new ExperimentRun("fig01", asked(more: _*)).run(_))
  private def lines: Seq[String] = Files.readString(reports.resolve(Measured.File)).linesIterator.toSeq
  private def page: String = Files.readString(reports.resolve("report.html"))
  private def replica: Path = experiments.resolve("replicas/svm-8.json")

  test("what is kept is read back as it was written") {
    measured("first", "--conf=a=b;c=d", "--trace=x.csv")
    val kept = new Kept(reports)
    assert(kept.experiment.contains(Kept.ofRounds(experiment)))
    assert(kept.differences(experiment.copy(claims = Nil), conditions("--conf=a=b;c=d", "--trace=x.csv")) == Nil)
    assert(kept.differences(experiment.copy(seed = 7), conditions()).contains("experiment.json"))
    assert(kept.conditions.contains(conditions("--conf=a=b;c=d", "--trace=x.csv")))
    kept.add("second")
    kept.add("first")
    assert(kept.commands == Seq("first", "second"))
    assert(kept.differences(experiment, conditions()) == Seq("conditions.json"))
  }

  test("what only experiments with Sparks of their own have is not kept of others: folders of before go on") {
    val text = Json.write(Kept.ofRounds(experiment)) + Json.write(conditions())
    assert(Seq("own_sparks", "driver_mb", "variants", "local").filter(key => text.contains(s"\"$key\"")) == Nil)
    assert(text.startsWith("{\"title\":\"Fig. 1") && text.contains("\"apart\":false,\"conf\":{}}{\"master\":null"))
    val own = experiment.copy(ownSparks = true, parts = experiment.parts.map(_.copy(rounds = 1)), driverMb = Some(1024))
    assert(Json.read[Experiment](Json.write(own)) == own)
  }

  test("rounds of a replica that has been recorded again since are not gone on with") {
    measured("first")
    val before = conditions()
    assert(before.replicas.map(_._1) == Seq("replica:kmeans@8:20s", "replica:svm@8:240s"))
    Files.writeString(replica, Files.readString(replica) + "\n")
    assert(new Kept(reports).differences(experiment, conditions()) == Seq("conditions.json"))
    assert(!run() && Files.notExists(reports.resolve("report.html")), "a page would say what the rounds were not")
  }

  test("a folder that does not say what its rounds were measured with is not gone on with") {
    measured("first")
    Files.delete(reports.resolve("conditions.json"))
    assert(!run())
  }

  test("a page tells the command and the conditions of the rounds, not of who writes it") {
    measured("measuring -Pconf='x=<y>'", "--conf=x=<y>", "--master=spark://there:7077")
    assert(run("--conf=x=<y>", "--master=spark://there:7077", "--command=writing"))
    val other = new ExperimentRun("fig01", asked("--command=another experiment")).report.get.section
    Seq(page, other).foreach { text =>
      assert(text.contains("<td>command</td><td>measuring -Pconf='x=&lt;y&gt;'</td>"))
      assert(text.contains("spark://there:7077") && text.contains("<td>further keys</td><td>x=&lt;y&gt;</td>"))
      assert(text.contains(s"<td>rounds</td><td>${lines.size} measured</td>"))
    }
  }

  test("a key that would make a setting another one is refused") {
    val refusal = intercept[IllegalArgumentException](run("--conf=spark.scheduler.mode=FAIR")).getMessage
    assert(refusal == "-Pconf has spark.scheduler.mode, which setting 'fifo' sets itself: leave it out")
    val other = asked("--conf=spark.holdfast.copies=all")
    val refused = intercept[IllegalArgumentException](
      Using.resource(new Clusters(other))(new ExperimentRun("fig14", other).run(_))
    ).getMessage
    assert(refused == "-Pconf has spark.holdfast.copies, which experiment 'fig14' sets itself: leave it out")
  }

  test("a page says what is missing, and its claims do not hold for it") {
    measured("first")
    // The last round of each setting that a claim is about.
    val (missing, there) = lines.partition(_.contains("\"repeat\":1005"))
    assert(missing.size == 3)
    Files.writeString(reports.resolve(Measured.File), there.map(_ + "\n").mkString)
    val text = new ExperimentRun("fig01", asked()).report.get.section
    assert(text.contains(s"${there.size} measured, missing: "))
    assert(text.contains("<td>holds so far (rounds not measured: 1)</td>"))
  }

  test("two evaluations do not write to one folder of reports") {
    val reports = folder.resolve("locked")
    ReportsLock.holding(reports) {
      val refused = intercept[IllegalArgumentException](ReportsLock.holding(reports)(()))
      assert(refused.getMessage.contains(s"writes to $reports"))
    }
    assert(ReportsLock.holding(reports)(7) == 7)
  }
}
