package io.holdfast.integration.programs

import java.nio.file.{Files, Path}

import io.holdfast.integration.Json

/** Programs that an experiment's file may name: workloads as `NAME` or, with another width than usual, `NAME@WIDTH`, either with
  * `*TIMES` behind it when it is to run so many times in a row; their replicas as `replica:NAME@WIDTH`, and `replica:NAME@WIDTH:20s` with tasks so many times as long as recorded that it takes 20 s
  * when no task waits.
  */
object Foregrounds {
  private val Replicated = "replica:([a-z0-9@-]+)(?::([0-9]+)s)?".r
  private val InARow = "(.+)\\*([1-9][0-9]?)".r
  private val Wide = "([a-z-]+)@([0-9]+)".r

  /** In a round that warms up tasks sleep a tenth of their time. */
  private val WarmUp = 0.1

  /** @throws java.lang.IllegalArgumentException if there is none of that name */
  def named(name: String, replicas: Path): Workload = name match {
    case Replicated(program, seconds) =>
      val replica = Json.load[Replica](fileOf(replicas, program))
      val scaled = Option(seconds).fold(replica)(s => replica.lasting(1000 * s.toLong))
      Workload(
        name,
        s"${replica.title}, replica",
        replica.widest,
        None,
        context => (if (context.warmUp) scaled.scaled(WarmUp) else scaled).run(context.spark.sparkContext)
      )
    case _ => computing(name)
  }

  /** A program that computes. */
  def computing(name: String): Workload = name match {
    case InARow(program, times) => computing(program).times(times.toInt)
    case Wide(program, width) => Workload.named(program).wide(width.toInt)
    case _ => Workload.named(name)
  }

  /** Whether it takes another time with each seed: a replica's tasks take what was recorded. */
  def isDrawn(name: String): Boolean = name match {
    case Replicated(_, _) => false
    case _ => computing(name).drawn
  }

  /** Its name as part of a file's. */
  def fileName(program: String): String = program.replaceAll("[^a-z0-9]+", "-")

  def fileOf(replicas: Path, program: String): Path = replicas.resolve(s"${program.replace('@', '-')}.json")

  /** The file of a replica; none of a program that computes. */
  def recording(name: String, replicas: Path): Option[Path] = name match {
    case Replicated(program, _) => Some(fileOf(replicas, program))
    case _ => None
  }

  /** @throws java.lang.IllegalArgumentException if there is none of that name */
  def check(name: String, replicas: Path): Unit = name match {
    case Replicated(program, _) =>
      val file = fileOf(replicas, program)
      if (Files.notExists(file))
        throw new IllegalArgumentException(s"'$name' needs $file: record it with ./gradlew recordReplicas")
    case _ => computing(name); ()
  }
}
