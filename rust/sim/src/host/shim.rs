//! The shim's part: the engine, and what has been said to it.

use holdfast_engine::HoldId;
use rustc_hash::FxHashMap;

use crate::host::wire::Wire;

/// A workflow as the engine knows it: named ones, or one job of a nameless one.
#[derive(Debug)]
pub struct EngineWorkflow {
    /// In the world.
    pub workflow: u32,
    /// Larger is more important.
    pub priority: i32,
    /// Jobs of it that the engine knows, and has not been told to be over.
    pub jobs: u32,
    /// Its live sets.
    pub sets: Vec<u32>,
    /// Its holds: which, and where.
    pub holds: Vec<(HoldId, u32)>,
    /// Since it last submitted a set: a hold of it has expired.
    pub expired: bool,
    /// Since it last submitted a set: a slot of it was held.
    pub held: bool,
}

/// The engine, and what the shim remembers of it.
pub struct Shim {
    /// The engine.
    pub wire: Wire,
    /// Owner and executor of each hold.
    pub holders: FxHashMap<HoldId, (u32, u32)>,
    /// Workflows that the engine knows, by its numbers.
    pub workflows: Vec<EngineWorkflow>,
    /// One bit for each profile that the engine knows.
    pub profiles_known: u64,
    /// Pools that the engine knows, the root among them.
    pub pools_known: u32,
}

impl Shim {
    /// Makes a shim whose engine has heard nothing.
    #[must_use]
    pub fn new(wire: Wire) -> Self {
        let (holders, workflows) = (FxHashMap::default(), Vec::new());
        Self { wire, holders, workflows, profiles_known: 0, pools_known: 0 }
    }
}
