package io.holdfast.integration.evaluation

import com.fasterxml.jackson.databind.annotation.JsonDeserialize

import io.holdfast.integration.Svg
import io.holdfast.integration.cluster.Shape

/** An experiment: one file of `integration/experiments`. Times in its results are seconds.
  *
  * @param title what it shows
  * @param paper the paper's own statement, with its figure
  * @param figure which plots its report has, see [[Figures]]
  * @param parts what runs; none when the cells of `cells_of` are shown
  * @param seed draws the order of the settings in a block, and all that foregrounds and backgrounds draw
  * @param quick what a small version has
  * @param cellsOf the experiment whose cells this one shows; nothing runs for it then
  * @param apart whether it only runs when it is named, not with all
  * @param conf keys of every Spark of it, besides those of its setting
  */
final case class Experiment(
    title: String,
    paper: String,
    figure: String,
    cluster: Shape,
    parts: Seq[Part] = Nil,
    claims: Seq[Claim] = Nil,
    seed: Long = 42,
    quick: Quick = Quick(),
    cellsOf: Option[String] = None,
    apart: Boolean = false,
    conf: Map[String, String] = Map.empty
) {
  require(
    parts.nonEmpty != cellsOf.nonEmpty,
    "give either parts that run, or cells_of, the experiment whose cells are shown"
  )

  /** The same with these settings, too, in each part that has backgrounds. */
  def besides(settings: Seq[String]): Experiment = copy(parts = parts.map { part =>
    if (part.backgrounds.isEmpty) part else part.copy(settings = (part.settings ++ settings).distinct)
  })

  /** A small version of it. */
  def small: Experiment = copy(
    cluster = quick.cluster.getOrElse(cluster),
    parts = parts.take(quick.parts).map { part =>
      part.copy(
        blocks = 1,
        // A first round without a warm-up is a cold one: there is another to compare it with.
        rounds = if (part.warmUp) 1 else 2,
        foregrounds = part.foregrounds.take(quick.foregrounds),
        backgrounds = part.backgrounds.take(quick.backgrounds)
      )
    }
  )

  /** The least of it that runs everything once: a foreground beside a background under the last setting, on a small cluster. */
  def tiny: Experiment = {
    val tried = small
    tried.copy(
      cluster = Shape(workers = 2, executorsPerWorker = 1, slots = 4, memoryMb = 512),
      parts = tried.parts.take(1).map { part =>
        val beside = part.backgrounds.map(b => b.copy(headStartS = 1, times = 1, jobs = math.min(20, b.jobs)))
        part.copy(settings = part.settings.takeRight(1), backgrounds = beside, rounds = 1, warmUp = false, brief = true)
      }
    )
  }
}

/** Every setting meets every foreground beside every background.
  *
  * @param foregrounds names of programs, see [[Foregrounds]]
  * @param backgrounds what runs beside them; whoever is measured alone has nothing beside it
  * @param settings names of [[Setting]]s
  * @param blocks how often each setting gets a Spark of its own; the settings of a block are interleaved
  * @param rounds how often a Spark repeats all of it
  * @param warmUp whether each foreground runs once before, which is not kept. Without it a Spark that goes on where another one was
  *   stopped does so for those whose first round has been measured: the others would have been warm, too
  * @param brief whether tasks of sleeping foregrounds take a tenth of their time, as they do when they warm up
  * @param sampleIdle whether Holdfast is asked for its held idle slot-time, see [[IdleSampler]]; not where processor time is measured
  */
final case class Part(
    foregrounds: Seq[String],
    backgrounds: Seq[BackgroundSpec],
    settings: Seq[String],
    blocks: Int = 1,
    rounds: Int = 5,
    warmUp: Boolean = true,
    brief: Boolean = false,
    sampleIdle: Boolean = true
)

/** How much of an experiment a small version has: the first parts, foregrounds and backgrounds, once.
  *
  * @param cluster a smaller one
  */
final case class Quick(parts: Int = 1, foregrounds: Int = 1, backgrounds: Int = 1, cluster: Option[Shape] = None)

