package io.holdfast.integration.programs

import com.fasterxml.jackson.databind.annotation.JsonDeserialize
import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.Result

/** What runs beside the foreground.
  *
  * @param kind `crowd`: a closed loop that keeps all slots busy; `google`: jobs of an hour of the Google trace; `program`: another
  *   program, again and again; `map-only`: one job of many tasks; `steady`: a closed loop that keeps a share of all slots busy; `etl`: `jobs` writers
  *   and a notebook
  * @param times how many times as long as usual its tasks take
  * @param load of `google` and `steady`: the share of all slots that its tasks keep busy; task times, or the number of jobs, fit
  * @param jobs of `google`; of `etl`, its writers
  * @param pace of `google`: times between arrivals are divided by this
  * @param headStartS of `google` and `steady`: how long it has run when the foreground comes
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

  /** Which of the two is there first. */
  def order: String = if (first) Result.BackgroundFirst else Result.ForegroundFirst

  /** What it is, for a reader. */
  def words: String = {
    val long = if (times == 1) "" else s", task times $times times as long"
    kind match {
      case Crowd => s"a closed loop of 8 jobs of 64 tasks that sleep ${2 * times} to ${5 * times} s"
      case MapOnly => s"one map-only job of 2000 tasks of $times s"
      case Steady =>
        s"a closed loop of jobs of ${SteadyLoad.Tasks} tasks that sleep 4 to 8 s, as many jobs as keep ${math
            .round(100 * load)} % of all slots busy where nothing else runs"
      case Etl => s"an ETL of $jobs writers, each with a statement after the other, and a user of a notebook"
      case Program => s"${program.mkString}, again and again until the foreground has ended"
      case _ =>
        val comes =
          if (anytime) "at any time between the first and the last of them, drawn from the seed"
          else s"after $headStartS s${widestAfterS.fold("")(s => s", the widest $s s after it")}"
        val end = if (toEnd) "all run to their end" else "cancelled when the foreground has ended"
        s"$jobs jobs of the Google trace, ${Numbers.plain(pace)} times as fast as they came there, task times divided to keep ${math
            .round(100 * load)} % of all slots busy meanwhile$long; the foreground comes $comes; $end"
    }
  }
}

object BackgroundSpec {
  val Crowd = "crowd"
  val Google = "google"
  val Program = "program"
  val MapOnly = "map-only"
  val Steady = "steady"
  val Etl = "etl"
  private val Kinds = Seq(Crowd, Google, Program, MapOnly, Steady, Etl)
}
