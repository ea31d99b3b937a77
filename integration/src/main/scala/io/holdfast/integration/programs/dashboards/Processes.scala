package io.holdfast.integration.programs.dashboards

import java.io.IOException
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import io.holdfast.integration.{Children, Json}
import io.holdfast.integration.measure.{Recorder, Statement}

/** Users as processes, each a client of a server in this JVM, told apart by their names or their pools.
  *
  * @param folder below which their files are
  */
final class Processes(server: Server, folder: Path) extends Clients {
  override def start(users: Seq[User]): Asking = {
    val own = Files.createTempDirectory(Files.createDirectories(folder), "users-")
    Processes.instead(new ClientProcesses(users.map(new ClientProcess(server, own, _))))
  }
}

/** Those that have all answers keep their sessions while others ask: when a session of a Thrift server ends, a statement of another
  * one may find that a table is not there.
  */
private object Processes {
  private var kept = Seq.empty[ClientProcesses]

  /** Starts users; those of earlier rounds, who all have their answers, end before. */
  def instead(next: => ClientProcesses): ClientProcesses = synchronized {
    val (asking, former) = kept.partition(_.busy)
    if (asking.isEmpty) former.foreach(_.end())
    val started = next
    kept = (if (asking.isEmpty) Nil else kept) :+ started
    started
  }
}

/** What the program of a user is told.
  *
  * @param server its kind
  * @param keys of a session: the pool's, and that of the statement's number
  * @param ready a file that it makes when it is connected
  * @param done a file that it makes when it has all answers
  * @param results a file to which it adds a line for each statement that has ended
  */
private final case class ClientSpec(
    server: String,
    port: Int,
    user: User,
    keys: ClientKeys,
    ready: String,
    done: String,
    results: String
)
private final case class ClientKeys(pool: String, statement: String)

/** A user's process. It listens to what its standard input says, and ends with this JVM.
  *
  * @param folder shared with others
  */
private final class ClientProcess(server: Server, folder: Path, val user: User) {
  import ClientProcess._

  private def file(end: String) = folder.resolve(s"${user.name}$end")
  private val console = file(".log")
  private val ready = file(".ready")
  private val done = file(".done")
  private val results = Files.createFile(file(".jsonl"))
  private val process = start()

  private def start(): Process = {
    val keys = ClientKeys("spark.scheduler.pool", Recorder.StatementId)
    val port = server.access.port
    val spec = ClientSpec(server.spec.kind, port, user, keys, ready.toString, done.toString, results.toString)
    Json.save(file(".json"), spec)
    // -B: no compiled files next to the sources.
    val builder = new ProcessBuilder(server.spec.python, "-B", server.spec.program, file(".json").toString)
      .redirectErrorStream(true)
      .redirectOutput(console.toFile)
    // It is a client: a Spark of its own is none of its business.
    Seq("SPARK_HOME", "SPARK_REMOTE", "PYTHONPATH").foreach(builder.environment().remove)
    // A secret is here only: others may read files, and a command line.
    builder.environment().putAll(server.access.variables.asJava)
    Children.start(builder)
  }

  def awaitReady(): Unit = {
    val deadline = System.nanoTime() + StartS * 1000000000L
    while (Files.notExists(ready)) {
      if (!process.isAlive || System.nanoTime() > deadline) fail("does not connect")
      Thread.sleep(20)
    }
  }

  /** One that has ended hears nothing: that is found elsewhere. */
  def say(words: String): Unit =
    try {
      process.getOutputStream.write(s"$words\n".getBytes)
      process.getOutputStream.flush()
    } catch { case _: IOException => () }

  def await(): Unit = {
    while (busy) Thread.sleep(20)
    refuseFailed()
  }

  /** @throws java.lang.IllegalStateException if it has ended without all answers */
  def refuseFailed(): Unit = if (!process.isAlive && Files.notExists(done)) fail(s"ended with ${process.exitValue()}")

  def busy: Boolean = process.isAlive && Files.notExists(done)

  /** Lets it end its sessions. */
  def end(): Unit = {
    say("end")
    process.waitFor(EndS, TimeUnit.SECONDS)
    Children.end(process)
  }

  /** Of lines that are whole. */
  def statements: Seq[Statement] =
    Files.readString(results).linesWithSeparators.filter(_.endsWith("\n")).map(Json.read[Statement](_)).toSeq

  private def fail(how: String) = {
    val words = Files.readAllLines(console).asScala.takeRight(8).mkString("\n")
    throw new IllegalStateException(s"the process of ${user.name} $how: $words (see $console)")
  }
}

private object ClientProcess {
  private val StartS = 120L
  private val EndS = 10L
}

/** Users' processes, which all begin at one moment. */
private final class ClientProcesses(all: Seq[ClientProcess]) extends Asking {
  import ClientProcesses._

  try {
    all.foreach(_.awaitReady())
    val begin = System.currentTimeMillis() + LeadMs
    all.foreach(_.say(s"begin $begin"))
  } catch { case e: Throwable => end(); throw e }

  override def await(): Unit = all.foreach(_.await())

  override def stop(): Unit = {
    all.foreach(_.refuseFailed())
    all.foreach(_.say("stop"))
  }

  override def busy: Boolean = all.exists(_.busy)

  def end(): Unit = all.foreach(_.end())

  override def statements: Seq[Statement] = all.flatMap(_.statements)
}

private object ClientProcesses {

  /** From the word that they begin to the beginning: first sessions are made ready meanwhile. */
  private val LeadMs = 1500L
}
