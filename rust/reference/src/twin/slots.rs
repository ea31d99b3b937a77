//! Executors, and the slots on them.

use holdfast_engine::{
    AttemptId, EndCause, EngineError, ExecutorId, HoldFor, HoldId, Outcome, Policy, ProfileId,
    Resources, SetId, WorkflowId,
};

use super::home::Claim;
use super::state::{Attempt, Executor, Set};
use super::{Bug, Reference};

impl Reference {
    /// `slots(p)`: how many demands fit into the usable executors.
    pub(super) fn slots(&self, profile: ProfileId) -> u32 {
        self.executors.keys().map(|e| self.slots_on(*e, profile)).fold(0, u32::saturating_add)
    }

    /// The same on one executor: 0 when it is not usable.
    pub(super) fn slots_on(&self, executor: ExecutorId, profile: ProfileId) -> u32 {
        let e = &self.executors[&executor];
        match self.profiles.get(&profile) {
            Some((runs_on, demand)) if *runs_on == e.profile && !e.barred => {
                demand.fit_into(&e.capacity)
            }
            _ => 0,
        }
    }

    /// The number of slots has changed: every need, and every spread set's share of an executor.
    pub(super) fn touch_all(&mut self) {
        self.reoffer |= self.sets.values().any(|set| set.spread_until.is_some());
        self.reoffer |= self.config.policy == Policy::Static && !self.has(Bug::AsideNotReoffered);
        self.touched.extend(self.ranked());
    }

    pub(super) fn executor_added(
        &mut self,
        id: ExecutorId,
        profile: ProfileId,
        capacity: Resources,
    ) {
        let Some(old) = self.executors.get(&id).cloned() else {
            self.executors.insert(id, Executor { profile, capacity, barred: false });
            self.reoffer = true;
            self.touch_all();
            return;
        };
        self.reoffer |= !old.capacity.covers(&capacity) || profile != old.profile;
        self.executors.insert(id, Executor { profile, capacity, barred: old.barred });
        for hold in self.least_first(id) {
            let used = self.running_on(id).plus(self.held_on(id));
            if profile == old.profile && capacity.covers(&used) {
                break;
            }
            self.end(hold, EndCause::ExecutorGone);
            self.reoffer = true;
        }
        self.touch_all();
    }

    /// What runs fits, whatever was said about the capacity.
    fn accept_facts(&mut self, id: ExecutorId) {
        let running = self.running_on(id);
        if let Some(executor) = self.executors.get_mut(&id) {
            executor.capacity = executor.capacity.max(running);
        }
        self.reoffer |= self.config.policy == Policy::Static && !self.has(Bug::AsideNotReoffered);
    }

    pub(super) fn executor_barred(&mut self, id: ExecutorId, barred: bool) {
        let Some(executor) = self.executors.get_mut(&id) else {
            return;
        };
        let was = std::mem::replace(&mut executor.barred, barred);
        if was == barred {
            return;
        }
        if barred && !self.has(Bug::HoldOnBarred) {
            for hold in self.holds_on(id) {
                self.end(hold, EndCause::ExecutorGone);
            }
        }
        self.reoffer |= was && !barred && !self.has(Bug::UnbarNotReoffered);
        self.touch_all();
    }

    pub(super) fn executor_lost(&mut self, id: ExecutorId) {
        if !self.executors.contains_key(&id) {
            return;
        }
        let attempts = self.attempts.iter().filter(|(_, a)| a.executor == id);
        let attempts: Vec<AttemptId> = attempts.map(|(id, _)| *id).collect();
        for attempt in attempts {
            self.leave(attempt, Outcome::NotFinished);
        }
        if !self.has(Bug::HoldOnLost) {
            for hold in self.holds_on(id) {
                self.end(hold, EndCause::ExecutorGone);
            }
        }
        self.executors.remove(&id);
        for set in self.sets.values_mut() {
            set.launches.retain(|executor| *executor != id);
        }
        for workflow in self.workflows.values_mut() {
            workflow.away.remove(&id);
        }
        self.touch_all();
    }

    pub(super) fn launched(
        &mut self,
        id: AttemptId,
        set: SetId,
        task: u32,
        executor: ExecutorId,
        local: bool,
    ) -> Result<(), EngineError> {
        if self.attempts.contains_key(&id) {
            return Err(EngineError::KnownAttempt);
        }
        let known = self.sets.get_mut(&set).ok_or(EngineError::UnknownSet)?;
        if !self.executors.contains_key(&executor) {
            return Err(EngineError::UnknownExecutor);
        }
        if task >= known.tasks {
            return Err(EngineError::TaskOutOfRange);
        }
        known.launches.push(executor);
        let (serial, workflow, size) = (known.serial, known.workflow, known.demand);
        let beside = self.attempts.values().any(|a| a.serial == serial && a.task == task);
        let is_copy = beside && !known.zombie && !known.finished.contains(&task);
        if beside {
            known.copied.insert(task);
        } else {
            known.since.insert(task, self.now);
        }
        self.totals.copies += u64::from(is_copy);
        let (launched, race) = (self.now, None);
        let attempt =
            Attempt { serial, workflow, executor, task, size, launched, is_copy, local, race };
        self.attempts.insert(id, attempt);
        self.touched.insert(workflow);
        self.watch_waves();

        let mut own = self.holds_on(executor);
        own.retain(|hold| self.holds[hold].workflow == workflow);
        own.sort_by_key(|hold| (self.holds[hold].deadline, *hold));
        if self.has(Bug::LatestUsedFirst) {
            own.reverse();
        }
        if let Some(used) = own.first() {
            // A task that is smaller than the hold leaves room to others.
            self.reoffer |= !size.covers(&self.holds[used].size);
            self.end(*used, EndCause::Used);
        } else if self.owned(workflow) > self.need(workflow)
            && let Some(newest) = self.least_useful(workflow)
            && !self.has(Bug::MoveForgotten)
        {
            self.end(newest, EndCause::Moved);
        }
        self.override_holds(workflow, executor);
        Ok(())
    }

