//! Workflows whose need may have changed in this step, as the books note them.

use super::keys::WorkflowKey;

/// In the order of the changes; some are there twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    list: Vec<WorkflowKey>,
}

impl Touched {
    /// Begins the next step.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    #[inline]
    pub fn note(&mut self, workflow: WorkflowKey) {
        if self.list.last() != Some(&workflow) {
            self.list.push(workflow);
        }
    }

    /// All of this step, until they are given back.
    pub fn take(&mut self) -> Vec<WorkflowKey> {
        std::mem::take(&mut self.list)
    }

    /// What was noted since they were taken is forgotten.
    pub fn give_back(&mut self, list: Vec<WorkflowKey>) {
        self.list = list;
    }

    pub fn iter(&self) -> impl Iterator<Item = WorkflowKey> {
        self.list.iter().copied()
    }
}
