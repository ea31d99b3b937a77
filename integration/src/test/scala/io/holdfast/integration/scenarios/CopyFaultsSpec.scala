package io.holdfast.integration.scenarios

import java.nio.file.{FileAlreadyExistsException, Files, Path, Paths, StandardOpenOption}

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import org.apache.spark.{SparkEnv, Success, TaskContext}

/** Executors that die while stragglers have copies, each beside a finished map output and beside a crowd. */
class CopyFaultsSpec extends SharedApplication {
  private val Slots = 4

  override protected def master = s"local-cluster[2,${Slots / 2},512]"
  override protected def conf: Seq[(String, String)] = Seq(
    "spark.holdfast.copies" -> "shuffle",
    "spark.holdfast.linger.first" -> "5s"
  )

  // More than once only in the nightly run: each waits for a new executor.
  for (round <- 1 to (if (Scenarios.Nightly) 20 else 2))
    if (round % 2 == 0) scenario(s"what an executor lost runs again, what another one has does not (round $round)") {
      new Round(_, round, before = false).run()
    }
    else
      scenario(s"the same when what it had read is lost, too, and its stage is tried again (round $round)") {
        new Round(_, round, before = true).run()
      }

  /** A map stage of which one task on each executor ends and the other one straggles: its copy begins on the other
    * executor. Then one of both is killed.
    *
    * @param before
    *   whether the stage reads the output of another one
    */
  private class Round(app: App, round: Int, before: Boolean) {
    private val role = s"survivor-$round"
    private val folder = Files.createDirectory(app.folder.resolve(s"executors-$round"))
    private val (go, all) = (Gate(s"$folder/go"), Gate(s"$folder/all"))
    private val expected = if (before) 2 * Slots else Slots

    private def own: Seq[Launch] = app.launches.of(role)
    private def needless: Seq[Launch] = app.launches.needless

    def run(): Unit = {
      app.awaitExecutors(2)
      val important = start()
      // The stage before it may have copies, too, where the machine is busy.
      app.await("its map stage")(own.count(_.attempt == 0) == expected)
      val stage = own.last.stage
      def tasks = own.filter(_.stage == stage)
      val crowd = new Crowd(app).start()
      val copied = status("copies")
      go.open()
      app.await("two that ended well")(finished(stage).size == Slots / 2)
      app.await("a copy of each straggler")(needless.nonEmpty || tasks.count(_.attempt > 0) == Slots / 2)
      assert(needless.isEmpty)
      val lost = finished(stage).head
      kill(folder.resolve(s"pid-${lost.executor}"))
      app.await("the loss of the executor")(app.launches.gone.contains(lost.executor))
      // The stragglers' attempts on the other executor go on meanwhile.
      if (!before) app.await("a second output of what was lost")(finished(stage).exists(again(_, lost)))
      else assert(important.result == 6.0)
      all.open()
      assert(important.result == 6.0)
      crowd.stop()
      app.drain()
      assert(needless.isEmpty)
      assert(status("copies") >= copied + Slots / 2)
      if (before) assert(tasks.exists(_.stageAttempt > 0)) else assert(tasks.count(again(_, lost)) == 1)
    }

    private def start(): Running[Double] = {
      val (base, n) = (folder.toString, Slots)
      app.start(role, "spark.holdfast.priority" -> "5") {
        if (before) {
          val first = Programs.next(app.stage(n)(_ => ()), n)(_ => CopyFaults.work(base))
          Programs.next(first, n)(_ => ()).sum()
        } else Programs.next(app.stage(n)(_ => CopyFaults.work(base)), n)(_ => ()).sum()
      }
    }

    private def finished(stage: Int): Seq[Launch] =
      app.launches.ends(role).collect { case (launch, Success) if launch.stage == stage => launch }

    private def again(launch: Launch, lost: Launch): Boolean = launch.index == lost.index && launch.id > lost.id
  }

  private def status(what: String): Int = Json.tree(Holdfast.status()).required(what).asInt

  private def kill(pidFile: Path): Unit = {
    val process = ProcessHandle.of(Files.readString(pidFile).trim.toLong).get
    assert(process.destroyForcibly())
    process.onExit().get()
    ()
  }

  end()
}

/** What tasks do there, in executors. */
object CopyFaults {

  /** The first attempt on each executor ends when the gate "go" opens, others when "all" does; in a stage that is tried
    * again all end at once.
    */
  def work(base: String): Unit =
    if (TaskContext.get().stageAttemptNumber() == 0)
      (if (isFirst(base)) Gate(s"$base/go") else Gate(s"$base/all")).await()

  /** Who is the first on its executor leaves the process's id, once: a copy that writes it again could be read half done. */
  private def isFirst(base: String): Boolean = {
    val file = Paths.get(base, s"pid-${SparkEnv.get.executorId}")
    try { Files.writeString(file, ProcessHandle.current().pid().toString, StandardOpenOption.CREATE_NEW); true }
    catch { case _: FileAlreadyExistsException => false }
  }
}
