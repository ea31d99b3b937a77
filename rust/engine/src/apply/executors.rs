//! Profiles and executors: how they come, change, and go.

use crate::api::decision::{Decision, EndCause};
use crate::api::error::EngineError;
use crate::api::event::Outcome;
use crate::api::ids::{AttemptId, ExecutorId, ProfileId, Resources};
use crate::engine::Engine;
use crate::ledger::Side;

/// Of more profiles those are forgotten that nobody names any more.
const MOST_PROFILES: usize = 100;

type Out = Vec<Decision>;

impl Engine {
    pub(crate) fn profile_defined(
        &mut self,
        profile: ProfileId,
        runs_on: ProfileId,
        demand: Resources,
    ) -> Result<(), EngineError> {
        if demand.0[0] == 0 {
            return Err(EngineError::EmptyDemand);
        }
        let executors = &mut self.ledger.executors;
        let known = (executors.demand(profile), executors.runs_on(profile));
        if known != (Some(demand), Some(runs_on)) {
            if known.0.is_none() && executors.profiles() >= MOST_PROFILES {
                self.forget_profiles();
            }
            let executors = &mut self.ledger.executors;
            executors.define(profile, runs_on, demand);
            let workflows = &mut self.ledger.workflows;
            workflows.holders.iter().for_each(|&w| workflows.slab[w].misfits = true);
            self.touch_all();
        }
        Ok(())
    }

    /// A user may define as many as there are numbers. The host says again what a set needs when it comes.
    fn forget_profiles(&mut self) {
        let ledger = &mut self.ledger;
        let of_executors = ledger.executors.slab.iter().map(|(_, e)| e.profile);
        let sets = || ledger.sets.iter().map(|(_, set)| set);
        let of_sets = sets().flat_map(|set| [set.profile, set.next_profile]);
        let plans = ledger.jobs.iter().flat_map(|(_, job)| &job.plan);
        let of_plans = plans.map(|entry| entry.next_profile);
        let workflows = &ledger.workflows.slab;
        let slots = || workflows.iter().flat_map(|(_, w)| [w.latest, w.slot]).flatten();
        let of_slots = slots().map(|(profile, _)| profile);
        let named = [ProfileId(0)].into_iter().chain(of_executors).chain(of_sets);
        let named = named.chain(of_plans).chain(of_slots).collect();
        let asked: Vec<_> = sets().map(|set| (set.profile, set.demand)).chain(slots()).collect();
        ledger.executors.keep_profiles(&named, &asked);
        ledger.forget_demands();
    }

    pub(crate) fn executor_added(
        &mut self,
        id: ExecutorId,
        profile: ProfileId,
        capacity: Resources,
        out: &mut Out,
    ) {
        let Some(key) = self.ledger.executors.key(id) else {
            self.ledger.executors.insert(id, profile, capacity);
            self.reoffer = true;
            return self.touch_all();
        };
        let e = &self.ledger.executors.slab[key];
        let (old, moved) = (e.capacity, e.profile != profile);
        self.ledger.executors.change(key, |e| {
            e.capacity = capacity;
            e.profile = profile;
        });
        while let Some(victim) = self.misplaced_hold(key, moved) {
            self.end_hold(victim, EndCause::ExecutorGone, out);
            // The hold may have been larger than what the executor lost.
            self.reoffer = true;
        }
        self.reoffer |= moved || !old.covers(&capacity);
        self.touch_all();
    }

    /// A hold that has lost its place: any if `all`, else while running + held exceeds capacity.
    fn misplaced_hold(&self, executor: usize, all: bool) -> Option<usize> {
        let e = &self.ledger.executors.slab[executor];
        let over = all || !e.capacity.covers(&e.running.plus(e.held));
        if over { self.least_important_hold(executor, None) } else { None }
    }

    pub(crate) fn executor_barred(&mut self, id: ExecutorId, barred: bool, out: &mut Out) {
        let Some(key) = self.ledger.executors.key(id) else { return };
        if self.ledger.executors.slab[key].barred == barred {
            return;
        }
        self.ledger.executors.change(key, |e| e.barred = barred);
        if barred {
            self.end_holds_on(key, out);
        }
        self.reoffer |= !barred;
        self.touch_all();
    }

    fn end_holds_on(&mut self, executor: usize, out: &mut Out) {
        loop {
            let holds = self.ledger.executors.slab[executor].holds;
            let Some(key) = self.ledger.holds.oldest_first(holds, Side::Executor).next() else {
                return;
            };
            self.end_hold(key, EndCause::ExecutorGone, out);
        }
    }

    pub(crate) fn executor_lost(&mut self, id: ExecutorId, out: &mut Out) {
        let Some(key) = self.ledger.executors.key(id) else { return };
        let there = self.ledger.attempts.iter().filter(|(_, attempt)| attempt.executor() == key);
        let mut there: Vec<AttemptId> = there.map(|(attempt, _)| attempt).collect();
        there.sort_unstable();
        for attempt in there {
            if let Some(attempt) = self.remove_attempt(attempt) {
                self.settle(&attempt, Outcome::NotFinished);
                self.ledger.workflows.forget_if_unused(attempt.workflow);
            }
        }
        self.end_holds_on(key, out);
        self.ledger.executors.remove(key);
        // What ran there once says nothing of an executor that comes.
        self.ledger.workflows.slab.iter_mut().for_each(|(_, w)| _ = w.away.remove(&id));
        self.spread_launches.retain(|&(_, executor), _| executor != key);
        self.touch_all();
    }
}
