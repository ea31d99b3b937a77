//! Last waves, and what follows from them for barriers (SSR-8).

use holdfast_engine::pareto::{self, STRICT};
use holdfast_engine::{Time, WorkflowId};

use super::state::{Attempt, Set};
use super::{Bug, Reference};

impl Reference {
    fn is_strict(&self, workflow: WorkflowId) -> bool {
        self.workflows[&workflow].isolation >= STRICT
    }

    /// Looks at every set: has its last wave begun, is its barrier's deadline known?
    pub(super) fn watch_waves(&mut self) {
        for id in self.sets.keys().copied().collect::<Vec<_>>() {
            let mut set = self.sets[&id].clone();
            if set.zombie || self.is_strict(set.workflow) {
                continue;
            }
            let unfinished = self.unfinished(&set);
            if self.has(Bug::FirstWaveCounts) && !set.launches.is_empty() {
                set.wave = set.wave.or(Some((self.now, set.tasks)));
            } else if self.pending(&set) > 0 {
                set.wave = None;
                set.barrier = None;
            } else if unfinished > 0 {
                set.wave = set.wave.or(Some((self.now, unfinished)));
            }
            if unfinished > 0 && set.barrier.is_none() {
                (set.barrier, set.bound) = self.deadline_of(&set).unzip();
            }
            if let (0, Some(barrier), Some(bound)) = (unfinished, set.barrier, set.bound) {
                let kept = self.now <= barrier || self.has(Bug::LateBarrierCountsAsKept);
                let lost = self.workflows[&set.workflow].exhausted;
                let kept = kept && (!lost || self.has(Bug::LostBarrierCountsAsKept));
                let w = self.workflow_mut(set.workflow);
                w.account.barriers += 1;
                w.account.kept += u64::from(kept);
                w.account.promised += u64::from(w.isolation);
                w.account.bound_ns = w.account.bound_ns.saturating_add(bound);
                set.bound = None;
            }
            self.sets.insert(id, set);
        }
        for id in self.holds.keys().copied().collect::<Vec<_>>() {
            let until = self.holds_until(self.holds[&id].workflow);
            if let Some(hold) = self.holds.get_mut(&id) {
                hold.deadline = hold.cap.min(until);
            }
        }
    }

    /// Until when a set's barrier is held, and how much idle slot-time Eq. 4 allows until then, once both can be known.
    fn deadline_of(&self, set: &Set) -> Option<(Time, u64)> {
        let ((at, tasks), shortest) = (set.wave?, set.shortest?);
        let w = &self.workflows[&set.workflow];
        let isolation = f64::from(w.isolation) / f64::from(STRICT);
        let open = (0..set.tasks).filter(|task| !set.finished.contains(task));
        let forgotten = self.has(Bug::AgesForgotten);
        let begun = |task: u32| if forgotten { None } else { set.since.get(&task).copied() };
        let ages = |begun: Time| (at.since(begun), self.now.since(begun));
        let running: Vec<(u64, u64)> = open.map(|task| begun(task).map_or((0, 0), ages)).collect();
        let running = running.into_iter();
        let alpha = w.tail.alpha_beside(running.clone().map(|(_, ran)| ran), shortest);
        let ended = tasks.saturating_sub(u32::try_from(running.len()).unwrap_or(u32::MAX));
        let wave = pareto::Wave { shortest, ended, running };
        let floor = if self.has(Bug::FloorIgnored) { 0 } else { self.config.hold_floor_ns };
        let held = wave.deadline(isolation, alpha).max(floor);
        let idle = 1.0 - pareto::utilization(isolation, wave.tasks(), alpha);
        Some((at.after(held), pareto::times(held, idle * f64::from(wave.tasks()))))
    }

    /// The latest barrier of its sets with unfinished tasks; the gap's deadline in a gap.
    pub(super) fn holds_until(&self, workflow: WorkflowId) -> Time {
        let for_ever = Time(u64::MAX);
        let Some(w) = self.workflows.get(&workflow) else {
            return for_ever;
        };
        if let Some(gap) = &w.gap {
            return gap.deadline;
        }
        let sets = self.sets.values().filter(|set| set.workflow == workflow);
        let kept = self.has(Bug::KeptBarrierExpires);
        let open = sets.filter(|set| !set.zombie && (kept || self.unfinished(set) > 0));
        let barriers: Vec<Time> = open.map(|set| set.barrier.unwrap_or(for_ever)).collect();
        barriers.into_iter().max().unwrap_or(for_ever)
    }

    pub(super) fn learn_duration(&mut self, attempt: &Attempt) {
        if self.is_strict(attempt.workflow) {
            return;
        }
        let duration = self.now.since(attempt.launched).max(1);
        let mut sets = self.sets.values_mut().filter(|set| set.serial == attempt.serial);
        let Some(set) = sets.next() else {
            return;
        };
        let (known, others) = (set.shortest, set.samples);
        set.shortest = known.into_iter().chain([duration]).min();
        set.samples += u32::from(known.is_some());
        let tail = &mut self.workflow_mut(attempt.workflow).tail;
        match known {
            Some(shortest) if duration < shortest => {
                tail.learn_shorter(duration, shortest, others);
            }
            Some(shortest) => tail.learn(duration, shortest),
            None => {}
        }
    }

    /// With a new isolation the last waves begin anew.
    pub(super) fn change_isolation(&mut self, workflow: WorkflowId, isolation: u32) {
        let w = self.workflow_mut(workflow);
        if w.isolation == isolation {
            return;
        }
        w.isolation = isolation;
        for set in self.sets.values_mut().filter(|set| set.workflow == workflow) {
            set.wave = None;
            set.barrier = None;
        }
        self.watch_waves();
    }
}
