package io.holdfast.integration.programs

import java.nio.file.{Files, Path}
import java.util.SplittableRandom

import io.holdfast.integration.measure.{HoldfastStatus, Recorder}
import io.holdfast.integration.programs.dashboards.Etl

/** Makes the background that an experiment's file describes.
  *
  * @param trace jobs of a trace that the user has, instead of drawn ones
  * @param flag a file that does not exist, of this background alone
  */
final class Loads(context: Context, recorder: Recorder, trace: Option[Trace], flag: Path, replicas: Path) {
  import Loads._
  private val sc = context.spark.sparkContext

  def of(spec: BackgroundSpec): Load = spec.kind match {
    case BackgroundSpec.Crowd => new Background(sc, context.seed, flag, spec.times)
    case BackgroundSpec.MapOnly =>
      val job = TraceJob(0, MapOnlyTasks, MapOnlyTaskMs * spec.times)
      new OpenArrivals(sc, Trace(Seq(job)), spec.name, headStartMs = 1000L, spec.toEnd)
    case BackgroundSpec.Steady =>
      val jobs = math.round(spec.load * recorder.slotsNow / SteadyLoad.Tasks).toInt
      new SteadyLoad(sc, spec.name, context.seed, jobs, 1000L * spec.headStartS)
    case BackgroundSpec.Etl => new Etl(context, spec.jobs)
    case BackgroundSpec.Program =>
      new Repeated(
        Foregrounds.named(spec.program.get, replicas),
        context.copy(outputs = flag.getParent.resolve("beside"))
      )
    case _ =>
      val jobs = met(spec, hour(spec), recorder.slotsNow, context.seed)
      new OpenArrivals(sc, jobs, spec.name, 1000L * spec.headStartS, spec.toEnd, if (spec.anytime) AfterMs else 0)
  }

  /** All jobs of a `google` background, also those that are over before the foreground comes, or come after it. */
  def hour(spec: BackgroundSpec): Trace = trace
    .getOrElse(GoogleHour.sample(spec.jobs, context.seed))
    .paced(spec.pace)
    .fitted(spec.load, recorder.slotsNow, LeastTaskMs)
    .longer(spec.times)
}

object Loads {

  /** Shorter tasks would measure the driver. */
  private val LeastTaskMs = 500L
  private val MapOnlyTasks = 2000
  private val MapOnlyTaskMs = 1000L

  /** Slots may be held for a linger when the foreground has ended. */
  private val AfterMs = HoldfastStatus.LongestLingerMs + 1000L

  /** What of an hour's jobs is run, from the foreground's head start on. */
  def met(spec: BackgroundSpec, hour: Trace, slots: Int, seed: Long): Trace = {
    val headStartMs = 1000L * spec.headStartS
    if (spec.anytime) {
      // Another stream than the one that the jobs are drawn from.
      val comes = new SplittableRandom(seed).split().nextLong(hour.spanMs + 1)
      hour.from(math.max(0, comes - headStartMs), slots)
    } else spec.widestAfterS.fold(hour)(after => hour.turned(headStartMs + 1000L * after))
  }
}

/** A program that runs again and again until [[stop]], which cancels the run that is under way: what it does then is of no interest
  * any more.
  */
final class Repeated(program: Workload, context: Context) extends Load {
  import Repeated._

  private val sc = context.spark.sparkContext
  @volatile private var stopped = false
  @volatile private var failure = Option.empty[Throwable]
  private val thread = new Thread(() => run(), s"beside-${program.name}")
  thread.setDaemon(true)

  def start(): Unit = thread.start()

  def awaitReady(recorder: Recorder): Unit = recorder.awaitBackground()

  def stop(): Unit = stopped = true

  def join(): Unit = {
    // The program may be between two of its jobs while this is called.
    while (thread.isAlive) {
      sc.cancelJobGroup(Group)
      thread.join(CancelEveryMs)
    }
    failure.foreach(e => throw new IllegalStateException(s"${program.title} in the background failed", e))
  }

  private def run(): Unit =
    try {
      sc.setLocalProperty("spark.scheduler.pool", Recorder.Background)
      sc.setJobGroup(Group, program.title, interruptOnCancel = true)
      Iterator.from(1).takeWhile(_ => !stopped).foreach { i =>
        program.run(context.copy(outputs = Files.createDirectories(context.outputs.resolve(i.toString))))
      }
    } catch { case e: Throwable => if (!stopped) failure = Some(e) }
}

object Repeated {
  private val Group = "beside"
  private val CancelEveryMs = 200L
}
