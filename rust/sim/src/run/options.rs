//! What else is wanted of a simulation.

use std::sync::atomic::AtomicBool;

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time, in nanoseconds.
    pub now_ns: u64,
    /// Events so far.
    pub events: u64,
    /// Workflows that have not ended.
    pub open: u32,
}

/// What else is wanted of a simulation.
#[derive(Default)]
pub struct Options<'a> {
    /// The log of what the engine was told and decided.
    pub log: bool,
    /// Every launch.
    pub placements: bool,
    /// Every set is asked about every offer, as Spark does it: slow, and the same.
    pub exhaustive: bool,
    /// Told now and then how far it is.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Ends the simulation when it becomes true.
    pub interrupt: Option<&'a AtomicBool>,
    /// Only this workflow comes, whatever the world says of that ([`World::only`]).
    pub only: Option<usize>,
    /// A simulation that goes on beyond this time, in nanoseconds, fails; 0: ten years.
    pub most_ns: u64,
}
