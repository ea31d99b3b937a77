package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.plan.{Choice, RoundPlan}
import io.holdfast.integration.programs.{Context, Foregrounds}
import io.holdfast.integration.report.Measures
import org.scalatest.funsuite.AnyFunSuite

/** The experiments' files, and what a user is told about one that is wrong. */
class ExperimentsSpec extends AnyFunSuite {
  private val folder = Paths.get("experiments/ssr")

  /** A folder with the settings and one experiment whose text has been changed. */
  private def changed(from: String, to: String): Path = {
    val copy = Files.createTempDirectory("experiments")
    Files.copy(folder.resolve("settings.json"), copy.resolve("settings.json"))
    val text = Files.readString(folder.resolve("fig06.json"))
    assert(text.contains(from))
    Files.writeString(copy.resolve("fig06.json"), text.replace(from, to))
    copy
  }

  private def refusal(from: String, to: String): String =
    intercept[IllegalArgumentException](Experiments.load(changed(from, to), "fig06")).getMessage

  test("every experiment of the paper has a file that can be read") {
    val names = Seq("fig01", "fig04", "fig05", "fig06", "fig12", "fig13", "fig14", "harsh", "overhead")
    assert(Experiments.together(folder) == names)
    assert(Experiments.list(folder).toSet -- names == Set("fig12-computing", "fig14-kmeans"))
    Experiments.list(folder).foreach(Experiments.load(folder, _))
  }

  test("whoever shows the cells of another experiment has its cluster") {
    for {
      name <- Experiments.list(folder)
      experiment = Experiments.load(folder, name)
      of <- experiment.cellsOf
    } assert(experiment.cluster == Experiments.load(folder, of).cluster, name)
  }

  test("nothing is sampled where the driver's processor time is compared") {
    val compared = for {
      experiment <- Experiments.list(folder).map(Experiments.load(folder, _))
      claim <- experiment.claims if claim.measure == Measures.DriverCpu
      part <- experiment.parts if part.backgrounds.exists(b => claim.background.forall(_ == b.name))
    } yield part.sampleIdle
    assert(compared.nonEmpty && compared.forall(!_))
  }

  test("small and tiny versions keep the experiment and have less of it") {
    val whole = Experiments.load(folder, "fig12-computing")
    assert(whole.small.parts.map(p => (p.foregrounds.size, p.backgrounds.size, p.rounds)) == Seq.fill(2)((1, 1, 1)))
    assert(whole.small.parts.map(_.settings) == whole.parts.map(_.settings))
    val cold = Experiments.load(folder, "fig06")
    assert(cold.small.parts.map(_.rounds) == Seq(2), "a cold round and a warm one")
    Seq(whole, cold).foreach(each => assert(RoundPlan.of(each.tiny, Nil).map(_.measured) == Seq(1)))
  }

  test("any setting can run besides those of the file") {
    val whole = Experiments.load(folder, "fig12")
    val more = Experiments.load(folder, "fig12", Choice(Seq("fifo", "holdfast")))
    assert(more.parts.map(_.settings) == whole.parts.map(_.settings :+ "fifo"))
    val unknown = intercept[IllegalArgumentException](Experiments.load(folder, "fig12", Choice(Seq("fife")))).getMessage
    assert(unknown.startsWith("-Psettings has 'fife'; use some of alone, "))
    val unlike =
      intercept[IllegalArgumentException](Experiments.load(folder, "fig13", Choice(Seq("timeout")))).getMessage
    assert(unlike.contains("'timeout', which has pools of its own, and in 'fig13' all pools are alike"))
  }

  test("a program's name says how wide it is and how often it runs") {
    val program = Foregrounds.computing("kmeans@20*4")
    assert((program.name, program.parallelism, program.input.map(_.partitions)) == (("kmeans@20*4", 20, Some(20))))
    val sleeping = Foregrounds.computing("stragglers@20")
    assert((sleeping.parallelism, sleeping.input) == ((20, None)))
    assert(intercept[IllegalArgumentException](Foregrounds.computing("chain@20")).getMessage.contains("without @20"))
    val runs = Seq.newBuilder[String]
    val recording = program.copy(name = "x", run = context => runs += context.outputs.getFileName.toString)
    val context = Context(null, folder, folder, seed = 1, warmUp = false)
    recording.times(3).run(context)
    recording.times(3).run(context.copy(warmUp = true))
    assert(runs.result() == Seq("1", "2", "3", "1"))
  }

  test("every other folder of experiments can be read, too") {
    val demo = Paths.get("experiments/demo")
    assert(Experiments.list(demo) == Seq("demo", "experiment"))
    Experiments.list(demo).foreach(name => assert(Experiments.load(demo, name).ownSparks))
    val grass = Paths.get("experiments/grass")
    assert(Experiments.together(grass) == Seq("baselines", "bounds") && Experiments.list(grass).contains("sizes"))
    Experiments.together(grass).map(Experiments.load(grass, _)).foreach { experiment =>
      val jobs = experiment.parts.flatMap(_.training("grass")).map(_.split('*').last.toInt).sum
      assert(jobs == 60 && experiment.tiny.parts.forall(_.training.isEmpty))
    }
    val dashboards = Experiments.load(Paths.get("experiments/dashboards"), "dashboards")
    assert(dashboards.tiny.parts.map(_.settings) == Seq(Seq("holdfast")) && dashboards.tiny.parts.forall(_.brief))
    val chosen = intercept[IllegalArgumentException](
      Experiments.load(Paths.get("experiments/dashboards"), "dashboards", Choice(only = Seq("fare")))
    )
    assert(chosen.getMessage.startsWith("-Ponly has 'fare'; use some of alone, fifo, "))
  }

  test("what is wrong in a file is named, with what is allowed") {
    assert(
      refusal("[\"anywhere\"", "[\"anywere\"").matches(
        ".*fig06.json: setting 'anywere' is unknown; use one of alone, anywhere, .*"
      )
    )
    assert(
      refusal("\"crowd\", \"kind\": \"crowd\"", "\"crowd\", \"kind\": \"crwd\"").contains(
        "kind is 'crwd'; give one of crowd, google"
      )
    )
    assert(
      refusal("\"kind\": \"crowd\"", "\"anytime\": true, \"kind\": \"crowd\"")
        .contains("anytime is of backgrounds of kind 'google' without to_end and widest_after_s")
    )
    assert(refusal("\"pagerank\"", "\"pagerunk\"").contains("fig06.json: workload 'pagerunk' is unknown; use one of"))
    assert(refusal("\"localities\"", "\"local\"").contains("figure 'local' is unknown; use one of"))
    assert(refusal("\"rounds\"", "\"runds\"").contains("fig06.json: Unrecognized field \"runds\""))
    assert(refusal("\"kmeans\"", "\"replica:kmeans@9\"").contains("record it with ./gradlew recordReplicas"))
    def claim(what: String) = refusal(
      "\"claims\": [",
      s"\"claims\": [{\"says\": \"x\", \"measure\": \"stolen\", \"setting\": \"fair\", $what}, "
    )
    assert(claim("\"setting\": \"fare\"").contains("setting of a claim 'fare' is unknown; use one of alone"))
    assert(claim("\"background\": \"crwd\"").contains("background of a claim 'crwd' is unknown; use one of crowd"))
    assert(
      claim("\"foregrounds\": [\"kmean\"]").contains("foreground of a claim 'kmean' is unknown; use one of kmeans")
    )
    val unknown = intercept[IllegalArgumentException](Experiments.load(folder, "fig99")).getMessage
    assert(unknown.startsWith("there is no experiment 'fig99'; use one of fig01"))
  }
}
