//! Narrow phases: since when a workflow needs less than it will want again, and what its rivals' tasks take.

use crate::api::ids::Time;
use crate::engine::Engine;
use crate::ledger::Attempt;
use crate::policies::ssr::look_ahead::{is_rival, until};
use crate::policies::ssr::need::wants;

impl Engine {
    /// What a workflow wants may have changed.
    pub(crate) fn watch_narrow(&mut self, workflow: usize) {
        let wants = wants(&self.ledger, &self.config, self.now, workflow);
        let since = (wants.ahead > wants.literal)
            .then(|| self.ledger.workflows.slab[workflow].narrow.unwrap_or(self.now));
        self.ledger.workflows.set_narrow(workflow, since);
    }

    /// Workflows with holds that are in a narrow phase, and until when they keep what they will want again.
    pub(crate) fn rents(&self) -> impl Iterator<Item = (usize, Time)> {
        self.ledger.workflows.narrow.iter().filter_map(|&key| {
            let w = &self.ledger.workflows.slab[key];
            Some((key, until(&self.ledger, &self.config, w).filter(|_| w.held > 0)?))
        })
    }

    /// Whose rent is over needs less from now on.
    pub(crate) fn end_rents(&mut self) {
        for i in 0..self.ledger.workflows.narrow.len() {
            let key = self.ledger.workflows.narrow[i];
            let w = &self.ledger.workflows.slab[key];
            let until = until(&self.ledger, &self.config, w).filter(|_| w.held > 0);
            if until.is_some_and(|until| until <= self.now) {
                self.touch(key);
            }
        }
    }

    /// A task has finished.
    pub(crate) fn learn_rivals(&mut self, attempt: &Attempt) {
        if is_rival(&self.config, &self.ledger.workflows.slab[attempt.workflow]) {
            let nanos = self.now.since(attempt.launched_at);
            self.ledger.rivals.add(nanos);
        }
    }
}
