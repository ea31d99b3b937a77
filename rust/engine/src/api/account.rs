//! What a workflow's holds have cost and given (SSR-9).

use serde::Serialize;

use crate::api::decision::EndCause;

/// Sums since the workflow's first appearance. Slot-time is in slots x nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// Holds made.
    pub made: u64,
    /// Ended because the owner launched there.
    pub used: u64,
    /// Ended by their deadline.
    pub expired: u64,
    /// Ended because a more important workflow took the slot.
    pub overridden: u64,
    /// Ended otherwise: moved, not needed any more, workflow over, executor gone.
    pub dropped: u64,
    /// Slot-time held without a task.
    pub idle_ns: u64,
    /// Slot-time with a task.
    pub busy_ns: u64,
    /// Stages that were completed and had a deadline (isolation below 1).
    pub barriers: u64,
    /// Those of them that were completed by their deadline, before any of their holds had expired.
    pub kept: u64,
    /// Sum of the isolations asked for, in millionths: `kept` should be near a millionth of it.
    pub promised: u64,
    /// Slot-time that these barriers may idle by Eq. 4 at most, on average.
    pub bound_ns: u64,
    /// The part of `idle_ns` that was held towards the deadline of a barrier, not of a gap: what `bound_ns` bounds, and
    /// besides it what was claimed for a wider stage meanwhile, and the barriers of stages that were cancelled.
    pub barrier_idle_ns: u64,
    /// Slots that it lacked when it became wider than was known, and that others had been given since its first set.
    pub unforeseen: u64,
}

impl Account {
    pub(crate) fn ended(&mut self, cause: EndCause) {
        *match cause {
            EndCause::Used => &mut self.used,
            EndCause::Expired => &mut self.expired,
            EndCause::Overridden => &mut self.overridden,
            EndCause::Moved
            | EndCause::NotNeeded
            | EndCause::WorkflowOver
            | EndCause::ExecutorGone => &mut self.dropped,
        } += 1;
    }

    /// A stage was completed.
    pub(crate) fn barrier(&mut self, isolation: u32, kept: bool, bound_ns: u64) {
        self.barriers += 1;
        self.kept += u64::from(kept);
        self.promised += u64::from(isolation);
        self.bound_ns = self.bound_ns.saturating_add(bound_ns);
    }

    /// Whether there is anything to tell: what never held, and never had to, is nobody's business.
    pub(crate) fn is_reported(&self) -> bool {
        self.made > 0 || self.unforeseen > 0
    }

    /// The sums of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            made: self.made + other.made,
            used: self.used + other.used,
            expired: self.expired + other.expired,
            overridden: self.overridden + other.overridden,
            dropped: self.dropped + other.dropped,
            idle_ns: self.idle_ns.saturating_add(other.idle_ns),
            busy_ns: self.busy_ns.saturating_add(other.busy_ns),
            barriers: self.barriers + other.barriers,
            kept: self.kept + other.kept,
            promised: self.promised + other.promised,
            bound_ns: self.bound_ns.saturating_add(other.bound_ns),
            barrier_idle_ns: self.barrier_idle_ns.saturating_add(other.barrier_idle_ns),
            unforeseen: self.unforeseen + other.unforeseen,
        }
    }
}
