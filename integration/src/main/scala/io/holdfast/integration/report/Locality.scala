package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.{Result, Spread, TaskRun}
import io.holdfast.integration.programs.Foregrounds

/** What a task costs off its preferred executor (the paper's Fig. 6): each task's time over the median of its stage's tasks that ran
  * at PROCESS_LOCAL in a warm JVM; by locality level, and in a JVM that ran such a stage for the first time. Both beside the same
  * background: alone more tasks share the processor, and even local ones take longer. In the colour of the setting that ran.
  */
final class Locality(measures: Measures, titles: String => String = identity, colourOf: String => String = _ => "") {
  import Locality._

  def figures: Seq[Figure] = for {
    foreground <- measures.foregrounds
    kinds = kindsOf(foreground)
    if kinds.nonEmpty
  } yield Figure(
    s"locality-${Foregrounds.fileName(foreground)}",
    plot(titles(foreground), kinds),
    s"${titles(foreground)}: a task's time over the median of its stage's local tasks in a warm JVM, both beside a crowd (logarithmic); a point is a task, the line the median. " +
      kinds.map(k => s"${k.name}: n = ${k.times.size}, median ${median(k.times)}").mkString("; ") + ".",
    s"${measures.results.count(r => r.workload == foreground && r.setting != Result.Alone)} rounds"
  )

  /** The slowest task of a round that was not next to its input, over the median of its stage's local tasks in a warm JVM. */
  def farthest(round: Result): Option[Double] = {
    val usual = usualTimes(measures.results.filter(r => r.workload == round.workload && !coldest(r)))
    val away = for {
      (stage, place) <- measures.timeline(round).foregroundStages.zipWithIndex
      task <- measures.timeline(round).tasksOf(stage) if task.locality != Best
      local <- usual.get(place -> stage.tasks)
    } yield (task.finish - task.launch) / local
    away.maxOption
  }

  private def median(of: Seq[Double]): String = "%.2f".formatLocal(Locale.ROOT, Spread(of).median)

  /** Times by kind of placement. */
  private def kindsOf(foreground: String): Seq[Kind] = {
    val rounds = measures.results.filter(r => r.workload == foreground && r.setting != Result.Alone)
    val usual = usualTimes(rounds.filterNot(coldest))
    val found = for {
      round <- rounds
      (stage, place) <- measures.timeline(round).foregroundStages.zipWithIndex
      task <- measures.timeline(round).tasksOf(stage)
      local <- usual.get(place -> stage.tasks)
    } yield (kindOf(round, task), round.setting) -> (task.finish - task.launch) / local
    val several = rounds.map(_.setting).distinct.size > 1
    found.groupMap(_._1)(_._2).toSeq.sortBy(_._1).map { case ((kind, setting), times) =>
      Kind(if (several) s"$kind, $setting" else kind, colourOf(setting), times)
    }
  }

  private def kindOf(round: Result, task: TaskRun): String =
    s"${task.locality}, ${if (coldest(round)) "cold" else "warm"} JVM"

  /** Of stages by their place in the program and width, those that have local tasks. */
  private def usualTimes(rounds: Seq[Result]): Map[(Int, Int), Double] = {
    val times = for {
      round <- rounds
      (stage, place) <- measures.timeline(round).foregroundStages.zipWithIndex
      task <- measures.timeline(round).tasksOf(stage) if task.locality == Best
    } yield (place -> stage.tasks) -> (task.finish - task.launch).toDouble
    times.groupMap(_._1)(_._2).map { case (stage, own) => stage -> math.max(1.0, Spread(own).median) }
  }

  /** The first round of a Spark that has not warmed up. */
  private def coldest(r: Result): Boolean =
    r.repeat == measures.results
      .filter(o => o.setting == r.setting && o.repeat / 1000 == r.repeat / 1000)
      .map(_.repeat)
      .min

  private def plot(title: String, kinds: Seq[Kind]): String = {
    val most = kinds.flatMap(_.times).maxOption.getOrElse(10.0)
    val decades = math.max(1.0, math.ceil(math.log10(most)))
    def x(value: Double) = Left + (math.log10(math.max(0.1, value)) + 1) / (decades + 1) * Width
    val bottom = 30.0 + kinds.size * Row
    val grid = (-1 to decades.toInt).flatMap { d =>
      val at = math.pow(10, d)
      Seq(
        Svg.line(x(at), 30, x(at), bottom, if (d == 0) "axis" else "grid"),
        Svg.text(x(at), bottom + 16, s"${Numbers.plain(at)} x")
      )
    }
    val rows = kinds.zipWithIndex.flatMap { case (Kind(kind, colour, values), i) =>
      val y = 30 + (i + 0.5) * Row
      val middle = x(Spread(values).median)
      Svg.text(Left - 8, y + 4, s"$kind (${values.size})", "end", "small") +:
        values.zipWithIndex.map { case (v, k) =>
          Svg.rect(x(v) - 1.5, y - 8 + k % 7 * 2.5, 3, 3, colour)
        } :+
        Svg.line(middle, y - Row / 2 + 2, middle, y + Row / 2 - 2, "axis")
    }
    Svg.image(900, (bottom + 30).toInt, title, Svg.text(Left, 16, title, "start", "title") +: (grid ++ rows))
  }
}

object Locality {
  private val Best = "PROCESS_LOCAL"
  private val Left = 230.0
  private val Width = 620.0
  private val Row = 34.0

  /** How long tasks took, by where they ran. */
  private final case class Kind(name: String, colour: String, times: Seq[Double])
}
