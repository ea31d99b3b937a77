//! Two models side by side.

use holdfast_engine::{
    AttemptId, Decision, Event, HoldView, Policy, Resources, SetId, StageKind, Verdict,
};

use super::truth::Truth;
use super::{Failure, Reached, Rule, Timed};
use crate::invariants::{Checker, Step};
use crate::model::{Model, Snapshot};

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Whether the models are compared.
    pub compare: bool,
    /// Whether the first model's invariants are checked.
    pub invariants: bool,
}

impl Checks {
    /// Everything.
    pub const ALL: Self = Self { compare: true, invariants: true };
}

/// Two models that are told the same.
#[derive(Clone, Debug)]
pub struct Pair<A, B> {
    a: A,
    b: B,
    checks: Checks,
    checker: Checker,
    pub(super) truth: Truth,
    before: Snapshot,
    steps: usize,
}

impl<A: Model, B: Model> Pair<A, B> {
    /// Two new models of the same configuration.
    pub fn new(a: A, b: B, checks: Checks) -> Self {
        Self {
            before: Snapshot::of(&a),
            a,
            b,
            checks,
            checker: Checker::default(),
            truth: Truth::default(),
            steps: 0,
        }
    }

    /// The model whose answers the host follows.
    pub fn first(&self) -> &A {
        &self.a
    }

    /// The other one.
    pub fn second(&self) -> &B {
        &self.b
    }

    pub(crate) fn running(&self) -> Vec<AttemptId> {
        self.truth.attempts.keys().copied().collect()
    }

    pub(crate) fn first_pending(&self, set: SetId) -> Option<u32> {
        self.truth.pending(set).first().copied()
    }

    pub(super) fn failure(&self, rule: Rule, seen: String) -> Failure {
        Failure { step: self.steps, rule, seen }
    }

    /// The first model's books after the last step.
    pub(super) fn seen(&self) -> &Snapshot {
        &self.before
    }

    /// Tells both; whether the event was accepted.
    ///
    /// # Errors
    /// The models differ, or an invariant does not hold.
    pub fn step(&mut self, timed: Timed, reached: &mut Reached) -> Result<bool, Failure> {
        let (mut decisions, mut others) = (Vec::new(), Vec::new());
        let switched = self.b.switches();
        let freed_on = match timed.event {
            Event::SlotFreed { attempt, .. } => self.truth.attempts.get(&attempt),
            _ => None,
        };
        let freed_on = freed_on.map(|attempt| attempt.executor);
        let result = self.a.step(timed.now, &timed.event, &mut decisions);
        if result.is_ok() {
            self.truth.apply(&timed.event);
        }
        let after = Snapshot::of(&self.a);
        if self.checks.compare {
            let theirs = self.b.step(timed.now, &timed.event, &mut others);
            if result != theirs {
                return Err(self.failure(Rule::Errors, format!("{result:?} against {theirs:?}")));
            }
            self.compare(&after, &decisions, &others)?;
        }
        let running: Vec<_> =
            self.truth.attempts.values().map(|a| (a.set, a.task, a.executor)).collect();
        let step = Step {
            before: &self.before,
            event: &timed.event,
            result,
            decisions: &decisions,
            after: &after,
            freed_on,
            demands: &self.truth.demands,
            kinds: &self.truth.kinds,
            profiles: &self.truth.set_profiles,
            running: &running,
            hold_max_ns: self.a.config().hold_max_ns,
            stragglers: self.a.config().stragglers,
        };
        reached.note(&step);
        reached.note_races(&step, self.b.switches() - switched);
        if self.checks.invariants {
            let checked = self.checker.check(&step);
            checked.map_err(|(broken, why)| self.failure(Rule::Broken(broken), why))?;
        }
        self.before = after;
        self.steps += 1;
        Ok(result.is_ok())
    }

    fn compare(
        &self,
        ours: &Snapshot,
        decisions: &[Decision],
        others: &[Decision],
    ) -> Result<(), Failure> {
        if decisions != others {
            let seen = format!("{decisions:?}\n  against {others:?}");
            return Err(self.failure(Rule::Decisions, seen));
        }
        let theirs = Snapshot::of(&self.b);
        let differ = |rule, what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
            Err(self.failure(rule, format!("{what}: {a:?}\n  against {b:?}")))
        };
        if ours.holds != theirs.holds {
            return differ(Rule::Views, "holds", &ours.holds, &theirs.holds);
        }
        if ours.executors != theirs.executors {
            return differ(Rule::Views, "executors", &ours.executors, &theirs.executors);
        }
        if ours.sets != theirs.sets {
            return differ(Rule::Views, "sets", &ours.sets, &theirs.sets);
        }
        if ours.workflows != theirs.workflows {
            return differ(Rule::Views, "workflows", &ours.workflows, &theirs.workflows);
        }
        if ours.totals != theirs.totals || ours.now != theirs.now {
            return differ(Rule::Views, "totals", &ours.totals, &theirs.totals);
        }
        if ours.accounts != theirs.accounts {
            return differ(Rule::Views, "accounts", &ours.accounts, &theirs.accounts);
        }
        if ours.deadline != theirs.deadline {
            return differ(Rule::Answers, "next deadline", &ours.deadline, &theirs.deadline);
        }
        if ours.samples != theirs.samples {
            return differ(Rule::Views, "samples", &ours.samples, &theirs.samples);
        }
        for (a, b) in ours.asks.iter().zip(&theirs.asks) {
            if a != b {
                return differ(Rule::Answers, "asks", a, b);
            }
        }
        if ours.wants_copies != theirs.wants_copies {
            let (ours, theirs) = (&ours.wants_copies, &theirs.wants_copies);
            return differ(Rule::Answers, "wants copies", ours, theirs);
        }
        self.compare_admits(ours)?;
        self.compare_admits(&theirs)
    }

    /// `admits` may be true where nobody would allow, but never false where somebody would.
    fn compare_admits(&self, seen: &Snapshot) -> Result<(), Failure> {
        let stock = self.a.config().policy == Policy::Stock;
        let used = |e: &holdfast_engine::ExecutorView| e.running.plus(e.held);
        let full = seen.executors.iter().all(|e| e.capacity.minus(used(e)) == Resources::default());
        for (id, admitted) in &seen.admits {
            let Some(set) = seen.set(*id).filter(|set| !set.zombie) else {
                continue;
            };
            let mut asks = seen.asks.iter().filter(|ask| ask.set == *id);
            let profile = self.truth.set_profiles.get(id);
            let usable = |executor| {
                let executor = seen.executor(executor);
                executor.is_some_and(|e| !e.barred && Some(&e.profile) == profile)
            };
            let somebody =
                asks.any(|a| usable(a.executor) && !matches!(a.verdict, Verdict::Veto(_)));
            if somebody && !admitted {
                let seen = format!("{set:?} is not admitted, but allowed somewhere");
                return Err(self.failure(Rule::Answers, seen));
            }
            let in_the_way = |hold: &HoldView| match self.truth.kinds.get(id) {
                Some(StageKind::Barrier) => seen.rank(hold.workflow) < seen.rank(set.workflow),
                _ => seen.in_the_way(hold.workflow, set.workflow),
            };
            let all_held = seen.holds.iter().all(in_the_way);
            let cores = self.truth.demands.get(id).is_some_and(|demand| demand.0[0] > 0);
            if full && all_held && cores && !stock && *admitted {
                let seen = format!("{set:?} is admitted, but nothing is left for it");
                return Err(self.failure(Rule::Answers, seen));
            }
        }
        Ok(())
    }
}
