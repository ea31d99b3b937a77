//! Tasks of a set.

use super::keys::ExecutorKey;
use crate::api::ids::{ExecutorId, Time};

/// When a task was launched, and which: sorts the oldest first.
pub(crate) type Start = (Time, u32);

/// One task of a set: 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Task {
    /// Of its first attempt that runs now.
    pub since: Time,
    pub executor: ExecutorKey,
    pub running: u32,
    pub finished: bool,
    /// An attempt of it has failed.
    pub failed: bool,
    /// It has run twice at a time.
    pub copied: bool,
    /// It is known where the attempt ran that finished it: there.
    is_done_on: bool,
    done_on: u32,
}

impl Task {
    /// Where the attempt ran that finished it.
    pub fn done_on(&self) -> Option<ExecutorId> {
        self.is_done_on.then_some(ExecutorId(self.done_on))
    }

    pub fn set_done_on(&mut self, executor: Option<ExecutorId>) {
        self.is_done_on = executor.is_some();
        self.done_on = executor.map_or(0, |executor| executor.0);
    }

    pub fn runs_twice(&self) -> bool {
        self.running > 1 && !self.finished
    }

    /// Whether it runs, since then, and a copy is still allowed.
    pub fn may_be_copied(&self, (since, _): Start) -> bool {
        let once = self.running == 1 && !self.finished;
        once && !self.failed && !self.copied && self.since == since
    }
}
