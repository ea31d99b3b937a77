package io.holdfast.integration.programs.dashboards

import io.holdfast.integration.measure.{Recorder, Statement}
import io.holdfast.integration.programs.{Context, Load, Tpch}

/** Users with dashboards: a foreground. */
object Dashboards {

  /** Of the program; its width is the number of users. */
  val Name = "dashboards"

  /** A short round, as a smoke test has it, and the time between two statements of a user in it. */
  private val ShortMs = 20000L
  private val ShortThinkMs = 2500L

  /** As many users as the context is wide ask for their dashboards, and have all answers when it returns. */
  def run(context: Context): Unit = {
    prepare(context)
    val users = usersOf(context)
    val asked = if (context.kept) users.dashboards(context.width) else Seq(users.loading)
    val asking = context.clients.start(asked)
    asking.await()
    Recorder.current.add(asking.statements)
    refuseFailed(asking.statements)
  }

  /** Makes the tables known to all sessions. */
  private[dashboards] def prepare(context: Context): Unit = {
    val folder = context.inputs.resolve(s"tpch-${context.scale}")
    Tpch.Tables.foreach { t =>
      context.spark.sql(s"create table if not exists $t using parquet location '${folder.resolve(t).toUri}'")
    }
  }

  private[dashboards] def usersOf(context: Context): Users =
    if (context.warmUp) Users(context.scale, context.seed, ShortMs, ShortThinkMs)
    else Users(context.scale, context.seed)

  /** @throws java.lang.IllegalStateException if one of them failed */
  private[dashboards] def refuseFailed(statements: Seq[Statement]): Unit =
    for (s <- statements; why <- s.error)
      throw new IllegalStateException(s"${s.name} of ${s.user} failed: $why")
}

/** Writers with a statement after the other, and a user of a notebook: a background.
  *
  * @param writers how many
  */
final class Etl(context: Context, writers: Int) extends Load {
  import Etl._

  private val sc = context.spark.sparkContext
  private val users = Dashboards.usersOf(context)
  @volatile private var asking = Option.empty[Asking]

  override def start(): Unit = {
    Dashboards.prepare(context)
    val all = users.writers(writers)
    all.flatMap(w => EtlStatements.tables(w.name)).foreach(context.spark.sql(_))
    asking = Some(context.clients.start(all :+ users.notebook))
  }

  override def awaitReady(recorder: Recorder): Unit = recorder.awaitCrowd(aside = 0)

  /** What has ended by now counts. */
  override def stop(): Unit = asking.foreach { a =>
    a.stop()
    Recorder.current.add(a.statements)
    Dashboards.refuseFailed(a.statements)
  }

  /** What runs is of no interest any more. A statement may be between two of its jobs. */
  override def join(): Unit = asking.foreach { a =>
    while (a.busy) {
      sc.cancelAllJobs()
      Thread.sleep(CancelEveryMs)
    }
  }
}

private object Etl {
  private val CancelEveryMs = 200L
}
