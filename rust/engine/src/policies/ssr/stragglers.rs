//! Copies of stragglers on own held slots (SSR-10): the two asks, and the wake-ups they need.

use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, SetId, Time};
use crate::engine::Engine;
use crate::ledger::{Set, Side};
use crate::policies::ssr::copies::{age, is_time, old_enough};

impl Engine {
    /// The task of this set that should get a copy on this executor now: the one that was launched first, among
    /// those that are old enough, run only once, elsewhere, and have neither failed nor been copied before. There
    /// must be an own hold on the executor (R10).
    ///
    /// # Errors
    /// The set or the executor is unknown.
    pub fn copy(&self, set: SetId, executor: ExecutorId) -> Result<Option<u32>, EngineError> {
        let (_, set) = self.known_set(set)?;
        let key = self.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
        if set.copying.is_none() || !self.has_hold_for(set, key) {
            return Ok(None);
        }
        // It has caught up: whoever has copies to make and holds was looked at after the latest change.
        let latest = age(&self.config, set).and_then(|age| old_enough(self.now, age));
        let Some(latest) = latest else { return Ok(None) };
        let mut old = set.running.until(&set.tasks, latest).map(|(_, task)| task);
        Ok(old.find(|&task| set.tasks[task as usize].executor as usize != key))
    }

    /// Whether some task of this set should get a copy somewhere: a host that leaves out sets without pending tasks
    /// must ask for this one.
    ///
    /// # Errors
    /// The set is unknown.
    pub fn wants_copies(&self, set: SetId) -> Result<bool, EngineError> {
        let (_, set) = self.known_set(set)?;
        Ok(set.copying.is_some() && self.ledger.workflows.slab[set.workflow].held > 0)
    }

    fn has_hold_for(&self, set: &Set, executor: usize) -> bool {
        let holds = self.ledger.executors.slab[executor].holds;
        let mut holds = self.ledger.holds.oldest_first(holds, Side::Executor);
        holds.any(|key| {
            let hold = self.ledger.holds.get(key);
            hold.owner == set.workflow && hold.size.covers(&set.demand)
        })
    }

    /// Who may get a copy now. R5: an answer turns from none to a task only if the set comes to its time, a task comes
    /// of age, or a hold is made, and each of these is said.
    ///
    /// Where nothing of a workflow with holds has changed in this step, and nobody has come of age, all stays as it is.
    pub(crate) fn watch_copies(&mut self) {
        if !self.stirred
            && self.copy_due.is_none_or(|due| due > self.now)
            && !self.touches_holders()
        {
            return;
        }
        self.copy_due = None;
        for i in 0..self.ledger.workflows.holders.len() {
            let w = &self.ledger.workflows.slab[self.ledger.workflows.holders[i]];
            let is_time = is_time(&self.ledger, w);
            let (workflow, jobs) = (self.ledger.workflows.holders[i], w.jobs.len());
            for job in 0..jobs {
                let job = self.ledger.workflows.slab[workflow].jobs[job];
                for set in 0..self.ledger.jobs[job].sets.len() {
                    let set = self.ledger.jobs[job].sets[set];
                    self.watch_copies_of(set, is_time);
                }
            }
        }
        self.held_more = false;
    }

    fn watch_copies_of(&mut self, set: usize, is_time: bool) {
        let s = &mut self.ledger.sets[set];
        let was = s.copying.take();
        if !is_time || !s.may_copy || s.zombie {
            return;
        }
        s.running.durations.catch_up();
        let Some(age) = age(&self.config, s) else { return };
        s.running.tidy(&s.tasks, s.unfinished);
        let latest = old_enough(self.now, age);
        let newest = latest.and_then(|latest| s.running.until(&s.tasks, latest).next_back());
        s.copying = newest;
        // Time 0 is old enough for nothing unless it is so at once.
        let next = match latest {
            Some(latest) => s.running.first_after(&s.tasks, latest),
            None => s.running.until(&s.tasks, Time(u64::MAX)).next(),
        };
        let due = next.map(|(at, _)| at.after(age));
        self.copy_due = [self.copy_due, due].into_iter().flatten().min();
        self.offer_copies |= newest.is_some() && (self.held_more || newest > was);
    }
}
