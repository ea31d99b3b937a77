//! What the random histories have reached: a generator that misses an outcome tests nothing of it.

use std::collections::BTreeMap;

use holdfast_engine::{Decision, EndCause, Event, Reason, Stragglers, Verdict, VetoReason};

use crate::invariants::Step;
use crate::model::Snapshot;

/// How often each outcome was seen.
#[derive(Clone, Debug, Default)]
pub struct Reached(BTreeMap<String, u64>);

/// Outcomes that every large run has to reach.
const REQUIRED: [&str; 58] = [
    "held Waiting",
    "held Barrier",
    "held Gap",
    "held Grow",
    "held Nearer",
    "ended Used",
    "ended Moved",
    "ended Overridden",
    "ended Expired",
    "ended NotNeeded",
    "ended WorkflowOver",
    "ended ExecutorGone",
    "reoffer",
    "allow",
    "allow held",
    "veto held",
    "veto spread",
    "veto aside",
    "not admitted",
    "barrier room",
    "no barrier room",
    "stall",
    "gap begins",
    "gap ends by a job",
    "gap ends over",
    "gap with holds",
    "gap shortened",
    "gap of a run that ended",
    "exhausted",
    "override of a later rank",
    "override of an earlier rank",
    "facts win",
    "zombie set",
    "zombie launch",
    "copy launched",
    "regression",
    "late tick",
    "over while barred",
    "two own",
    "released but needed later",
    "error UnknownExecutor",
    "error UnknownWorkflow",
    "error UnknownJob",
    "error KnownJob",
    "error UnknownSet",
    "error KnownSet",
    "error UnknownProfile",
    "error KnownAttempt",
    "error TaskOutOfRange",
    "error EmptyDemand",
    "error BadTaskCount",
    "several holds on one executor",
    "barrier deadline",
    "barrier deadline expired",
    "barrier kept",
    "copy on an own hold",
    "copy won",
    "wider than known",
];

impl Reached {
    pub(super) fn add(&mut self, what: &str) {
        if let Some(count) = self.0.get_mut(what) {
            *count += 1;
        } else {
            self.0.insert(what.to_owned(), 1);
        }
    }

