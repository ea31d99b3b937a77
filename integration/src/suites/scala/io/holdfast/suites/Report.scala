package io.holdfast.suites

import java.io.PrintStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import Instrument.{Failed, Off, On}

/** What a suite found.
  *
  * @param skipped how many of its tests were left out
  * @param differences from what it finds of Spark's own scheduler
  * @param unsteady differences that were gone when the test ran by itself
  * @param calls of our classes, see [[Calls]]
  */
private[suites] final case class SuiteResult(
    outcomes: Outcomes,
    skipped: Int,
    differences: Seq[Difference],
    unsteady: Seq[Difference],
    calls: Map[String, Long],
    seconds: Double
) {
  val name: String = outcomes.suite.drop(outcomes.suite.lastIndexOf('.') + 1)
  val passed: Int =
    outcomes.tests.count(_._2.word == Outcome.Passed) + unsteady.count(_.stock == Outcome.Passed)

  def built(ours: String): Long = calls.getOrElse(Instrument.Built + ours, 0L)
  val schedulers: Long = built("HoldfastScheduler")
  val managers: Long = built("HoldfastTaskSetManager")
  val overrides: Long = (calls -- Seq(On, Off, Failed)).values.sum - schedulers - managers

  /** What is wrong with it. */
  def problems(mode: Mode): Seq[String] = mode match {
    case Mode.Record => outcomes.tests.collect { case (Outcome.Whole, o) => s"$name, ${Outcome.Whole}: ${o.why}" }
    case Mode.Compare => differences.map(_.toString) ++ evidence
    case Mode.Control => evidence ++ (if (differences.isEmpty) Seq(s"$name did not notice the vetoes") else Nil)
  }

  /** A suite that uses nothing of ours, or has no engine behind it, would prove nothing. */
  private def evidence: Seq[String] = {
    val (on, failed) = (calls.getOrElse(On, 0L), calls.getOrElse(Failed, 0L))
    val uses = schedulers + managers > 0 && overrides > 0 && on > 0
    val unused = s"$name built $schedulers schedulers and $managers task set managers of ours, " +
      s"called $overrides overrides and started $on engines: it proves nothing"
    (if (uses) Nil else Seq(unused)) ++
      (if (failed > 0) Seq(s"$name: the engine failed $failed times, see spark.log") else Nil)
  }

  override def toString: String = {
    val different = if (differences.isEmpty) "" else s", ${differences.size} different"
    val uses =
      if (calls.isEmpty) "" else s"; $schedulers schedulers, $managers task set managers, $overrides calls of ours"
    f"$name: $passed passed$different, $seconds%.0f s$uses"
  }
}

/** What is said about a run. */
private[suites] object Report {

  private val MostShown = 12

  /** `results.tsv`: the suites; `failures.txt`: what is wrong, and where tests failed; `counts.txt`: passed, failed and skipped tests. */
  def write(options: Options, results: Seq[SuiteResult]): Unit = {
    def file(name: String, text: String) = Files.write(options.out.resolve(name), text.getBytes(UTF_8))
    val rows = results.map { r =>
      val calls = r.calls.toSeq.sortBy(_._1).map { case (what, n) => s"$what=$n" }.mkString(" ")
      f"${r.outcomes.suite}\t${r.passed}\t${r.differences.size}\t${r.skipped}\t${r.seconds}%.1f\t$calls"
    }
    file("results.tsv", ("suite\tpassed\tdifferent\tskipped\tseconds\tcalls" +: rows).mkString("", "\n", "\n"))
    val failures =
      for (r <- results; (test, outcome) <- r.outcomes.tests if outcome.why.nonEmpty)
        yield s"${r.outcomes.suite}, $test: ${outcome.word}\n${outcome.why}\n"
    val problems = results.flatMap(_.problems(options.mode)).map(_ + "\n")
    file("failures.txt", (problems ++ failures).mkString("\n"))
    val wrong = results.map(_.problems(options.mode).size)
    // A test that passes in spite of vetoes shows nothing; a suite that notices them does.
    val right = if (options.mode == Mode.Control) wrong.count(_ == 0) else results.map(_.passed).sum
    file("counts.txt", s"$right ${wrong.sum} ${results.map(_.skipped).sum}\n")
  }

  def show(options: Options, results: Seq[SuiteResult], console: PrintStream): Unit = {
    val problems = results.flatMap(_.problems(options.mode))
    problems.take(MostShown).foreach(problem => console.println(problem.take(240)))
    results.flatMap(_.unsteady).foreach(d => console.println(s"unsteady, as stock by itself: $d".take(240)))
    if (problems.size > MostShown) console.println(s"... and ${problems.size - MostShown} more in failures.txt")
    val (passed, skipped) = (results.map(_.passed).sum, results.map(_.skipped).sum)
    val what = options.mode match {
      case Mode.Record => s"recorded in ${options.stock}"
      case Mode.Compare => s"${results.map(_.differences.size).sum} different from stock"
      case Mode.Control => s"${results.map(_.differences.size).sum} fail under vetoes, as they must"
    }
    val seconds = results.map(_.seconds).sum
    console.println(
      f"Spark ${options.spark}, ${results.size} suites, $seconds%.0f s: $passed passed, $what, $skipped left out (skipped.txt)"
    )
  }
}
