//! Where a workflow's input lies, and holds that move there.

use std::collections::BTreeMap;

use holdfast_engine::{EndCause, ExecutorId, HoldId, WorkflowId};

use super::state::Set;
use super::{Bug, Reference};

/// Wider sets lie everywhere.
const MOST_AT_HOME: u32 = 4_096;
/// Of how many holds a misplaced one is looked for.
const LOOKED_AT: usize = 64;

/// How many tasks on which executor.
type Places = BTreeMap<ExecutorId, u32>;

/// Where tasks of a set have finished.
fn places(set: &Set) -> Places {
    let mut places = Places::new();
    if set.tasks <= MOST_AT_HOME {
        for executor in set.places.values() {
            *places.entry(*executor).or_default() += 1;
        }
    }
    places
}

/// What a slot is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Own,
    Grow,
    Nearer,
}

impl Reference {
    /// A set is complete.
    pub(super) fn come_home(&mut self, set: &Set) {
        let w = self.workflow_mut(set.workflow);
        if w.left_is_cached && !set.fills_cache {
            return;
        }
        w.left_is_cached = set.fills_cache;
        w.left = places(set);
    }

    /// How many tasks of the active sets have finished where, and how many attempts run there.
    fn written(&self, workflow: WorkflowId) -> Places {
        let active = self.sets.values().filter(|set| set.workflow == workflow && !set.zombie);
        let finished = active.flat_map(places);
        let running = self.attempts.values().filter(|attempt| attempt.workflow == workflow);
        let mut written = Places::new();
        for (executor, tasks) in finished.chain(running.map(|attempt| (attempt.executor, 1))) {
            *written.entry(executor).or_default() += tasks;
        }
        written
    }

    /// How many tasks it has at home where; empty while that is not known.
    fn home(&self, workflow: WorkflowId) -> Places {
        let w = &self.workflows[&workflow];
        let active = self.sets.values().any(|set| set.workflow == workflow && !set.zombie);
        if w.left_is_cached || !active || self.has(Bug::ActiveSetsMakeNoHome) {
            return w.left.clone();
        }
        let mut home = self.written(workflow);
        if self.pending_of(workflow) == 0 || self.has(Bug::PendingTasksReadNothing) {
            return home;
        }
        if w.left.is_empty() {
            return Places::new();
        }
        for (executor, tasks) in &w.left {
            let there = home.entry(*executor).or_default();
            *there = *tasks.max(there);
        }
        home
    }

    /// Its slots on an executor, and its tasks at home there.
    fn here_and_home(&self, workflow: WorkflowId, executor: ExecutorId) -> Option<(u32, u32)> {
        let home = self.home(workflow);
        if home.is_empty() || self.is_resized(workflow) {
            return None;
        }
        let running = self.attempts.values();
        let running = running.filter(|a| a.workflow == workflow && a.executor == executor).count();
        let holds = self.holds_on(executor);
        let held = holds.iter().filter(|hold| self.holds[hold].workflow == workflow).count();
        let here = u32::try_from(running + held).expect("fewer slots than ids");
        Some((here, home.get(&executor).copied().unwrap_or(0)))
    }

    pub(super) fn is_wanted(&self, workflow: WorkflowId, executor: ExecutorId) -> bool {
        let wanted = self.here_and_home(workflow, executor).is_some_and(|(here, home)| here < home);
        wanted && !self.has(Bug::HomeIgnored)
    }

    fn misplaced(&self, workflow: WorkflowId) -> Option<HoldId> {
        let newest = self.holds_of(workflow).into_iter().rev().take(LOOKED_AT);
        let mut newest = newest.filter(|hold| {
            let places = self.here_and_home(workflow, self.holds[hold].executor);
            places.is_some_and(|(here, home)| here > home)
        });
        newest.next()
    }

    /// The hold that goes first.
    pub(super) fn least_useful(&self, workflow: WorkflowId) -> Option<HoldId> {
        let misplaced = self.misplaced(workflow).filter(|_| !self.has(Bug::NewestGoesFirst));
        misplaced.or_else(|| self.holds_of(workflow).pop())
    }

    /// A slot was freed, and nobody holds it.
    pub(super) fn swap(&mut self, releaser: WorkflowId, executor: ExecutorId) {
        if !self.config.grow || self.has(Bug::NeverSwaps) {
            return;
        }
        let priority = self.rank(releaser).0;
        for workflow in self.ranked() {
            let above = self.rank(workflow).0 < priority && self.others_wait(workflow);
            if above && self.swap_for(workflow, executor) {
                return;
            }
        }
        self.swap_for(releaser, executor);
    }

    fn swap_for(&mut self, workflow: WorkflowId, executor: ExecutorId) -> bool {
        let Some(worse) = self.misplaced(workflow) else {
            return false;
        };
        // As if it were gone: is there one to be had here?
        let mut without = self.clone();
        without.end(worse, EndCause::Moved);
        let may = self.is_wanted(workflow, executor)
            && without.try_hold(workflow, executor, Claim::Nearer);
        if may {
            self.end(worse, EndCause::Moved);
            self.try_hold(workflow, executor, Claim::Nearer);
        }
        may
    }
}
