//! What each event changes. The order of checks, then changes, keeps a refused event harmless.

mod executors;
pub(crate) mod jobs;
mod pools;
mod tenants;

use crate::api::decision::{Decision, EndCause, Reason};
use crate::api::error::EngineError;
use crate::api::event::{Event, Outcome};
use crate::api::ids::{AttemptId, ExecutorId, Resources, SetId, WorkflowId, short};
use crate::apply::jobs::SetShape;
use crate::engine::Engine;
use crate::holds::fair::blocks;
use crate::ledger::{Attempt, PlanEntry, Side, Transition};
use crate::policies::ssr::isolation;
use crate::policies::ssr::need::{may_hold, need};

type Applied = Result<(), EngineError>;
type Out = Vec<Decision>;

impl Engine {
    pub(crate) fn apply(&mut self, event: &Event, out: &mut Out) -> Applied {
        match *event {
            Event::ProfileDefined { profile, runs_on, demand } => {
                self.profile_defined(profile, runs_on, demand)
            }
            Event::ExecutorAdded { executor, profile, capacity } => {
                self.executor_added(executor, profile, capacity, out);
                Ok(())
            }
            Event::ExecutorBarred { executor, barred } => {
                self.executor_barred(executor, barred, out);
                Ok(())
            }
            Event::ExecutorLost { executor } => {
                self.executor_lost(executor, out);
                Ok(())
            }
            Event::PoolDefined { pool, fair, weight, min_share } => {
                self.pool_defined(pool, fair, weight, min_share);
                Ok(())
            }
            Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool } => {
                let isolation = isolation::under_policy(&self.config, isolation);
                self.workflow_opened(workflow, priority, isolation, out);
                self.declare(workflow, parallelism);
                self.enter_pool(workflow, pool);
                Ok(())
            }
            Event::Bounded { workflow, tenant, holds } => self.bounded(workflow, tenant, holds),
            Event::WorkflowClosed { workflow } => {
                self.workflow_closed(workflow, out);
                Ok(())
            }
            Event::JobSubmitted { job, workflow, continues } => {
                self.job_submitted(job, workflow, continues)
            }
            Event::StagePlanned { job, stage, tasks, next, next_profile, signature } => {
                let submitted = false;
                let entry = PlanEntry { stage, tasks, next, next_profile, signature, submitted };
                self.stage_planned(job, entry)
            }
            Event::Recalled { workflow, first, second, then, tasks, after_ms } => {
                let nanos = u64::from(after_ms) * 1_000_000;
                self.recalled(workflow, Transition { after: [first, second], then, tasks, nanos })
            }
            Event::JobEnded { job, succeeded } => {
                self.job_ended(job, succeeded, out);
                Ok(())
            }
            Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind } => {
                let shape = SetShape { tasks, profile, fills_cache, kind };
                self.set_submitted(set, job, stage, shape)
            }
            Event::SetEnded { set } => {
                self.set_ended(set, out);
                Ok(())
            }
            Event::Launched { attempt, set, task, executor, local } => {
                self.launched(attempt, set, task, executor, local, out)
            }
            Event::SlotFreed { attempt, outcome } => {
                self.slot_freed(attempt, outcome, out);
                Ok(())
            }
            Event::Unfinished { set, task } => self.unfinished(set, task),
            Event::FinishedElsewhere { set, task } => self.finished_elsewhere(set, task),
            Event::Tick => Ok(()),
        }
    }

    /// The newest hold of the owner that ranks last there; only of those that do not block `asker`, if given.
    pub(crate) fn least_important_hold(
        &self,
        executor: usize,
        asker: Option<usize>,
    ) -> Option<usize> {
        let workflows = &self.ledger.workflows;
        let holds = self.ledger.executors.slab[executor].holds;
        let eligible = self.ledger.holds.newest_first(holds, Side::Executor).filter_map(|key| {
            let owner = self.ledger.holds.get(key).owner;
            let rank = workflows.rank(owner);
            let may_go = |w| owner != w && !blocks(&self.ledger, owner, w, 0);
            asker.is_none_or(may_go).then_some((rank, key))
        });
        // On equal ranks the first, so the newest, wins.
        eligible.reduce(|last, next| if next.0 > last.0 { next } else { last }).map(|(_, key)| key)
    }

    fn workflow_opened(&mut self, id: WorkflowId, priority: i32, isolation: u32, out: &mut Out) {
        let Some(&key) = self.ledger.workflows.ids.get(&id) else {
            self.ledger.workflows.insert(id, priority, isolation);
            return;
        };
        self.ledger.workflows.slab[key].closed = false;
        let w = &mut self.ledger.workflows.slab[key];
        w.awaited |= w.jobs.is_empty();
        if self.ledger.workflows.slab[key].priority != priority {
            self.ledger.workflows.change_priority(key, priority);
            self.reoffer = true;
        }
        self.change_isolation(key, isolation);
        self.touch(key);
        let w = &self.ledger.workflows.slab[key];
        if w.gap.is_some() && !may_hold(&self.config, w) {
            self.workflow_over(key, EndCause::WorkflowOver, out);
        }
    }

    fn recalled(&mut self, workflow: WorkflowId, step: Transition) -> Applied {
        let known = self.ledger.workflows.ids.get(&workflow);
        let key = *known.ok_or(EngineError::UnknownWorkflow)?;
        self.ledger.workflows.slab[key].pattern.recall(step);
        Ok(())
    }

    fn declare(&mut self, workflow: WorkflowId, parallelism: u32) {
        if let Some(&key) = self.ledger.workflows.ids.get(&workflow) {
            self.ledger.workflows.slab[key].declared = parallelism;
        }
    }

    fn launched(
        &mut self,
        id: AttemptId,
        set: SetId,
        task: u32,
        executor: ExecutorId,
        local: bool,
        out: &mut Out,
    ) -> Applied {
        if self.ledger.attempts.contains(id) {
            return Err(EngineError::KnownAttempt);
        }
        let set = *self.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
        let executor = self.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
        if self.ledger.sets[set].tasks.len() <= task as usize {
            return Err(EngineError::TaskOutOfRange);
        }
        let is_copy = self.run(set, task, executor);
        self.ledger.sets[set].near += u32::from(local);
        let s = &self.ledger.sets[set];
        let (workflow, demand, spread) = (s.workflow, s.demand, s.spread_until.is_some());
        let (set_serial, launched_at) = (s.serial, self.now);
        let asked = (s.demand_key, demand);
        let attempt = Attempt {
            workflow,
            set,
            set_serial,
            task,
            executor,
            demand,
            launched_at,
            is_copy,
            local,
        };
        if spread {
            *self.spread_launches.entry((set, executor)).or_default() += 1;
        }
        self.ledger.add_attempt(id, attempt);
        self.ledger.workflows.slab[workflow].charge(self.now);
        let w = &mut self.ledger.workflows.slab[workflow];
        w.running += 1;
        w.using = w.using.plus(demand);
        self.ledger.pools.add_owned(self.ledger.workflows.slab[workflow].pool, 1);
        self.ledger.executors.enter(executor, workflow, asked);
        self.consume_hold(workflow, executor, &demand, out);
        self.make_room(workflow, executor, out);
        self.touch(workflow);
        Ok(())
    }

    /// Books one more attempt of a task; whether it is a copy.
    fn run(&mut self, set: usize, task: u32, executor: usize) -> bool {
        let now = self.now;
        self.ledger.change_task(set, task, |t| {
            t.running += 1;
            if t.running == 1 {
                (t.since, t.executor) = (now, short(executor));
            } else {
                t.copied = true;
            }
        });
        let s = &mut self.ledger.sets[set];
        let t = &s.tasks[task as usize];
        if s.zombie || t.finished {
            return false;
        }
        if t.running > 1 {
            self.totals.copies += 1;
            return true;
        }
        if s.may_copy {
            s.running.launched((now, task), &s.tasks, s.unfinished);
        }
        self.ledger.add_pending(set, -1);
        self.watch_wave(set);
        false
    }

    /// A launch uses the owner's hold there, or makes one elsewhere superfluous.
    fn consume_hold(
        &mut self,
        workflow: usize,
        executor: usize,
        demand: &Resources,
        out: &mut Out,
    ) {
        if self.ledger.workflows.slab[workflow].held == 0 {
            return;
        }
        let holds = self.ledger.executors.slab[executor].holds;
        let own = self.ledger.holds.oldest_first(holds, Side::Executor);
        let own = own.filter(|&key| self.ledger.holds.get(key).owner == workflow);
        let earliest = own.min_by_key(|&key| {
            (self.ledger.holds.get(key).deadline, self.ledger.holds.get(key).id)
        });
        if let Some(key) = earliest {
            let size = self.ledger.holds.get(key).size;
            self.end_hold(key, EndCause::Used, out);
            // A task that is smaller than the hold leaves room to others.
            self.reoffer |= !demand.covers(&size);
            return;
        }
        let need = need(&self.ledger, &self.config, self.now, workflow);
        if let Some(key) = self.surplus(workflow, need) {
            self.end_hold(key, EndCause::Moved, out);
        }
    }

    /// A launch over holds ends the least important of them (R7); facts win over capacity.
    fn make_room(&mut self, workflow: usize, executor: usize, out: &mut Out) {
        loop {
            let e = &self.ledger.executors.slab[executor];
            if e.capacity.covers(&e.running.plus(e.held)) {
                return;
            }
            let victim = self.least_important_hold(executor, Some(workflow));
            match victim.or_else(|| self.least_important_hold(executor, None)) {
                Some(key) => {
                    let owner = self.ledger.holds.get(key).owner;
                    self.end_hold(key, EndCause::Overridden, out);
                    self.touch(owner);
                }
                None => {
                    self.ledger
                        .executors
                        .change(executor, |e| e.capacity = e.capacity.max(e.running));
                    self.set_aside();
                    return;
                }
            }
        }
    }

    fn slot_freed(&mut self, id: AttemptId, outcome: Outcome, out: &mut Out) {
        let Some(attempt) = self.remove_attempt(id) else { return };
        let workflow = attempt.workflow;
        self.settle(&attempt, outcome);
        self.watch_slot(workflow);
        let mut taken = self.claim_slot(workflow, attempt.executor, out);
        let w = &self.ledger.workflows.slab[workflow];
        // Most releases are those of workflows that never hold.
        if !taken && w.active && may_hold(&self.config, w) {
            let reason = match (w.pending > 0, w.gap.is_some()) {
                (true, _) => Reason::Waiting,
                (_, true) => Reason::Gap,
                _ => Reason::Barrier,
            };
            // Where smaller tasks come next there is room for several.
            while self.try_hold(workflow, attempt.executor, reason, out) {
                taken = true;
                if !self.ledger.workflows.slab[workflow].is_resized() {
                    break;
                }
            }
        }
        if !taken {
            self.swap(workflow, attempt.executor, out);
        }
        self.touch(workflow);
        self.ledger.workflows.forget_if_unused(workflow);
    }

    pub(crate) fn remove_attempt(&mut self, id: AttemptId) -> Option<Attempt> {
        let attempt = self.ledger.remove_attempt(id, self.now)?;
        self.make_hungry(attempt.workflow);
        Some(attempt)
    }

    /// Books what an ended attempt means for its task.
    pub(crate) fn settle(&mut self, attempt: &Attempt, outcome: Outcome) {
        let Some(set) = self.ledger.sets.get_mut(attempt.set) else { return };
        if set.serial != attempt.set_serial {
            return;
        }
        set.near -= u32::from(attempt.local);
        let (width, zombie) = (set.width(), set.zombie);
        let was_finished = set.tasks[attempt.task as usize].finished;
        let executor = self.ledger.executors.slab[attempt.executor].id;
        self.ledger.change_task(attempt.set, attempt.task, |task| {
            task.running -= 1;
            if !zombie && !task.finished && outcome == Outcome::Finished {
                task.finished = true;
                task.set_done_on(Some(executor));
            }
            task.failed |= outcome == Outcome::Failed;
        });
        if zombie {
            return;
        }
        let task = self.ledger.sets[attempt.set].tasks[attempt.task as usize];
        if task.finished && !was_finished {
            self.totals.copies_won += u64::from(attempt.is_copy);
            self.ledger.sets[attempt.set].finished_on(executor);
            self.ledger.add_unfinished(attempt.set, -1);
            self.shorten_spread(attempt);
            self.learn_duration(attempt);
            self.learn_rivals(attempt);
            self.learn_remote_slowdown(attempt);
            let s = &mut self.ledger.sets[attempt.set];
            if s.may_copy {
                s.running.durations.add(self.now.since(attempt.launched_at));
            }
        } else if !task.finished && task.running == 0 {
            self.ledger.add_pending(attempt.set, 1);
        }
        self.watch_wave(attempt.set);
        self.note_width(attempt.workflow, width);
    }

    fn unfinished(&mut self, set: SetId, task: u32) -> Applied {
        let set = *self.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
        let s = &self.ledger.sets[set];
        let t = s.tasks.get(task as usize).ok_or(EngineError::TaskOutOfRange)?;
        if !t.finished || s.zombie {
            return Ok(());
        }
        let (idle, since, workflow) = (t.running == 0, t.since, s.workflow);
        let done_on = t.done_on();
        self.ledger.change_task(set, task, |t| {
            t.finished = false;
            t.set_done_on(None);
        });
        let s = &mut self.ledger.sets[set];
        if let Some(executor) = done_on {
            s.lost_on(executor);
        }
        s.copying = None;
        if s.may_copy && !idle {
            s.running.launched((since, task), &s.tasks, s.unfinished);
        }
        self.ledger.add_unfinished(set, 1);
        if idle {
            self.ledger.add_pending(set, 1);
        }
        self.watch_wave(set);
        self.touch(workflow);
        Ok(())
    }

    fn finished_elsewhere(&mut self, set: SetId, task: u32) -> Applied {
        let set = *self.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
        let s = &self.ledger.sets[set];
        let t = s.tasks.get(task as usize).ok_or(EngineError::TaskOutOfRange)?;
        if t.finished || s.zombie {
            return Ok(());
        }
        let (idle, workflow) = (t.running == 0, s.workflow);
        self.ledger.change_task(set, task, |t| t.finished = true);
        self.ledger.add_unfinished(set, -1);
        if idle {
            self.ledger.add_pending(set, -1);
        }
        self.watch_wave(set);
        self.touch(workflow);
        Ok(())
    }
}
