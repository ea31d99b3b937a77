//! How attempts end (`statusUpdate`, `handleSuccessfulTask`, `handleFailedTask`, `executorLost` of Spark 4.1; the
//! shim's `slotFreed`).

use crate::driver::classify::{classify, take_out};
use crate::driver::decisions::tell;
use crate::driver::round::rounds::offer;
use crate::driver::state::Driver;
use crate::driver::tasks::attempt::{Attempt, Ending};
use crate::driver::tasks::set::Ended;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::ids::NONE;
use crate::world::draw::About;
use holdfast_engine::{AttemptId, Event as EngineEvent, Outcome};

/// Ends an attempt at its planned time.
pub(crate) fn end_by_itself(driver: &mut Driver<'_>, attempt: u32) {
    let a = &mut driver.tasks.attempts[attempt as usize];
    a.end = None;
    let ending = if a.doomed { Ending::Killed } else { a.ending };
    end(driver, attempt, ending);
}

/// Ends an attempt whose kill arrives at its executor.
pub(crate) fn killed(driver: &mut Driver<'_>, attempt: u32, number: u32) {
    let a = driver.tasks.attempts.get(attempt as usize);
    if a.is_some_and(|a| a.number == number && a.runs) {
        end(driver, attempt, Ending::Killed);
    }
}

/// Ends an attempt: its slot is free, and is offered again (`StatusUpdate`).
pub(crate) fn end(driver: &mut Driver<'_>, attempt: u32, ending: Ending) {
    let a = &mut driver.tasks.attempts[attempt as usize];
    a.runs = false;
    a.ending = ending;
    let planned = a.end.take();
    let Attempt { number, set, executor, launched, .. } = *a;
    if let Some(ticket) = planned {
        driver.agenda.queue.cancel(ticket);
    }
    let outcome = match ending {
        Ending::Finished => Outcome::Finished,
        Ending::Failed | Ending::FetchFailed => Outcome::Failed,
        Ending::Killed => Outcome::NotFinished,
    };
    tell(driver, EngineEvent::SlotFreed { attempt: AttemptId(number), outcome });
    stop_running(driver, set);
    let delay = match driver.world.spark.result_ms {
        0 => 0,
        most => driver.draw.about(About::Result).of(u64::from(number)).up_to(most),
    };
    driver.agenda.plan(u64::from(delay) * MILLI, SimEvent::Settle(attempt));
    let demand = driver.tasks.sets[set as usize].kind.demand;
    let foreground = driver.tasks.sets[set as usize].kind.foreground;
    driver.meter.freed(
        driver.agenda.now,
        foreground,
        driver.agenda.now.since(launched),
        ending != Ending::Finished,
    );
    driver.cluster.give(executor, demand);
    offer(driver, executor);
}

/// Counts an attempt off (`removeRunningTask`).
pub(crate) fn stop_running(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    s.count.running -= 1;
    let pool = driver.queues.order.lanes[s.lane as usize].pool;
    driver.queues.order.pools[pool as usize].running -= 1;
    if driver.queues.order.moves(driver.tasks.sets[set as usize].lane) {
        classify(driver, set);
    }
}

/// Looks at how an attempt ended.
pub(crate) fn settle(driver: &mut Driver<'_>, attempt: u32) {
    let a = driver.tasks.attempts[attempt as usize];
    if !a.settled {
        if a.ending == Ending::Finished {
            handle_successful(driver, attempt);
        } else {
            handle_failed(driver, attempt);
            let s = &driver.tasks.sets[a.set as usize];
            if !s.life.zombie && !s.tasks[a.task as usize].successful {
                driver.agenda.revive_offers();
            }
        }
    }
    forget_attempt(driver, attempt);
}

/// Frees an attempt to which nothing refers any more.
pub(crate) fn forget_attempt(driver: &mut Driver<'_>, attempt: u32) {
    let a = driver.tasks.attempts.remove(attempt as usize);
    let s = &mut driver.tasks.sets[a.set as usize];
    s.count.unsettled -= 1;
    forget_set(driver, a.set);
}

/// Marks that Spark knows how an attempt ended. The task's list of attempts is without it from now on.
fn mark_settled(driver: &mut Driver<'_>, attempt: u32) -> Attempt {
    let a = &mut driver.tasks.attempts[attempt as usize];
    a.settled = true;
    let a = *a;
    let task = &mut driver.tasks.sets[a.set as usize].tasks[a.task as usize];
    if task.latest == attempt {
        task.latest = a.next;
    } else {
        let mut before = task.latest;
        while before != NONE && driver.tasks.attempts[before as usize].next != attempt {
            before = driver.tasks.attempts[before as usize].next;
        }
        if before != NONE {
            driver.tasks.attempts[before as usize].next = a.next;
        }
    }
    if driver.keeps_ended() {
        let Attempt { number, task, executor, superseded, .. } = a;
        let ended = Ended { number, task, executor, superseded };
        driver.tasks.sets[a.set as usize].ended.push(ended);
    }
    a
}