/** What runs beside the foreground.
  *
  * @param kind `crowd`: a closed loop that keeps all slots busy; `google`: jobs of an hour of the Google trace; `program`: another
  *   program, again and again; `map-only`: one job of many tasks
  * @param times how many times as long as usual its tasks take
  * @param load of `google`: the share of all slots that its tasks keep busy, when task times are divided to fit
  * @param jobs of `google`
  * @param pace of `google`: times between arrivals are divided by this
  * @param headStartS of `google`: how long it has run when the foreground comes
  * @param widestAfterS of `google`: arrivals are turned round so that the widest job comes so long after the foreground; a short
  *   foreground would else meet none of the few jobs that fill a cluster
  * @param toEnd of `google`: whether all of its jobs run to their end, instead of being cancelled when the foreground has ended
  * @param anytime of `google`: whether the foreground comes at a time that is drawn from the seed, any between the first arrival and
  *   the last. What came earlier has not run then but has been computed, see [[Trace.from]]
  * @param program of `program`: a name as a foreground has it
  * @param first whether it has begun before the foreground comes
  */
final case class BackgroundSpec(
    name: String,
    kind: String,
    times: Int = 1,
    load: Double = 0.9,
    jobs: Int = 100,
    pace: Double = 1,
    headStartS: Int = 10,
    @JsonDeserialize(contentAs = classOf[java.lang.Integer]) widestAfterS: Option[Int] = None,
    toEnd: Boolean = false,
    anytime: Boolean = false,
    program: Option[String] = None,
    first: Boolean = true
) {
  import BackgroundSpec._
  require(Kinds.contains(kind), s"kind is '$kind'; give one of ${Kinds.mkString(", ")}")
  require(
    times > 0 && jobs > 0 && load > 0 && pace > 0 && headStartS > 0,
    s"times is $times, jobs $jobs, load $load, pace $pace, head_start_s $headStartS; give more than 0"
  )
  require(
    !anytime || (kind == Google && !toEnd && widestAfterS.isEmpty),
    "anytime is of backgrounds of kind 'google' without to_end and widest_after_s: leave it or these out"
  )
  require(kind != Program || program.nonEmpty, "a background of kind 'program' needs the program's name: give program")

  /** What it is, for a reader. */
  def words: String = {
    val long = if (times == 1) "" else s", task times $times times as long"
    kind match {
      case Crowd => s"a closed loop of 8 jobs of 64 tasks that sleep ${2 * times} to ${5 * times} s"
      case MapOnly => s"one map-only job of 2000 tasks of $times s"
      case Program => s"${program.mkString}, again and again until the foreground has ended"
      case _ =>
        val comes =
          if (anytime) "at any time between the first and the last of them, drawn from the seed"
          else s"after $headStartS s${widestAfterS.fold("")(s => s", the widest $s s after it")}"
        val end = if (toEnd) "all run to their end" else "cancelled when the foreground has ended"
        s"$jobs jobs of the Google trace, ${Svg.plain(pace)} times as fast as they came there, task times divided to keep ${math
            .round(100 * load)} % of all slots busy meanwhile$long; the foreground comes $comes; $end"
    }
  }
}

object BackgroundSpec {
  val Crowd = "crowd"
  val Google = "google"
  val Program = "program"
  val MapOnly = "map-only"
  private val Kinds = Seq(Crowd, Google, Program, MapOnly)
}

/** A way to schedule: Spark's own, or one of Holdfast's policies.
  *
  * @param holdfast whether Holdfast is switched on
  * @param equal whether foreground and background have equal pools, instead of a foreground with all the weight and the minimum
  *   share, and a priority
  * @param colour of it in all plots
  * @param conf its keys
  */
final case class Setting(
    title: String,
    holdfast: Boolean,
    colour: String,
    conf: Map[String, String] = Map.empty,
    equal: Boolean = false
)

/** What is to be shown, and how it is decided: by the measure's worst median over all foregrounds and backgrounds, or, of what must
  * not happen at all, by the worst round.
  *
  * @param says the claim in words
  * @param paper what the paper says about it; none: nothing
  * @param measure see [[Measures]]
  * @param background its name; none: each, or alone
  * @param foregrounds those that it is about; none: all
  * @param most the largest value with which it holds
  * @param least the least value with which it holds
  */
final case class Claim(
    says: String,
    measure: String,
    setting: String,
    background: Option[String] = None,
    foregrounds: Seq[String] = Nil,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) most: Option[Double] = None,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) least: Option[Double] = None,
    paper: Option[String] = None
)
