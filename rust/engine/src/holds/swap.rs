//! Holds move to where the workflow's input lies, and stay there.

use crate::api::decision::{Decision, EndCause, Reason};
use crate::engine::Engine;
use crate::ledger::Side;
use crate::policies::ssr::home::{is_crowded, is_known, is_wanted};
use crate::policies::ssr::need::need;

/// Among how many of a workflow's newest holds a misplaced one is looked for.
const NEWEST: usize = 64;

impl Engine {
    /// The newest of a workflow's holds that is on an executor where it has more slots than input.
    pub(crate) fn misplaced(&self, workflow: usize) -> Option<usize> {
        if !is_known(&self.ledger, workflow) {
            return None;
        }
        let holds = self.ledger.workflows.slab[workflow].holds;
        let newest = self.ledger.holds.newest_first(holds, Side::Workflow).take(NEWEST);
        let crowded = |key| is_crowded(&self.ledger, workflow, self.ledger.holds.get(key).executor);
        newest.into_iter().find(|&key| crowded(key))
    }

    /// A slot that was freed, and that nobody holds, is better for somebody than one that it holds elsewhere.
    pub(crate) fn swap(&mut self, releaser: usize, executor: usize, out: &mut Vec<Decision>) {
        if !self.config.grow || self.ledger.holds.len() == 0 {
            return;
        }
        let priority = self.ledger.workflows.slab[releaser].priority;
        for i in 0..self.ledger.workflows.holders.len() {
            let key = self.ledger.workflows.holders[i];
            let w = &self.ledger.workflows.slab[key];
            if w.priority <= priority {
                break;
            }
            if self.ledger.pending > w.pending && self.swap_for(key, executor, out) {
                return;
            }
        }
        self.swap_for(releaser, executor, out);
    }

    fn swap_for(&mut self, workflow: usize, executor: usize, out: &mut Vec<Decision>) -> bool {
        if self.ledger.workflows.slab[workflow].held == 0
            || !is_wanted(&self.ledger, workflow, executor)
            || self.terms(workflow, executor).is_none()
            || !self.tenant_has_room(workflow, 1)
        {
            return false;
        }
        let Some(worse) = self.misplaced(workflow) else { return false };
        let need = need(&self.ledger, &self.config, self.now, workflow);
        if self.ledger.workflows.slab[workflow].owned() > need {
            return false;
        }
        self.touch(workflow);
        self.end_hold(worse, EndCause::Moved, out);
        self.hold(workflow, executor, Reason::Nearer, out)
    }
}
