package io.holdfast.suites

import java.io.PrintStream
import java.nio.file.{Files, Path}

/** Runs Spark's own suites and compares what they find with what they find of Spark's own scheduler.
  *
  * All suites run in this JVM, one after the other, as in Spark's own build. The console shows one line for each.
  */
object SparkSuites {

  def main(args: Array[String]): Unit = {
    val console = System.out
    val code =
      try if (run(Options.parse(args.toSeq), console)) 0 else 1
      catch { case e: Misuse => console.println(e.getMessage); 2 }
    System.exit(code) // Spark may have left threads behind
  }

  private def run(options: Options, console: PrintStream): Boolean = {
    Files.createDirectories(options.out)
    redirect(options.out.resolve("console.log"))
    val stock = Record.read(options.stock)
    val unrecorded = options.suites.filterNot(stock.contains)
    if (options.mode != Mode.Record && unrecorded.nonEmpty) {
      throw new Misuse(
        s"${options.stock} does not say what these do with Spark's own scheduler: ${unrecorded.mkString(", ")};" +
          " record it with ./gradlew sparkSuites -Precord -Psuites=... (-Pall, -Pline=...)"
      )
    }
    val watchdog = new Watchdog(options.limitS, options.out.resolve("threads.txt"), console)
    watchdog.start()
    val results = options.suites.zipWithIndex.map { case (suite, i) =>
      watchdog.begin(suite)
      val result = one(suite, options, stock.getOrElse(suite, Nil), watchdog)
      console.println(f"[${i + 1}%2d/${options.suites.size}] $result")
      result
    }
    if (options.mode == Mode.Record) Record.update(options.stock, options.spark, results.map(_.outcomes))
    Report.write(options, results)
    Report.show(options, results, console)
    results.forall(_.problems(options.mode).isEmpty)
  }

  private def one(suite: String, options: Options, stock: Seq[(String, String)], watchdog: Watchdog): SuiteResult = {
    val before = Calls.snapshot()
    val began = System.nanoTime()
    val outcomes = new SuiteRun(suite, options.skipped(suite), watchdog.at).run()
    val seconds = (System.nanoTime() - began) / 1e9
    val calls = Calls.snapshot().map { case (what, n) => what -> (n - before.getOrElse(what, 0L)) }.filter(_._2 > 0)
    val differences = if (options.mode == Mode.Record) Nil else Difference.between(stock, outcomes)
    val steady = if (options.mode == Mode.Compare) again(stock, differences, options, watchdog) else differences
    SuiteResult(outcomes, options.skipped(suite).size, steady, differences.diff(steady), calls, seconds)
  }

  /** Tests that wait for so many milliseconds fail on a busy machine, with Spark's own classes too. What differs runs again
    * by itself; this returns what never did as with Spark's.
    */
  private def again(
      stock: Seq[(String, String)],
      all: Seq[Difference],
      options: Options,
      watchdog: Watchdog
  ): Seq[Difference] =
    (1 to Attempts).foldLeft(all) { (left, _) =>
      left.headOption.fold(left) { first =>
        val names = left.map(_.test).filterNot(_ == Outcome.Whole).toSet
        val run = new SuiteRun(first.suite, options.skipped(first.suite), watchdog.at, only = names).run()
        val still = Difference.between(stock, run).map(_.test).toSet
        left.filter(difference => still(difference.test))
      }
    }

  private val Attempts = 3

  /** Suites print; the console is ours. */
  private def redirect(file: Path): Unit = {
    val stream = new PrintStream(Files.newOutputStream(file), true)
    System.setOut(stream)
    System.setErr(stream)
  }
}