    /// Counts what another run has reached as well.
    pub fn merge(&mut self, other: Self) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// Required outcomes that were not seen.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let required = REQUIRED.into_iter().chain(super::reached_races::REQUIRED);
        required.filter(|what| !self.0.contains_key(*what)).collect()
    }

    /// All counts.
    #[must_use]
    pub fn counts(&self) -> &BTreeMap<String, u64> {
        &self.0
    }

    /// Looks at one step.
    pub(super) fn note(&mut self, step: &Step) {
        if let Err(error) = step.result {
            self.add(&format!("error {error:?}"));
        }
        self.note_decisions(step);
        self.note_asks(step);
        self.note_workflows(step);
        self.note_launch(step);
        if step.after.totals.regressions > step.before.totals.regressions {
            self.add("regression");
        }
        if step.after.totals.copies_won > step.before.totals.copies_won {
            self.add("copy won");
        }
        let unforeseen = |s: &Snapshot| s.accounts.iter().map(|(_, a)| a.unforeseen).sum::<u64>();
        if unforeseen(step.after) > unforeseen(step.before) {
            self.add("wider than known");
        }
        if step.before.deadline.is_some_and(|deadline| deadline < step.after.now) {
            self.add("late tick");
        }
        if step.after.sets.iter().any(|set| set.zombie) {
            self.add("zombie set");
        }
        let several = step
            .after
            .executors
            .iter()
            .any(|e| step.after.holds.iter().filter(|hold| hold.executor == e.id).count() > 1);
        if several {
            self.add("several holds on one executor");
        }
        self.note_barriers(step);
    }

    fn note_barriers(&mut self, step: &Step) {
        let in_gap = |s: &Snapshot, w| s.workflow(w).is_some_and(|w| w.in_gap);
        for hold in &step.after.holds {
            let old = step.before.holds.iter().find(|old| old.id == hold.id);
            if hold.deadline < hold.cap && !in_gap(step.after, hold.workflow) {
                self.add("barrier deadline");
            } else if old.is_some_and(|old| old.deadline < hold.deadline && old.cap == hold.cap) {
                self.add("barrier kept");
            }
        }
        for old in &step.before.holds {
            let end = Decision::HoldEnded { hold: old.id, cause: EndCause::Expired };
            let barrier = old.deadline < old.cap && !in_gap(step.before, old.workflow);
            if barrier && old.deadline <= step.after.now && step.decisions.contains(&end) {
                self.add("barrier deadline expired");
            }
        }
    }

    fn note_decisions(&mut self, step: &Step) {
        for decision in step.decisions {
            match decision {
                Decision::Reoffer => self.add("reoffer"),
                Decision::Held { reason, .. } => self.add(match reason {
                    Reason::Waiting => "held Waiting",
                    Reason::Barrier => "held Barrier",
                    Reason::Gap => "held Gap",
                    Reason::Grow => "held Grow",
                    Reason::Nearer => "held Nearer",
                }),
                Decision::HoldEnded { hold, cause } => {
                    self.add(&format!("ended {cause:?}"));
                    let old = step.before.holds.iter().find(|old| old.id == *hold);
                    let early = old.is_some_and(|old| old.deadline > step.after.now);
                    if *cause == EndCause::Expired && early {
                        self.add("stall");
                    }
                    if *cause == EndCause::NotNeeded
                        && old.is_some_and(|o| o.reason == Reason::Grow)
                    {
                        self.add("released but needed later");
                    }
                }
            }
        }
    }

    fn note_asks(&mut self, step: &Step) {
        for ask in &step.after.asks {
            self.add(match ask.verdict {
                Verdict::Allow => "allow",
                Verdict::AllowHeld => "allow held",
                Verdict::Veto(VetoReason::Held) => "veto held",
                Verdict::Veto(VetoReason::Spread) => "veto spread",
                Verdict::Veto(VetoReason::Aside) => "veto aside",
            });
            if ask.copy.is_some() && step.stragglers == Stragglers::Holds {
                self.add("copy on an own hold");
            }
            self.add(if ask.room > 0 { "barrier room" } else { "no barrier room" });
        }
        for (_, admitted) in &step.after.admits {
            if !admitted {
                self.add("not admitted");
            }
        }
    }

    fn note_workflows(&mut self, step: &Step) {
        for w in &step.before.workflows {
            let after = step.after.workflow(w.id);
            let (gap, active) = after.map_or((false, false), |a| (a.in_gap, a.active));
            match (w.in_gap, gap, active) {
                (false, true, _) => self.add("gap begins"),
                (true, false, true) => self.add("gap ends by a job"),
                (true, false, false) => self.add("gap ends over"),
                _ => {}
            }
            if w.in_gap && matches!(step.event, Event::RunEnded { workflow } if *workflow == w.id) {
                self.add(if gap { "gap shortened" } else { "gap of a run that ended" });
            }
            if w.in_gap && w.held > 0 {
                self.add("gap with holds");
            }
            if w.exhausted && w.active {
                self.add("exhausted");
            }
            if w.active && !active && step.before.executors.iter().any(|e| e.barred) {
                self.add("over while barred");
            }
        }
        if step.after.workflows.iter().filter(|w| w.held > 0).count() > 1 {
            self.add("two own");
        }
    }

    fn note_launch(&mut self, step: &Step) {
        let (Event::Launched { set, executor, .. }, Ok(())) = (step.event, step.result) else {
            return;
        };
        let (Some(set), Some(old)) = (step.before.set(*set), step.before.executor(*executor))
        else {
            return;
        };
        if set.zombie {
            self.add("zombie launch");
        } else if step.after.set(set.id).is_some_and(|now| now.pending == set.pending) {
            self.add("copy launched");
        }
        if step.after.executor(*executor).is_some_and(|now| now.capacity != old.capacity) {
            self.add("facts win");
        }
        for decision in step.decisions {
            let Decision::HoldEnded { hold, cause: EndCause::Overridden } = decision else {
                continue;
            };
            let owner = step.before.holds.iter().find(|h| h.id == *hold).map(|h| h.workflow);
            let later = owner.is_some_and(|o| step.before.rank(o) > step.before.rank(set.workflow));
            self.add(if later {
                "override of a later rank"
            } else {
                "override of an earlier rank"
            });
        }
    }
}