    /// Makes room for a launch that has happened (SSR-6): the least important hold goes first.
    fn override_holds(&mut self, launcher: WorkflowId, executor: ExecutorId) {
        loop {
            let used = self.running_on(executor).plus(self.held_on(executor));
            if self.executors[&executor].capacity.covers(&used) {
                return;
            }
            let all = self.least_first(executor);
            let later = |hold: &&HoldId| {
                let owner = self.holds[hold].workflow;
                owner != launcher && !self.blocks(owner, launcher, 0)
            };
            let mut victim = all.iter().find(later).or(all.first()).copied();
            if self.has(Bug::OverrideTakesFirst) {
                victim = all.last().copied();
            }
            let Some(victim) = victim else {
                self.accept_facts(executor);
                return;
            };
            self.end(victim, EndCause::Overridden);
            if self.has(Bug::OverrideEndsTwo)
                && let Some(second) = self.least_first(executor).first()
            {
                self.end(*second, EndCause::Overridden);
            }
        }
    }

    /// An attempt leaves its slot; the slot and the owner, if the attempt was known.
    fn leave(&mut self, id: AttemptId, outcome: Outcome) -> Option<Attempt> {
        let attempt = self.attempts.remove(&id)?;
        self.touched.insert(attempt.workflow);
        self.leave_race(&attempt, outcome);
        let set = self.sets.values_mut().find(|set| set.serial == attempt.serial);
        let mut learns = false;
        if let Some(set) = set {
            let first = outcome == Outcome::Finished && set.finished.insert(attempt.task);
            learns = first && !set.zombie;
            if learns {
                let patience = self.now.after(4 * self.now.since(attempt.launched));
                set.spread_until = set.spread_until.map(|until| until.min(patience));
                set.places.insert(attempt.task, attempt.executor);
                set.durations.push(self.now.since(attempt.launched));
                if attempt.local {
                    set.local.push(self.now.since(attempt.launched));
                }
                self.totals.copies_won += u64::from(attempt.is_copy);
            }
            if outcome == Outcome::Failed {
                set.failed.insert(attempt.task);
            }
            if !set.zombie {
                let tasks = set.tasks;
                self.touch_peak(attempt.workflow, tasks);
            }
        }
        if learns {
            let duration = self.now.since(attempt.launched);
            if self.config.hold_for == HoldFor::All || !self.may_hold(attempt.workflow) {
                self.rivals.push(duration);
            }
            self.learn_remote_slowdown(&attempt);
            self.learn_duration(&attempt);
        }
        self.watch_waves();
        self.leaving.insert(attempt.workflow);
        Some(attempt)
    }

    pub(super) fn slot_freed(&mut self, id: AttemptId, outcome: Outcome) {
        let Some(attempt) = self.leave(id, outcome) else {
            return;
        };
        let owner = attempt.workflow;
        self.watch_slot(owner);
        let priority = self.rank(owner).0;
        if self.config.grow {
            for claimer in self.ranked() {
                let theirs = self.rank(claimer).0;
                let above = theirs < priority || (self.has(Bug::EqualsClaim) && theirs == priority);
                let less = self.owned(claimer) < self.claimable(claimer);
                let may = claimer != owner && above && less && self.others_wait(claimer);
                if may && self.try_hold(claimer, attempt.executor, Claim::Grow) {
                    return;
                }
            }
        }
        // Where smaller tasks come next there is room for several.
        let mut held = false;
        while self.try_hold(owner, attempt.executor, Claim::Own) {
            held = true;
            if !self.is_resized(owner) {
                break;
            }
        }
        if !held {
            self.swap(owner, attempt.executor);
        }
    }

    pub(super) fn unfinished_again(&mut self, set: SetId, task: u32) -> Result<(), EngineError> {
        let known = self.known_task(set, task)?;
        let changed = !known.zombie && known.finished.remove(&task);
        if changed {
            known.copying = None;
            known.places.remove(&task);
        }
        self.corrected(set, changed);
        Ok(())
    }

    pub(super) fn finished_elsewhere(&mut self, set: SetId, task: u32) -> Result<(), EngineError> {
        let known = self.known_task(set, task)?;
        let changed = !known.zombie && known.finished.insert(task);
        self.corrected(set, changed);
        Ok(())
    }

    fn corrected(&mut self, set: SetId, changed: bool) {
        if changed {
            let workflow = self.sets[&set].workflow;
            self.touched.insert(workflow);
        }
    }

    fn known_task(&mut self, id: SetId, task: u32) -> Result<&mut Set, EngineError> {
        let set = self.sets.get_mut(&id).ok_or(EngineError::UnknownSet)?;
        if task >= set.tasks {
            return Err(EngineError::TaskOutOfRange);
        }
        Ok(set)
    }
}
