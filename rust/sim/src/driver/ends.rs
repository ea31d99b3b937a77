//! How attempts end (`statusUpdate`, `handleSuccessfulTask`, `handleFailedTask`, `executorLost` of Spark 4.1; the
//! shim's `slotFreed`).

use holdfast_engine::{AttemptId, Event as EngineEvent, Outcome};

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::state::{Event, Host, MILLI};
use crate::driver::tasks::attempt::{Attempt, Ending};
use crate::driver::tasks::set::Ended;
use crate::driver::tasks::speculation::is_slow;
use crate::ids::NONE;
use crate::world::draw::About;

impl Host<'_> {
    /// An attempt comes to its end.
    pub(crate) fn end_by_itself(&mut self, attempt: u32) {
        let a = &mut self.attempts[attempt as usize];
        a.end = None;
        let ending = if a.doomed { Ending::Killed } else { a.ending };
        self.end(attempt, ending);
    }

    /// A kill arrives at an executor.
    pub(crate) fn killed(&mut self, attempt: u32, number: u32) {
        let a = self.attempts.get(attempt as usize);
        if a.is_some_and(|a| a.number == number && a.runs) {
            self.end(attempt, Ending::Killed);
        }
    }

    /// `StatusUpdate`: the slot is free, and is offered again.
    fn end(&mut self, attempt: u32, ending: Ending) {
        let a = &mut self.attempts[attempt as usize];
        a.runs = false;
        a.ending = ending;
        let planned = a.end.take();
        let Attempt { number, set, executor, launched, .. } = *a;
        if let Some(ticket) = planned {
            self.queue.cancel(ticket);
        }
        let outcome = match ending {
            Ending::Finished => Outcome::Finished,
            Ending::Failed | Ending::FetchFailed => Outcome::Failed,
            Ending::Killed => Outcome::NotFinished,
        };
        self.tell(EngineEvent::SlotFreed { attempt: AttemptId(number), outcome });
        self.stop_running(set);
        let delay = match self.world.spark.result_ms {
            0 => 0,
            most => self.draw.about(About::Result).of(u64::from(number)).up_to(most),
        };
        self.plan(u64::from(delay) * MILLI, Event::Settle(attempt));
        let demand = self.sets[set as usize].demand;
        let foreground = self.sets[set as usize].foreground;
        self.meter.freed(
            self.now,
            foreground,
            self.now.since(launched),
            ending != Ending::Finished,
        );
        self.cluster.give(executor, demand);
        self.offer(executor);
    }

    /// `removeRunningTask`.
    pub(crate) fn stop_running(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        s.running -= 1;
        let pool = self.order.lanes[s.lane as usize].pool;
        self.order.pools[pool as usize].running -= 1;
        if self.order.moves(self.sets[set as usize].lane) {
            self.classify(set);
        }
    }

    /// The driver looks at how an attempt ended.
    pub(crate) fn settle(&mut self, attempt: u32) {
        let a = self.attempts[attempt as usize];
        if !a.settled {
            if a.ending == Ending::Finished {
                self.handle_successful(attempt);
            } else {
                self.handle_failed(attempt);
                let s = &self.sets[a.set as usize];
                if !s.zombie && !s.tasks[a.task as usize].successful {
                    self.revive_offers();
                }
            }
        }
        self.forget_attempt(attempt);
    }

    /// Nothing refers to an attempt any more.
    pub(crate) fn forget_attempt(&mut self, attempt: u32) {
        let a = self.attempts.remove(attempt as usize);
        let s = &mut self.sets[a.set as usize];
        s.unsettled -= 1;
        self.forget_set(a.set);
    }

    /// Spark knows how it ended: the task's list of attempts is without it.
    fn mark_settled(&mut self, attempt: u32) -> Attempt {
        let a = &mut self.attempts[attempt as usize];
        a.settled = true;
        let a = *a;
        let task = &mut self.sets[a.set as usize].tasks[a.task as usize];
        if task.latest == attempt {
            task.latest = a.next;
        } else {
            let mut before = task.latest;
            while before != NONE && self.attempts[before as usize].next != attempt {
                before = self.attempts[before as usize].next;
            }
            if before != NONE {
                self.attempts[before as usize].next = a.next;
            }
        }
        if self.keeps_ended() {
            let Attempt { number, task, executor, superseded, .. } = a;
            let ended = Ended { number, task, executor, superseded };
            self.sets[a.set as usize].ended.push(ended);
        }
        a
    }

    fn keeps_ended(&self) -> bool {
        !self.world.losses.is_empty() || self.world.spark.speculation.is_some()
    }

    /// `handleSuccessfulTask`.
    fn handle_successful(&mut self, attempt: u32) {
        let a = self.attempts[attempt as usize];
        let (set, task) = (a.set, a.task);
        if self.sets[set as usize].tasks[task as usize].successful && a.superseded {
            return self.handle_failed(attempt);
        }
        self.mark_settled(attempt);
        let s = &mut self.sets[set as usize];
        if let Some(speculated) = &mut s.speculated {
            speculated.finished(self.now.since(a.launched));
        }
        self.kill_others(set, task);
        let s = &mut self.sets[set as usize];
        let t = &mut s.tasks[task as usize];
        if !t.successful {
            s.waiting -= u32::from(t.waits());
            t.successful = true;
            s.done += 1;
            self.meter.finished(a.copy);
            if s.done as usize == s.tasks.len() {
                self.take_out(set);
            }
        }
        let s = &self.sets[set as usize];
        let (stage, partition, stage_attempt) = (s.stage, s.partition(task), s.stage_attempt);
        self.stages[stage as usize].ran(partition, a.executor);
        let lag = self.world.spark.lag_ms * MILLI;
        self.plan(lag, Event::Done(stage, partition, stage_attempt));
        self.maybe_finish(set);
    }

    /// Other attempts of a task that is done: nobody needs them.
    fn kill_others(&mut self, set: u32, task: u32) {
        let mut other = self.sets[set as usize].tasks[task as usize].latest;
        while other != NONE {
            self.attempts[other as usize].superseded = true;
            let (stage, executor) =
                (self.sets[set as usize].stage, self.attempts[other as usize].executor);
            self.stages[stage as usize].ran_in_vain(executor);
            self.kill(other);
            other = self.attempts[other as usize].next;
        }
    }

    /// `killTask` of the backend.
    pub(crate) fn kill(&mut self, attempt: u32) {
        let a = &mut self.attempts[attempt as usize];
        if !a.runs {
            return;
        }
        let drawn = self.draw.about(About::Kill).of(u64::from(a.number));
        if self.world.faults.stubborn > 0.0 && drawn.uniform() < self.world.faults.stubborn {
            a.doomed = true;
            return;
        }
        let number = a.number;
        let millis = u64::from(drawn.up_to(self.world.spark.kill_ms));
        self.plan(millis * MILLI, Event::Killed(attempt, number));
    }

    /// `handleFailedTask`.
    pub(crate) fn handle_failed(&mut self, attempt: u32) {
        let a = self.mark_settled(attempt);
        let result_lost = a.ending == Ending::Finished;
        if a.ending == Ending::FetchFailed {
            self.give_up(a.set, a.task);
        }
        if self.sets[a.set as usize].together {
            let s = &self.sets[a.set as usize];
            let (stage, attempt) = (s.stage, s.stage_attempt);
            self.take_out(a.set);
            self.plan(self.world.spark.lag_ms * MILLI, Event::BarrierFailed(stage, attempt));
        }
        let s = &mut self.sets[a.set as usize];
        let t = &mut s.tasks[a.task as usize];
        let waited = t.waits();
        // Where another attempt of the stage has completed its partition, an executor's loss counts it twice.
        t.copies = t.copies.saturating_sub(1);
        s.waiting += u32::from(t.waits() && !waited);
        if !t.successful {
            s.put_back(a.task);
            if result_lost && !s.zombie && !s.over {
                let (set, task) = (s.id, a.task);
                self.tell(EngineEvent::Unfinished { set, task });
            }
            self.classify(a.set);
        }
        self.maybe_finish(a.set);
    }

    /// A task has not found its input: its set launches nothing any more, and does not run it again.
    fn give_up(&mut self, set: u32, task: u32) {
        let s = &mut self.sets[set as usize];
        let t = &mut s.tasks[task as usize];
        if !t.successful {
            s.waiting -= u32::from(t.waits());
            t.successful = true;
            s.done += 1;
        }
        let (stage, attempt) = (s.stage, s.stage_attempt);
        self.take_out(set);
        self.plan(self.world.spark.lag_ms * MILLI, Event::FetchFailed(stage, attempt));
    }

    /// A task that was done has to run again, since its output is lost (`Resubmitted`).
    pub(crate) fn resubmit(&mut self, set: u32, task: u32) {
        let s = &mut self.sets[set as usize];
        let t = &mut s.tasks[task as usize];
        t.successful = false;
        t.copies -= 1;
        s.waiting += u32::from(t.waits());
        s.done -= 1;
        s.put_back(task);
        let (stage, partition) = (s.stage, s.partition(task));
        let event = if s.together {
            Event::BarrierFailed(stage, s.stage_attempt)
        } else {
            Event::Resubmitted(stage, partition)
        };
        self.plan(self.world.spark.lag_ms * MILLI, event);
    }

    /// `maybeFinishTaskSet`.
    pub(crate) fn maybe_finish(&mut self, set: u32) {
        let s = &mut self.sets[set as usize];
        if !s.zombie || s.running > 0 || s.finished {
            return;
        }
        s.finished = true;
        let (flow, id, over) = (s.flow, s.id, std::mem::replace(&mut s.over, true));
        self.flows[flow as usize].sets.retain(|&other| other != set);
        self.special.retain(|&other| other != set);
        self.leave_job(set);
        if !over {
            self.tell(EngineEvent::SetEnded { set: id });
        }
        self.forget_set(set);
    }

    /// Frees a set that has left the scheduler, when no attempt refers to it any more.
    pub(crate) fn forget_set(&mut self, set: u32) {
        let s = &self.sets[set as usize];
        if s.finished && s.unsettled == 0 {
            self.sets.remove(set as usize);
        }
    }

    /// Spark looks for slow tasks (`checkSpeculatableTasks`).
    pub(crate) fn speculate(&mut self) {
        let Some(config) = self.world.spark.speculation else { return };
        let mut found = false;
        let now = self.now;
        for i in 0..self.attempts.capacity() {
            let Some(a) = self.attempts.get(i).copied().filter(|a| a.runs) else { continue };
            let s = &mut self.sets[a.set as usize];
            let t = s.tasks[a.task as usize];
            if s.zombie || s.tasks.len() < 2 || t.successful || t.copies != 1 {
                continue;
            }
            let Some(speculated) = &mut s.speculated else { continue };
            let Some(threshold) = speculated.threshold(&config) else { continue };
            if !speculated.is_marked(a.task) && is_slow(a.launched, now, threshold) {
                speculated.mark(a.task);
                found = true;
                self.classify(a.set);
            }
        }
        if found {
            self.revive_offers();
        }
        if self.rings_again() {
            self.plan(config.interval_ms * MILLI, Event::Speculate);
        }
    }

    /// Spark's own choice of a task that runs once more there.
    pub(crate) fn take_speculated(
        &mut self,
        set: u32,
        site: Site,
        most: Level,
    ) -> Option<(u32, Level)> {
        let mut speculated = self.sets[set as usize].speculated.take()?;
        let s = &self.sets[set as usize];
        let waits = |task: u32| {
            let t = &s.tasks[task as usize];
            !t.successful && t.copies <= 1
        };
        let stays = |task: u32| {
            let hosts = |e: u32| self.cluster.executors[e as usize].host;
            self.attempts_of(set, task).any(|e| hosts(e) == site.host)
        };
        let found = speculated.take(site, most, waits, stays);
        self.sets[set as usize].speculated = Some(speculated);
        found
    }
}
