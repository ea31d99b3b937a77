//! Last waves: when they began, how long the shortest task took, and the barrier's deadline from both.

use crate::engine::Engine;
use crate::ledger::{Attempt, Wave};
use crate::math::pareto::STRICT;
use crate::policies::ssr::isolation::{deadline, deadline_of_set};
use crate::policies::ssr::widen::learned_slowdown;

impl Engine {
    /// What a set has pending or unfinished may have changed.
    pub(crate) fn watch_wave(&mut self, set: usize) {
        let s = &mut self.ledger.sets[set];
        let w = &self.ledger.workflows.slab[s.workflow];
        if w.isolation >= STRICT || s.zombie {
            return;
        }
        if s.pending > 0 {
            (s.wave, s.barrier) = (None, None);
        } else if s.wave.is_none() && s.unfinished > 0 {
            s.wave = Some(Wave { at: self.now, tasks: s.unfinished });
        }
        if s.barrier.is_none()
            && s.unfinished > 0
            && let Some((deadline, bound_ns)) =
                deadline_of_set(&self.config, w, s, self.now, &mut self.ages)
        {
            (s.barrier, s.bound_ns) = (Some(deadline), Some(bound_ns));
        }
        let workflow = s.workflow;
        self.count_barrier(set);
        self.renew_barrier(workflow);
    }

    /// A stage that is complete for the first time has kept its barrier, or not.
    fn count_barrier(&mut self, set: usize) {
        let s = &mut self.ledger.sets[set];
        if s.unfinished > 0 {
            return;
        }
        if let (Some(barrier), Some(bound_ns)) = (s.barrier, s.bound_ns.take()) {
            let w = &mut self.ledger.workflows.slab[s.workflow];
            // The cap or the idle budget may have ended its holds before.
            let kept = self.now <= barrier && !w.exhausted;
            w.account.barrier(w.isolation, kept, bound_ns);
        }
    }

    /// A task has finished: the shortest of its set gives t_m, the others the shape.
    pub(crate) fn learn_duration(&mut self, attempt: &Attempt) {
        let w = &mut self.ledger.workflows.slab[attempt.workflow];
        if w.isolation >= STRICT {
            return;
        }
        let duration = self.now.since(attempt.launched_at).max(1);
        let set = &mut self.ledger.sets[attempt.set];
        match set.shortest {
            None => set.shortest = Some(duration),
            Some(shortest) if duration < shortest => {
                w.tail.learn_shorter(duration, shortest, set.samples);
                set.shortest = Some(duration);
                set.samples += 1;
            }
            Some(shortest) => {
                w.tail.learn(duration, shortest);
                set.samples += 1;
            }
        }
    }

    /// A task has finished: what it cost to be away from its input.
    pub(crate) fn learn_remote_slowdown(&mut self, attempt: &Attempt) {
        let nanos = self.now.since(attempt.launched_at);
        let set = &mut self.ledger.sets[attempt.set];
        if attempt.local {
            set.local = (set.local.0 + 1, set.local.1.saturating_add(nanos));
            return;
        }
        let w = &mut self.ledger.workflows.slab[attempt.workflow];
        let executor = self.ledger.executors.slab[attempt.executor].id;
        if *w.away.entry(executor).or_insert(self.now) > attempt.launched_at {
            // Nothing of the kind had run there before: classes and broadcasts came along with the input.
            set.remote_slowdown_milli = learned_slowdown(set.remote_slowdown_milli, set, nanos)
                .or(set.remote_slowdown_milli);
        } else {
            w.remote_slowdown_milli =
                learned_slowdown(w.remote_slowdown_milli, set, nanos).or(w.remote_slowdown_milli);
        }
    }

    /// With a new isolation the last waves begin anew.
    pub(crate) fn change_isolation(&mut self, workflow: usize, isolation: u32) {
        if self.ledger.workflows.slab[workflow].isolation == isolation {
            return;
        }
        self.ledger.workflows.slab[workflow].isolation = isolation;
        let jobs = self.ledger.workflows.slab[workflow].jobs.iter();
        let sets: Vec<usize> =
            jobs.flat_map(|&job| self.ledger.jobs[job].sets.iter().copied()).collect();
        for set in sets {
            (self.ledger.sets[set].wave, self.ledger.sets[set].barrier) = (None, None);
            self.watch_wave(set);
        }
        self.renew_barrier(workflow);
    }

    /// Gives a workflow's holds the deadline of its barrier as it is now. In a gap they have the gap's.
    pub(crate) fn renew_barrier(&mut self, workflow: usize) {
        let barrier = deadline(&self.ledger, &self.ledger.workflows.slab[workflow]);
        if self.ledger.workflows.slab[workflow].barrier == barrier {
            return;
        }
        self.ledger.workflows.slab[workflow].charge(self.now);
        self.ledger.workflows.slab[workflow].barrier = barrier;
        let until = self.ledger.workflows.slab[workflow].holds_until();
        self.for_holds(workflow, |holds, hold| holds.set_deadline(hold, until));
    }
}
