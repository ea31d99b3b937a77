package io.holdfast.integration.evaluation

/** Runs the experiments of `integration/experiments`. Exit code 0, 1 when a round failed, 2 for arguments that it does not
  * understand.
  */
object Evaluate {

  def main(args: Array[String]): Unit = sys.exit(
    try run(Asked.parse(args.toSeq))
    catch { case e: IllegalArgumentException => Console.err.println(e.getMessage); 2 }
  )

  private def run(asked: Asked): Int = asked.experiment match {
    case Some(name) => if (new Evaluation(name, asked).run()) 0 else 1
    case None => list(asked); 0
  }

  private def list(asked: Asked): Unit = {
    println("./gradlew evaluate -Pexperiment=NAME (-Pquick: a small version, -Pmaster=URL: on a cluster of yours)\n")
    Experiments.list(asked.experiments).foreach { name =>
      val experiment = Experiments.load(asked.experiments, name)
      val cells = experiment.cellsOf.fold("")(of => s" (shows the cells of $of)")
      println(f"  $name%-10s ${experiment.title}$cells")
    }
  }
}