/// Handles an attempt that ended well (`handleSuccessfulTask`).
fn handle_successful(driver: &mut Driver<'_>, attempt: u32) {
    let a = driver.tasks.attempts[attempt as usize];
    let (set, task) = (a.set, a.task);
    if driver.tasks.sets[set as usize].tasks[task as usize].successful && a.superseded {
        return handle_failed(driver, attempt);
    }
    mark_settled(driver, attempt);
    let s = &mut driver.tasks.sets[set as usize];
    if let Some(speculated) = &mut s.speculated {
        speculated.finished(driver.agenda.now.since(a.launched));
    }
    kill_others(driver, set, task);
    let s = &mut driver.tasks.sets[set as usize];
    if s.mark_done(task) {
        driver.meter.finished(a.copy);
        if s.is_done() {
            take_out(driver, set);
        }
    }
    let s = &driver.tasks.sets[set as usize];
    let (stage, partition, stage_attempt) = (s.stage, s.partition(task), s.source.stage_attempt);
    driver.dag.stages[stage as usize].ran(partition, a.executor);
    let lag = driver.world.spark.lag_ms * MILLI;
    driver.agenda.plan(lag, SimEvent::Done(stage, partition, stage_attempt));
    maybe_finish(driver, set);
}

/// Kills other attempts of a task that is done.
fn kill_others(driver: &mut Driver<'_>, set: u32, task: u32) {
    let mut other = driver.tasks.sets[set as usize].tasks[task as usize].latest;
    while other != NONE {
        driver.tasks.attempts[other as usize].superseded = true;
        let (stage, executor) =
            (driver.tasks.sets[set as usize].stage, driver.tasks.attempts[other as usize].executor);
        driver.dag.stages[stage as usize].ran_in_vain(executor);
        kill(driver, other);
        other = driver.tasks.attempts[other as usize].next;
    }
}

/// Sends a kill (`killTask` of the backend).
pub(crate) fn kill(driver: &mut Driver<'_>, attempt: u32) {
    let a = &mut driver.tasks.attempts[attempt as usize];
    if !a.runs {
        return;
    }
    let drawn = driver.draw.about(About::Kill).of(u64::from(a.number));
    if driver.world.faults.stubborn > 0.0 && drawn.uniform() < driver.world.faults.stubborn {
        a.doomed = true;
        return;
    }
    let number = a.number;
    let millis = u64::from(drawn.up_to(driver.world.spark.kill_ms));
    driver.agenda.plan(millis * MILLI, SimEvent::Killed(attempt, number));
}

/// Handles an attempt that did not end well (`handleFailedTask`).
pub(crate) fn handle_failed(driver: &mut Driver<'_>, attempt: u32) {
    let a = mark_settled(driver, attempt);
    let result_lost = a.ending == Ending::Finished;
    if a.ending == Ending::FetchFailed {
        give_up(driver, a.set, a.task);
    }
    if driver.tasks.sets[a.set as usize].kind.together {
        let s = &driver.tasks.sets[a.set as usize];
        let (stage, attempt) = (s.stage, s.source.stage_attempt);
        take_out(driver, a.set);
        driver
            .agenda
            .plan(driver.world.spark.lag_ms * MILLI, SimEvent::BarrierStageFailed(stage, attempt));
    }
    let s = &mut driver.tasks.sets[a.set as usize];
    let t = &mut s.tasks[a.task as usize];
    let waited = t.waits();
    // Where another attempt of the stage has completed its partition, an executor's loss counts it twice.
    t.copies = t.copies.saturating_sub(1);
    s.count.waiting += u32::from(t.waits() && !waited);
    if !t.successful {
        s.put_back(a.task);
        if result_lost && !s.life.zombie && !s.life.over {
            let (set, task) = (s.id, a.task);
            tell(driver, EngineEvent::Unfinished { set, task });
        }
        classify(driver, a.set);
    }
    maybe_finish(driver, a.set);
}

/// Gives a set up of which a task has not found its input: it launches nothing any more, that task neither.
fn give_up(driver: &mut Driver<'_>, set: u32, task: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    s.mark_done(task);
    let (stage, attempt) = (s.stage, s.source.stage_attempt);
    take_out(driver, set);
    driver.agenda.plan(driver.world.spark.lag_ms * MILLI, SimEvent::FetchFailed(stage, attempt));
}

/// Puts a task back that was done and whose output is lost (`Resubmitted`).
pub(crate) fn resubmit(driver: &mut Driver<'_>, set: u32, task: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    let t = &mut s.tasks[task as usize];
    t.successful = false;
    t.copies -= 1;
    s.count.waiting += u32::from(t.waits());
    s.count.done -= 1;
    s.put_back(task);
    let (stage, partition) = (s.stage, s.partition(task));
    let event = if s.kind.together {
        SimEvent::BarrierStageFailed(stage, s.source.stage_attempt)
    } else {
        SimEvent::Resubmitted(stage, partition)
    };
    driver.agenda.plan(driver.world.spark.lag_ms * MILLI, event);
}

/// Ends a set that launches nothing any more and of which nothing runs (`maybeFinishTaskSet`).
pub(crate) fn maybe_finish(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    if !s.life.zombie || s.count.running > 0 || s.life.finished {
        return;
    }
    s.life.finished = true;
    let (owner, id, over) = (s.owner, s.id, std::mem::replace(&mut s.life.over, true));
    driver.shim.workflows[owner as usize].sets.retain(|&other| other != set);
    driver.queues.special.retain(|&other| other != set);
    leave_job(driver, set);
    if !over {
        tell(driver, EngineEvent::SetEnded { set: id });
    }
    forget_set(driver, set);
}

/// Takes a set that has left the scheduler out of its job.
fn leave_job(driver: &mut Driver<'_>, set: u32) {
    let job = driver.tasks.sets[set as usize].source.job;
    driver.dag.jobs[job as usize].sets.retain(|&other| other != set);
}

/// Frees a set that has left the scheduler, when no attempt refers to it any more.
pub(crate) fn forget_set(driver: &mut Driver<'_>, set: u32) {
    let s = &driver.tasks.sets[set as usize];
    if s.life.finished && s.count.unsettled == 0 {
        driver.tasks.sets.remove(set as usize);
    }
}
