//! A stage attempt that has not ended: which of its tasks wait.

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::runs::RunId;

/// A stage attempt.
pub(super) struct Stage {
    pub(super) run: RunId,
    tasks: u32,
    done: Bits,
    done_count: u64,
    /// Tasks that run and are not done, with the number of their copies.
    open: FxHashMap<u32, u32>,
}

impl Stage {
    pub(super) fn new(run: RunId, tasks: u32) -> Self {
        Self { run, tasks, done: Bits::default(), done_count: 0, open: FxHashMap::default() }
    }

    /// Tasks that neither run nor have been done.
    pub(super) fn pending(&self) -> u64 {
        u64::from(self.tasks).saturating_sub(self.done_count + self.open.len() as u64)
    }

    pub(super) fn launched(&mut self, index: u32) {
        if !self.done.contains(index.into()) {
            *self.open.entry(index).or_insert(0) += 1;
        }
    }

    pub(super) fn ended(&mut self, index: u32, success: bool) {
        if success {
            self.open.remove(&index);
            self.done_count += u64::from(self.done.insert(index.into()));
        } else if let Some(copies) = self.open.get_mut(&index) {
            *copies -= 1;
            if *copies == 0 {
                self.open.remove(&index);
            }
        }
    }

    /// What a task did is gone: it waits again, unless a copy runs.
    pub(super) fn undone(&mut self, index: u32) {
        self.done_count -= u64::from(self.done.remove(index.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_waits_again_when_its_only_run_fails_and_not_when_a_copy_does() {
        let mut stage = Stage::new(RunId(0), 3);
        stage.launched(0);
        stage.launched(1);
        assert_eq!(stage.pending(), 1);
        stage.ended(0, false);
        assert_eq!(stage.pending(), 2);
        stage.launched(1); // a copy
        stage.ended(1, false);
        assert_eq!(stage.pending(), 2);
        stage.ended(1, true);
        stage.ended(1, true); // the copy that lost, and was too quick to be killed
        assert_eq!(stage.pending(), 2);
        stage.launched(0);
        stage.launched(2);
        assert_eq!(stage.pending(), 0);
    }
}
