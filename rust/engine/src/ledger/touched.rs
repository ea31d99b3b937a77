//! Workflows whose need may have changed in this step, as the books note them.

use super::keys::WorkflowKey;

/// In the order of the changes; some are there twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    list: Vec<WorkflowKey>,
    /// How many of them `Core::heed` has looked at.
    heeded: usize,
}

impl Touched {
    /// Begins the next step.
    pub fn clear(&mut self) {
        self.list.clear();
        self.heeded = 0;
    }

    #[inline]
    pub fn note(&mut self, workflow: WorkflowKey) {
        if self.list.last() != Some(&workflow) {
            self.list.push(workflow);
        } else if self.heeded == self.list.len() {
            self.heeded -= 1;
        }
    }

    /// The next one that `Core::heed` has not looked at.
    #[inline]
    pub fn next(&mut self) -> Option<WorkflowKey> {
        let next = self.list.get(self.heeded).copied();
        self.heeded += usize::from(next.is_some());
        next
    }

    /// All of this step, until they are given back.
    pub fn take(&mut self) -> Vec<WorkflowKey> {
        std::mem::take(&mut self.list)
    }

    pub fn give_back(&mut self, list: Vec<WorkflowKey>) {
        self.heeded = list.len();
        self.list = list;
    }

    pub fn iter(&self) -> impl Iterator<Item = WorkflowKey> {
        self.list.iter().copied()
    }
}
