//! Slot sizes: a workflow's holds are what it will launch next.

use crate::api::decision::{Decision, EndCause};
use crate::engine::Engine;
use crate::holds::slot::slot;
use crate::ledger::Side;

impl Engine {
    /// What a workflow launches next may have another size.
    pub(crate) fn watch_slot(&mut self, workflow: usize) {
        let w = &self.ledger.workflows.slab[workflow];
        if self.ledger.executors.one_profile() && !w.is_resized() {
            return;
        }
        let slot = slot(&self.ledger, w);
        if slot != w.slot {
            self.ledger.workflows.slab[workflow].set_slot(slot);
            self.make_hungry(workflow);
        }
    }

    /// Holds of another size, or on executors where that does not run, are given back, the newest first.
    pub(crate) fn end_misfits(&mut self, workflow: usize, out: &mut Vec<Decision>) {
        if !std::mem::take(&mut self.ledger.workflows.slab[workflow].misfits) {
            return;
        }
        while let Some(misfit) = self.misfit(workflow) {
            self.end_hold(misfit, EndCause::NotNeeded, out);
        }
    }

    fn misfit(&self, workflow: usize) -> Option<usize> {
        let w = &self.ledger.workflows.slab[workflow];
        let (profile, size) = w.slot?;
        let home = self.ledger.executors.runs_on(profile);
        self.ledger.holds.newest_first(w.holds, Side::Workflow).find(|&key| {
            let hold = self.ledger.holds.get(key);
            let there = self.ledger.executors.slab[hold.executor].profile;
            hold.size != size || home != Some(there)
        })
    }
}
