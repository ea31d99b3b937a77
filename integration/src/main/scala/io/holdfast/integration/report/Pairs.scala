package io.holdfast.integration.report

import scala.collection.immutable.ListMap

import io.holdfast.integration.measure.Result
import io.holdfast.integration.plan.{Experiment, Setting}

/** Rounds in Sparks of their own as reports show them: beside a background that has its order as its name, each variant a setting
  * of its own.
  */
object Pairs {
  private val Orders = Seq(None, Some(Result.ForegroundFirst), Some(Result.BackgroundFirst))

  /** Lighter ones of Holdfast's. */
  private val Colours = Seq("#0072b2", "#4da3d4", "#8cc5e6", "#bfdff1")

  private def nameOf(setting: String, variant: Option[String]) = variant.fold(setting)(v => s"$setting, $v")

  /** The settings, and what an experiment has in place of one of them. */
  def settings(known: ListMap[String, Setting], experiment: Experiment): ListMap[String, Setting] = {
    val variants = experiment.parts.flatMap(_.variants.keys).distinct
    val made = for {
      held <- known.get(Result.Holdfast).toSeq
      (variant, i) <- variants.zipWithIndex
      title = s"${held.title}, $variant"
    } yield nameOf(Result.Holdfast, Some(variant)) -> held.copy(title = title, colour = Colours(i % Colours.size))
    known ++ made
  }

  /** In the order of the report: foregrounds as they ran, then orders, then settings. */
  def rounds(results: Seq[Result], settings: ListMap[String, Setting]): Seq[Result] = {
    val foregrounds = results.map(_.workload).distinct
    val names = settings.keys.toSeq
    results
      .map(r => r.copy(setting = nameOf(r.setting, r.variant), variant = r.order))
      .sortBy(r =>
        (foregrounds.indexOf(r.workload), Orders.indexOf(r.variant), names.indexOf(r.setting), r.setting, r.repeat)
      )
  }

  def intro(experiment: Experiment): String = {
    val warm = if (experiment.parts.exists(_.warmUp)) ", and its program has run once before" else ", started cold"
    s"""<p>A foreground program in an important pool runs beside a crowd of background tasks of 2 to 5 s on ${experiment.cluster.executors * experiment.cluster.slots} slots. Stock Spark and Holdfast
       |share one fair-scheduler file (important pool: weight 1000, minimum share all slots); Holdfast adds its plugin and the pool's priority.
       |Each cell is a Spark of its own$warm.</p>""".stripMargin
  }

  /** Cells that have no result: what is shown is not all that was asked for. */
  def missing(left: Seq[String], there: Int): String =
    if (left.isEmpty) ""
    else
      s"<p><b>${left.size} of ${there + left.size} cells are missing</b> (failed, as the console says, or not run yet): ${Svg
          .escape(left.mkString(", "))}.</p>"

  def numbers(groups: Seq[Group], titles: String => String): String = {
    def table(columns: Seq[Column]) = {
      val all = Columns.ofPairs(titles) ++ columns
      Page.table(all.map(_.name), groups.map(g => all.map(_.cell(g))))
    }
    s"""<p class="small">Medians, in brackets least and largest; late: median share of the foreground's tasks.</p>
       |<h3>The foreground</h3>\n${table(Columns.foreground)}
       |<h3>The background, and what holding cost</h3>\n${table(Columns.costs)}""".stripMargin
  }

  def losses(groups: Seq[Group], titles: String => String): String = {
    val items = Losses.of(groups, titles)
    if (items.isEmpty) ""
    else items.map(i => s"<li>${Svg.escape(i)}</li>").mkString("<h2>Where Holdfast loses</h2>\n<ul>", "\n", "</ul>")
  }

  /** The numbers that fit a terminal. */
  def text(groups: Seq[Group], titles: String => String): String = {
    val columns = Columns.ofPairs(titles) ++ (Columns.foreground ++ Columns.costs).filter(Columns.fitTerminal)
    Text.table(columns.map(_.name) +: groups.map(g => columns.map(_.cell(g))))
  }

  val definitions: String =
    """<h2>What is counted</h2>
      |<dl><dt>First wait</dt><dd>from the foreground's submission to the last launch of its first stage that is as wide as its parallelism.</dd>
      |<dt>Stolen</dt><dd>background tasks launched into a slot that the foreground owned (ran on once its first stage ran at full width) and that
      |still ran when a later stage had a task waiting for more than 250 ms.</dd>
      |<dt>Late</dt><dd>foreground tasks after the first stage launched more than 250 ms after they reached the scheduler while background ran.</dd>
      |<dt>Overtaken</dt><dd>those of them beside background that was launched after the foreground had arrived; the others waited only for background that
      |ran on arrival, which nobody who kills nothing can shorten.</dd>
      |<dt>Bound</dt><dd>the time that list scheduling reaches with the run's own task durations, stage order and driver gaps when each slot is the
      |foreground's from the end of the background task that ran on it at the foreground's arrival. <i>Late in bound</i>: the late ones of that
      |schedule; who kills nothing and starts at once has these.</dd>
      |<dt>Owned after</dt><dd>the fewest slots that did not run background from the end of the last such task to the foreground's end.</dd>
      |<dt>Background slot-s</dt><dd>slot-seconds of the background tasks launched before the foreground's end; they finish, none is killed.</dd></dl>""".stripMargin
}

/** Tables for a terminal. */
object Text {

  /** Cells one below the other.
    *
    * @param numbers from this column on they end together
    */
  def table(rows: Seq[Seq[String]], numbers: Int = Int.MaxValue): String = {
    val widths = rows.transpose.map(_.map(_.length).max)
    def cell(text: String, column: Int) =
      if (column >= numbers) text.reverse.padTo(widths(column), ' ').reverse else text.padTo(widths(column), ' ')
    rows.map(_.zipWithIndex.map { case (text, i) => cell(text, i) }.mkString("  ").stripTrailing()).mkString("\n")
  }
}
