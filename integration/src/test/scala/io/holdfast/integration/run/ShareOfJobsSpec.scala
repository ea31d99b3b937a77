package io.holdfast.integration.run

import io.holdfast.integration.plan.Preemption
import org.scalatest.funsuite.AnyFunSuite

class ShareOfJobsSpec extends AnyFunSuite {
  private val rule = Preemption(threshold = 0.5, timeoutS = 30, intervalS = 5)

  /** Four slots, all of them run job 1's tasks 0 to 3. */
  private def full = {
    val jobs = new ShareOfJobs(rule, slots = 4)
    jobs.belongs(10, 1)
    jobs.submitted(10, 8, first = false)
    (0L to 3L).foreach(jobs.launched(10, _))
    jobs
  }

  test("an important job that has had less than half of what it wants for the timeout gets it, youngest first") {
    val jobs = full
    jobs.belongs(20, 2)
    jobs.submitted(20, 2, first = true)
    assert(jobs.victims(0) == Nil && jobs.victims(29999) == Nil)
    assert(jobs.victims(30000) == Seq(3L, 2L))
    assert(jobs.victims(30001) == Nil, "they have been killed already")
  }

  test("whoever has half of its share is not starved, and the time begins anew") {
    val jobs = full
    jobs.belongs(20, 2)
    jobs.submitted(20, 2, first = true)
    jobs.victims(0)
    jobs.ended(10, 3, well = true)
    jobs.launched(20, 4)
    assert(jobs.victims(30000) == Nil)
    jobs.ended(20, 4, well = false)
    assert(jobs.victims(31000) == Nil && jobs.victims(60999) == Nil)
    assert(jobs.victims(61000) == Seq(2L), "of two that it wants it gets the one that is free, and one more")
  }

  test("equal jobs get equal shares") {
    val jobs = full
    jobs.belongs(20, 2)
    jobs.submitted(20, 8, first = false)
    jobs.victims(0)
    assert(jobs.victims(30000) == Seq(3L, 2L))
  }

  test("of important jobs none is robbed for others") {
    val jobs = new ShareOfJobs(rule, slots = 4)
    jobs.belongs(10, 1)
    jobs.submitted(10, 4, first = true)
    (0L to 3L).foreach(jobs.launched(10, _))
    jobs.belongs(20, 2)
    jobs.submitted(20, 8, first = false)
    jobs.victims(0)
    assert(jobs.victims(30000) == Nil)
  }

  test("a stage that has ended wants nothing") {
    val jobs = full
    jobs.belongs(20, 2)
    jobs.submitted(20, 2, first = true)
    jobs.victims(0)
    jobs.completed(20)
    assert(jobs.victims(30000) == Nil)
  }
}
