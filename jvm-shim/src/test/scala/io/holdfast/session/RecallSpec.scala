package io.holdfast.session

import java.nio.file.{Files, Path}

import scala.collection.mutable

import io.holdfast.bridge.NativeEngine
import io.holdfast.config.Settings
import io.holdfast.history.{History, HistoryFixture}
import io.holdfast.identity.Identity

/** What the engine hears of earlier applications. */
class RecallSpec extends HistoryFixture {

  /** Begins a job with one task set; what the engine hears of it. */
  private def submit(
      jobs: Jobs,
      said: mutable.Buffer[Seq[Int]],
      id: Int,
      name: String,
      recurs: Boolean,
      kin: String = null
  ): Seq[Int] = {
    said.clear()
    val identity = new Identity(name, true, 5, Settings.ONE, 0, null, false, kin, recurs, null, null, null)
    val job = jobs.submit(id, identity, null, true)
    jobs.planned(job, plan)
    jobs.begin(job, 0, false, new SetRef.Shape(1, 0, Array(1000, 0, 0, 0), NativeEngine.RESULT, () => true))
    said.map(_.head).toSeq
  }

  private def heard(said: mutable.Buffer[Seq[Int]]): Jobs.Steps = (kind, a, b, c, d, e, f) => {
    said += Seq(kind, a, b, c, d, e, f)
    ()
  }

  /** An application after others that ran one workflow each: the folder, its history, its jobs, and what the engine hears. */
  private def after(names: String*)(body: (Path, History, Jobs, mutable.Buffer[Seq[Int]]) => Unit): Unit =
    withFolder { folder =>
      names.foreach(run(folder.toString, _, 40))
      val history = open(folder.toString)
      recalled(history, "", names.size)
      val said = mutable.Buffer[Seq[Int]]()
      body(folder, history, new Jobs(heard(said), (_, _, _) => (), history), said)
    }

  test("all that repeat a statement are one entry, whoever's they are, with all their runs") {
    after("statement:q") { (folder, history, jobs, said) =>
      val users = Seq("ann", "bob", "cat")
      val recalls = users.zipWithIndex.map { case (user, id) =>
        submit(jobs, said, id, s"user:$user/statement:q", recurs = true, kin = "statement:q")
          .count(_ == NativeEngine.RECALLED)
      }
      assert(recalls == Seq(1, 0, 0), "what the first knows all know")
      history.close(patterns(0 -> 50), PatienceMillis)
      assert(files(folder).exists(Files.readString(_).contains("\"runs\":3")))
      assert(recall(folder.toString, 1, "statement:q") == Seq(Seq(50)))
    }
  }

  test("what the engine has forgotten and comes back is recalled again, and is in the history") {
    after("etl") { (folder, history, jobs, said) =>
      def recalls(id: Int): Int = {
        val heard = submit(jobs, said, id, "etl", recurs = true).count(_ == NativeEngine.RECALLED)
        jobs.ended(id, true)
        heard
      }
      assert(Seq(0, 1).map(recalls) == Seq(1, 0))
      forget(history)
      assert(Seq(2, 3).map(recalls) == Seq(1, 0))
      history.close(patterns(0 -> 70), PatienceMillis)
      assert(recall(folder.toString, 1, "etl") == Seq(Seq(70)))
    }
  }

  test("a name that recurs is recalled once, before its first task set; one that does not is neither told nor kept") {
    after("etl", "sql:1") { (folder, history, jobs, said) =>
      import NativeEngine.{JOB_SUBMITTED, RECALLED, SET_SUBMITTED, STAGE_PLANNED, WORKFLOW_OPENED}
      val opened = Seq(WORKFLOW_OPENED, JOB_SUBMITTED)
      val begun = Seq(STAGE_PLANNED, SET_SUBMITTED)
      assert(submit(jobs, said, 0, "etl", recurs = true) == (opened :+ RECALLED) ++ begun)
      assert(said(2) == Seq(RECALLED, 0, 0, 0, 4000000000L.toInt, 40, 12))
      assert(submit(jobs, said, 1, "etl", recurs = true) == opened ++ begun, "once")
      assert(submit(jobs, said, 2, "sql:1", recurs = false) == opened ++ begun)
      history.close(patterns(0 -> 50, 1 -> 60), PatienceMillis)
      assert(recall(folder.toString, 2, "etl", "sql:1") == Seq(Seq(50), Seq(40)))
    }
  }
}
