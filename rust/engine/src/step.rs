//! What one step has done so far, and the buffers that steps reuse.

use crate::api::decision::Decision;
use crate::api::error::EngineError;
use crate::ledger::keys::HoldKey;

/// What a step decides.
pub(crate) type Out = Vec<Decision>;

/// Whether an event was taken.
pub(crate) type Applied = Result<(), EngineError>;

/// The flags of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Something may be allowed now that was not before.
    pub reoffer: bool,
    /// A task may get a copy now that might not before.
    pub offer_copies: bool,
    /// A hold was made.
    pub held_more: bool,
    /// A hold was made, or has ended.
    pub stirred: bool,
}

impl Step {
    /// Begins the next step.
    pub fn begin(&mut self) {
        self.reoffer = false;
        self.offer_copies = false;
        self.held_more = false;
        self.stirred = false;
    }
}

/// Lists whose contents mean nothing between two uses. Kept, so that a step allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub holds: Vec<HoldKey>,
    /// Places of executors in the order of their ids.
    pub places: Vec<usize>,
    /// For how long tasks of a last wave had run when it began, and have now.
    pub ages: Vec<(u64, u64)>,
}
