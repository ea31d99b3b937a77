//! Lists of holds: each hold is in the list of its executor and in that of its workflow.

pub(super) const END: u32 = u32::MAX;

/// Which of the two lists of a hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Executor = 0,
    Workflow = 1,
}

/// Head and tail of a list of holds, in the order of making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub oldest: u32,
    pub newest: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { oldest: END, newest: END }
    }
}
