//! Claims ("Grow", pre-reservation): who takes what is free, and what less important workflows release.

use crate::api::decision::{Decision, Reason};
use crate::api::ids::{ProfileId, Resources};
use crate::engine::Engine;
use crate::policies::ssr::claim;
use crate::policies::ssr::home::{home_places, is_known, is_wanted};
use crate::policies::ssr::need::{may_hold, need};

type Out = Vec<Decision>;

impl Engine {
    /// "Grow": what is free goes to those who own less than they need, in rank order.
    pub(crate) fn claim(&mut self, out: &mut Out) {
        if !self.config.grow || self.ledger.pending == 0 {
            return;
        }
        let mut place = 0;
        while let Some(&w) = self.ledger.workflows.hungry.get(place) {
            if !self.ledger.executors.any_room() {
                return;
            }
            if self.claims(w) {
                self.claim_for(w, out);
            }
            // Who has turned out to own enough has left the list.
            place += usize::from(self.ledger.workflows.hungry.get(place) == Some(&w));
        }
    }

    /// Whether a hungry workflow claims now: it owns less than it may claim, and somebody else waits.
    fn claims(&mut self, workflow: usize) -> bool {
        let w = &self.ledger.workflows.slab[workflow];
        if !claim::may_claim(&self.ledger, &self.config, w) {
            return false;
        }
        let (owned, in_gap) = (w.owned(), w.gap.is_some());
        if !in_gap && owned >= self.wide(workflow) {
            // What it may claim only falls with time.
            self.ledger.workflows.set_hungry(workflow, false);
            return false;
        }
        owned < need(&self.ledger, &self.config, self.now, workflow)
    }

    /// The workflow has changed, or owns less: it is looked at again when others wait.
    pub(crate) fn make_hungry(&mut self, workflow: usize) {
        if self.config.grow && may_hold(&self.config, &self.ledger.workflows.slab[workflow]) {
            self.ledger.workflows.set_hungry(workflow, true);
        }
    }

    /// Hungry ones are asked in almost every step, and change in few: what was said is kept until then.
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
        let Some(slot) = self.ledger.workflows.slab[workflow].slot else { return };
        if is_known(&self.ledger, workflow) {
            self.claim_home(workflow, slot, need, out);
        }
        let mut place = 0;
        while self.ledger.workflows.slab[workflow].owned() < need {
            let Some((found, executor)) = self.ledger.executors.with_room(slot, place) else {
                return;
            };
            let held = self.hold(workflow, executor, Reason::Grow, out);
            place = if held { found } else { found + 1 };
        }
    }

    /// First where its input lies, in order of ids: all other executors, most of a large cluster, need not be looked at.
    fn claim_home(
        &mut self,
        workflow: usize,
        slot: (ProfileId, Resources),
        need: u32,
        out: &mut Out,
    ) {
        let mut places = std::mem::take(&mut self.scratch);
        places.clear();
        places.extend(home_places(&self.ledger, workflow));
        places.sort_unstable();
        places.dedup();
        for &place in &places {
            while self.ledger.workflows.slab[workflow].owned() < need
                && let Some(executor) = self.ledger.executors.room_at(slot, place)
                && is_wanted(&self.ledger, workflow, executor)
                && self.hold(workflow, executor, Reason::Grow, out)
            {}
        }
        self.scratch = places;
    }

    /// A more important workflow that owns too little takes what less important ones release.
    pub(crate) fn claim_slot(&mut self, releaser: usize, executor: usize, out: &mut Out) -> bool {
        if !self.config.grow || self.ledger.pending == 0 {
            return false;
        }
        let priority = self.ledger.workflows.slab[releaser].priority;
        let mut place = 0;
        while let Some(&w) = self.ledger.workflows.hungry.get(place) {
            if self.ledger.workflows.slab[w].priority <= priority {
                return false;
            }
            if self.claims(w) && self.try_hold(w, executor, Reason::Grow, out) {
                return true;
            }
            place += usize::from(self.ledger.workflows.hungry.get(place) == Some(&w));
        }
        false
    }
}
