//! Copies of stragglers (SSR-10).

use holdfast_engine::{
    Choice, Copies, EngineError, ExecutorId, Policy, SetId, StageKind, Stragglers, Time, WorkflowId,
};

use super::state::{Attempt, Set};
use super::{Bug, Reference};

impl Reference {
    pub(super) fn attempts_of<'a>(
        &'a self,
        set: &'a Set,
        task: u32,
    ) -> impl Iterator<Item = &'a Attempt> {
        self.attempts.values().filter(move |a| a.serial == set.serial && a.task == task)
    }

    fn may_copy(&self, set: &Set) -> bool {
        let kind = match self.config.copies {
            Copies::Off => false,
            Copies::Shuffle => set.kind == StageKind::ShuffleMap,
            Copies::All => set.kind != StageKind::Barrier,
        };
        let holds = self.config.stragglers == Stragglers::Holds;
        kind && holds && self.config.policy == Policy::Ssr && !set.zombie
    }

    /// No more tasks run than slots are held, those with a copy apart.
    fn is_time_for_copies(&self, workflow: WorkflowId) -> bool {
        let held = self.holds_of(workflow).len();
        let own = || self.sets.values().filter(|set| set.workflow == workflow && !set.zombie);
        let unfinished = |set: &Set| (0..set.tasks).filter(|t| !set.finished.contains(t)).count();
        let twice = |set: &&Set| {
            let open = (0..set.tasks).filter(|task| !set.finished.contains(task));
            open.filter(|task| self.attempts_of(set, *task).count() > 1).count()
        };
        let running: usize = own().map(unfinished).sum();
        let copied: usize = own().map(|set| twice(&set)).sum();
        held > 0 && self.pending_of(workflow) == 0 && running <= held + copied
    }

    fn age(&self, set: &Set) -> Option<u64> {
        let mut durations = set.durations.clone();
        durations.sort_unstable();
        let median = durations.get(durations.len().checked_sub(1)? / 2)?;
        let times = u64::from(self.config.copy_age_factor);
        Some(median.saturating_mul(times).max(self.config.copy_age_ns))
    }

    /// When they come of age, when they were launched, which and where: tasks that may get a copy, oldest first.
    fn candidates(&self, set: &Set) -> Vec<(Time, Time, u32, ExecutorId)> {
        let Some(age) =
            self.age(set).filter(|_| self.may_copy(set) && self.is_time_for_copies(set.workflow))
        else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for task in (0..set.tasks).filter(|task| !set.finished.contains(task)) {
            let attempts: Vec<&Attempt> = self.attempts_of(set, task).collect();
            let again = set.copied.contains(&task) && !self.has(Bug::CopiedTwice);
            let failed = set.failed.contains(&task) && !self.has(Bug::CopyAfterFailure);
            if let ([only], false, false) = (attempts.as_slice(), again, failed) {
                all.push((only.launched.after(age), only.launched, task, only.executor));
            }
        }
        all.sort_unstable();
        all
    }

    fn of_age(&self, set: &Set) -> Vec<(Time, Time, u32, ExecutorId)> {
        let mut all = self.candidates(set);
        all.retain(|candidate| candidate.0 <= self.now);
        all
    }

    /// See `Engine::copy`.
    ///
    /// # Errors
    /// Unknown set or executor.
    pub fn copy(&self, set: SetId, executor: ExecutorId) -> Result<Option<u32>, EngineError> {
        let set = self.ask(set, executor)?;
        if let Choice::Copy(task) = self.choice(set, Some(executor)) {
            return Ok(Some(task));
        }
        let mut there = self.holds.values().filter(|hold| hold.executor == executor);
        let own = there.any(|h| h.workflow == set.workflow && h.size.covers(&set.demand));
        let beside = self.has(Bug::CopyBesideOriginal);
        let mut old = self.of_age(set).into_iter().filter(|c| c.3 != executor || beside);
        Ok(old.next().filter(|_| own).map(|(_, _, task, _)| task))
    }

    /// See `Engine::wants_copies`.
    ///
    /// # Errors
    /// Unknown set.
    pub fn wants_copies(&self, set: SetId) -> Result<bool, EngineError> {
        let set = self.sets.get(&set).ok_or(EngineError::UnknownSet)?;
        let picked = matches!(self.choice(set, None), Choice::Copy(_));
        Ok(picked || !self.of_age(set).is_empty())
    }

    /// When the next task comes of age.
    pub(super) fn copy_due(&self) -> Option<Time> {
        let later = |set: &Set| {
            let mut ages = self.candidates(set).into_iter().map(|candidate| candidate.0);
            ages.find(|age| *age > self.now)
        };
        self.sets.values().filter_map(later).min()
    }

    /// Order of a step, 7: whoever may get a copy now and might not before is offered one.
    pub(super) fn watch_copies(&mut self) {
        for id in self.sets.keys().copied().collect::<Vec<_>>() {
            let set = &self.sets[&id];
            let newest = self.of_age(set).last().map(|(_, at, task, _)| (*at, *task));
            let more = self.held_more || newest > set.copying;
            self.offer_copies |= newest.is_some() && more && !self.has(Bug::CopyNotReoffered);
            self.sets.get_mut(&id).expect("it is there").copying = newest;
        }
        self.held_more = false;
    }
}
