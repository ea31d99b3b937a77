package io.holdfast.integration.masters

import java.io.{PrintWriter, StringWriter}
import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.Json
import io.holdfast.integration.measure.HoldsResult
import io.holdfast.integration.scenarios.{App, Internals, Launches}
import org.apache.spark.{SparkConf, SparkContext}

/** What an application was given, and what it saw.
  *
  * @param driverFolder the driver's working folder, which says where it ran
  * @param scheduler the class of Spark's task scheduler
  * @param backend the class of its backend
  * @param cores of each executor that has registered
  */
final case class Outcome(
    master: String,
    driverFolder: String,
    scheduler: String,
    backend: String,
    cores: Seq[Int],
    steps: Map[String, Step]
)

/** What one step did.
  *
  * @param holds what became of holds meanwhile
  * @param launched the important program's tasks
  * @param stolen tasks of the crowd that were launched where the important program's next ones should have been
  * @param elsewhere tasks launched on an executor that had gone by then
  */
final case class Step(holds: HoldsResult, launched: Int, stolen: Int, elsewhere: Int, localities: Seq[String] = Nil)

/** An application for any master, submitted as people submit theirs. All that it says comes back as a file, since its driver may
  * run anywhere.
  */
object MasterProgram {
  val OutcomeFile = "outcome.json"
  val FailureFile = "failure.txt"

  /** Shared folder, executors, slots of each, names of steps. */
  def main(args: Array[String]): Unit = {
    val shared = Paths.get(args(0))
    val (executors, slots) = (args(1).toInt, args(2).toInt)
    try {
      val outcome = run(shared, executors, slots, args(3).split(',').toSeq)
      val beside = shared.resolve(s"$OutcomeFile.partial")
      Json.save(beside, outcome)
      Files.move(beside, shared.resolve(OutcomeFile)): Unit
    } catch {
      case e: Throwable =>
        val text = new StringWriter
        e.printStackTrace(new PrintWriter(text, true))
        Files.writeString(shared.resolve(FailureFile), text.toString)
        throw e
    }
  }

  private def run(folder: Path, executors: Int, slots: Int, names: Seq[String]): Outcome = {
    val sc = new SparkContext(new SparkConf().setAppName("masters"))
    try {
      val app = new App(sc, Launches.current, folder)
      val steps = new MasterSteps(app, executors, slots)
      val done = names.map(name => name -> steps.run(name)).toMap
      val cores = app.launches.cores.values.toSeq
      val backend = Internals.get(sc, "schedulerBackend").getClass.getName
      Outcome(sc.master, sys.props("user.dir"), Internals.schedulerClass(sc), backend, cores, done)
    } finally sc.stop()
  }
}
