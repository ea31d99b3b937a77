// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! Counters.

use serde::Serialize;

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Holds made.
    pub made: u64,
    /// Ended because the owner launched there.
    pub used: u64,
    /// Ended because the owner launched elsewhere.
    pub moved: u64,
    /// Ended because a more important workflow took the slot.
    pub overridden: u64,
    /// Ended by their deadline.
    pub expired: u64,
    /// Ended because the need fell.
    pub not_needed: u64,
    /// Ended with their workflow.
    pub workflow_over: u64,
    /// Ended with their executor.
    pub executor_gone: u64,
    /// Idle held slot-time, in slots x nanoseconds.
    pub idle_held_ns: u128,
    /// Attempts launched beside a running attempt of their task.
    pub copies: u64,
    /// Those of them that ended their task.
    pub copies_won: u64,
    /// Slot-time of attempts beside another that ended their task, in slots x nanoseconds.
    pub copies_lost_ns: u128,
    /// Copies that were launched while tasks of equally important workflows waited.
    pub copies_before_equals: u64,
    /// Error-bounded stages with enough tasks done, and stages that were done before their deadline.
    pub bounds_met: u64,
    /// Deadlines that came before all tasks were done.
    pub bounds_passed: u64,
    /// How often the host's clock went back.
    pub regressions: u64,
}
