//! The sets whose launches are spread, and how much of each executor they have had.

use crate::api::ids::Time;
use crate::engine::Engine;
use crate::ledger::{Attempt, Set};
use crate::policies::ssr::spread::{patience, share, waits_for_others};

impl Engine {
    /// Spreads the launches of the first set of a workflow that fills the cache, if there is something
    /// to wait for. Later ones go where the first has put their input.
    pub(crate) fn begin_spread(&mut self, set: usize) {
        let workflow = self.ledger.sets[set].workflow;
        let first = !std::mem::replace(&mut self.ledger.workflows.slab[workflow].has_filled, true);
        if self.config.spread
            && first
            && waits_for_others(&self.ledger, &self.config, self.now, workflow)
        {
            self.ledger.sets[set].spread_until = Some(self.now.after(self.config.spread_max_ns));
            self.spreads.push(set);
        }
    }

    /// Whether a set whose launches are spread has its share of this executor.
    pub(crate) fn has_its_share(&self, key: usize, set: &Set, executor: usize) -> bool {
        if set.spread_until.is_none_or(|until| self.now >= until) {
            return false;
        }
        let launched = self.spread_launches.get(&(key, executor)).copied().unwrap_or(0);
        u64::from(launched) >= share(&self.ledger, set, executor)
    }

    /// A task has finished: short ones are not worth a long wait for those that are still to come.
    pub(crate) fn shorten_spread(&mut self, attempt: &Attempt) {
        let until = &mut self.ledger.sets[attempt.set].spread_until;
        let nanos = self.now.since(attempt.launched_at);
        *until = until.map(|until| until.min(patience(self.now, nanos)));
    }

    /// Ends what is due, and what has nothing to wait for any more.
    pub(crate) fn end_spreads(&mut self) {
        for i in (0..self.spreads.len()).rev() {
            let set = self.spreads[i];
            let Set { workflow, spread_until, .. } = self.ledger.sets[set];
            let due = spread_until.is_some_and(|until| until <= self.now);
            if due || !waits_for_others(&self.ledger, &self.config, self.now, workflow) {
                self.ledger.sets[set].spread_until = None;
                self.forget_spread(set);
                self.reoffer = true;
            }
        }
    }

    pub(crate) fn forget_spread(&mut self, set: usize) {
        self.spreads.retain(|&other| other != set);
        self.spread_launches.retain(|&(other, _), _| other != set);
    }

    /// When the first of them is over at the latest.
    pub(crate) fn first_spread_end(&self) -> Option<Time> {
        self.spreads.iter().filter_map(|&set| self.ledger.sets[set].spread_until).min()
    }
}
