//! Claims ("Grow", pre-reservation): who takes what is free, and what less important workflows release.

use crate::decision::{Decision, Reason};
use crate::engine::Engine;
use crate::ledger::Ledger;
use crate::policy::claim;
use crate::policy::home::{is_known, is_wanted};
use crate::policy::need::need;

type Out = Vec<Decision>;

impl Engine {
    /// "Grow": what is free goes to those who own less than they need, in rank order.
    pub(crate) fn claim(&mut self, out: &mut Out) {
        if !self.config.grow || self.ledger.pending == 0 {
            return;
        }
        for i in 0..self.ledger.workflows.active.len() {
            if !self.ledger.executors.any_room() {
                return;
            }
            let w = self.ledger.workflows.active[i];
            if claim::none_from_here(&self.config, &self.ledger.workflows.slab[w]) {
                return;
            }
            if self.claims(w) {
                self.claim_for(w, out);
            }
        }
    }

    /// Whether an active workflow claims now: it owns less than it may claim, and somebody else waits.
    fn claims(&mut self, workflow: usize) -> bool {
        let w = &self.ledger.workflows.slab[workflow];
        if !claim::may_claim(&self.ledger, &self.config, w) {
            return false;
        }
        let (owned, in_gap) = (w.owned(), w.gap.is_some());
        (in_gap || owned < self.wide(workflow))
            && owned < need(&self.ledger, &self.config, self.now, workflow)
    }

    /// Everybody is asked in almost every step, and changes in few: what was said is kept until then.
    fn wide(&mut self, workflow: usize) -> u32 {
        let w = &self.ledger.workflows.slab[workflow];
        if let Some((wide, until)) = w.wide
            && self.now < until
        {
            return wide;
        }
        let kept = claim::wide(&self.ledger, &self.config, self.now, w);
        self.ledger.workflows.slab[workflow].wide = Some(kept);
        kept.0
    }

    fn claim_for(&mut self, workflow: usize, out: &mut Out) {
        // All executors with room would be looked at in vain, in every step.
        if !self.may_make(workflow) {
            return;
        }
        let mut need = need(&self.ledger, &self.config, self.now, workflow);
        if self.ledger.workflows.slab[workflow].gap.is_none() {
            need = need.min(self.wide(workflow));
        }
        if is_known(&self.ledger, workflow) {
            self.claim_where(workflow, need, is_wanted, out);
        }
        self.claim_where(workflow, need, |_, _, _| true, out);
    }

    /// On executors with room that are `good`, in order of their ids.
    fn claim_where(
        &mut self,
        workflow: usize,
        need: u32,
        good: impl Fn(&Ledger, usize, usize) -> bool,
        out: &mut Out,
    ) {
        let mut place = 0;
        while self.ledger.workflows.slab[workflow].owned() < need {
            let Some((found, executor)) = self.ledger.executors.with_room(place) else { return };
            if !good(&self.ledger, workflow, executor)
                || !self.hold(workflow, executor, Reason::Grow, out)
            {
                place = found + 1;
            }
        }
    }

    /// A more important workflow that owns too little takes what less important ones release.
    pub(crate) fn claim_slot(&mut self, releaser: usize, executor: usize, out: &mut Out) -> bool {
        if !self.config.grow || self.ledger.pending == 0 {
            return false;
        }
        let priority = self.ledger.workflows.slab[releaser].priority;
        for i in 0..self.ledger.workflows.active.len() {
            let w = self.ledger.workflows.active[i];
            if self.ledger.workflows.slab[w].priority <= priority {
                return false;
            }
            if self.claims(w) && self.try_hold(w, executor, Reason::Grow, out) {
                return true;
            }
        }
        false
    }
}
