//! What the answers to a set's asks depend on, for hosts that skip asks.

/// The class of a task set's asks. A host that skips asks needs nothing else to know what it may skip, and no policy.
///
/// The class of a set stays as it is until its workflow is opened again with another priority or pool, or the set ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AskClass {
    /// Two sets with equal numbers get equal answers of `verdict`, `barrier_room` and `admits`, now and later, for the
    /// same executor and the same free room. Unequal numbers say nothing.
    pub number: u64,
    /// The number depends on nothing but what a task asks for: the workflow never holds, ranks behind all that do, and
    /// gets neither copies nor [`Verdict::AllowHeld`](crate::Verdict::AllowHeld).
    pub shared: bool,
    /// A refusal comes from holds on that executor only. Where nothing is held the answer is `Allow`; a refusal stands
    /// until a hold there ends or more of the executor is free.
    pub by_holds: bool,
    /// A hold of its own workflow on an executor may turn `Allow` into `AllowHeld` there.
    pub may_widen: bool,
}
