package io.holdfast.integration.programs

import java.io.{BufferedReader, InputStream, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.SplittableRandom
import java.util.zip.GZIPInputStream

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

/** Reads the `task_events` files of Google's ClusterData2011-2, as published: CSV, times in microseconds, `.gz` or plain. A job is
  * as wide as it has tasks that finished; its tasks take the mean of theirs, from the last schedule to the end.
  */
object ClusterData {
  private val Submit = "0"
  private val Schedule = "1"
  private val Finish = "4"
  private val MicrosPerHour = 3600L * 1000000L

  /** Of an event before the trace's beginning, and after its end. */
  private val Unknown = Set(0L, Long.MaxValue)

  private final class Job(val submitted: Long) {
    val scheduled: mutable.Map[String, Long] = mutable.Map.empty
    val took: mutable.Map[String, Long] = mutable.Map.empty
  }

  /** Jobs that arrive in an hour of the files and have a task that finished: so many of them, drawn from the seed, in the order of
    * their arrivals; all if there are no more.
    *
    * @throws java.lang.IllegalArgumentException naming file and line of what is no such event, or when no job is found
    */
  def read(files: Seq[Path], hour: Int, jobs: Int, seed: Long): Trace = {
    val found = mutable.LinkedHashMap.empty[String, Job]
    files.foreach(file => Using.resource(open(file))(in => events(file, in).foreach(take(found, hour, _))))
    val random = new SplittableRandom(seed)
    val all = found.values.filter(_.took.nonEmpty).toSeq.sortBy(_.submitted)
    val drawn = all.indices.map(_ -> random.nextLong()).sortBy(_._2).take(jobs).map(_._1)
    val ended = drawn.sorted.map(all)
    require(
      ended.nonEmpty,
      s"no job of hour $hour finished a task in ${files.mkString(", ")}: give another hour or more files"
    )
    Trace(ended.map { job =>
      val mean = job.took.values.sum / job.took.size
      TraceJob(
        (job.submitted - ended.head.submitted) / 1000,
        job.took.size,
        math.max(1L, math.round(mean / 1000.0))
      )
    })
  }

  private final case class Event(micros: Long, job: String, task: String, kind: String)

  private def take(found: mutable.Map[String, Job], hour: Int, event: Event): Unit = {
    if (event.kind == Submit && !Unknown(event.micros) && event.micros / MicrosPerHour == hour)
      found.getOrElseUpdate(event.job, new Job(event.micros))
    found.get(event.job).foreach { job =>
      if (event.kind == Schedule) job.scheduled(event.task) = event.micros
      else if (event.kind == Finish && !Unknown(event.micros))
        job.scheduled.get(event.task).foreach(from => job.took(event.task) = event.micros - from)
    }
  }

  private def open(file: Path): BufferedReader = {
    val plain: InputStream = Files.newInputStream(file)
    val in = if (file.toString.endsWith(".gz")) new GZIPInputStream(plain) else plain
    new BufferedReader(new InputStreamReader(in, UTF_8))
  }

  /** Columns: time, missing info, job, task index, machine, event type, and more that is of no use here. */
  private def events(file: Path, lines: BufferedReader): Iterator[Event] =
    lines.lines().iterator().asScala.zipWithIndex.map { case (line, i) =>
      val columns = line.split(",", 7)
      val time = columns.head.toLongOption
      require(
        columns.length >= 6 && time.nonEmpty,
        s"$file, line ${i + 1} is no task event of ClusterData2011-2 (time in microseconds, missing info, job, task, machine, event type, ...): $line"
      )
      Event(time.get, columns(2), columns(3), columns(5))
    }
}
