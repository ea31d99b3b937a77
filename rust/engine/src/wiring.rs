//! What fills the roles under a configuration. No other file asks which policy runs.

use crate::api::config::{Config, HoldFor, Policy};

impl Policy {
    /// Returns the word for it in `spark.holdfast.policy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Static => "static",
            Self::Timeout => "timeout",
            Self::Ssr => "ssr",
        }
    }

    /// Returns whether the host has anything to enforce: priorities sort task sets, and asks may be refused.
    #[must_use]
    pub const fn enforces(self) -> bool {
        !matches!(self, Self::Stock)
    }

    /// Returns whether released slots are held at all.
    #[must_use]
    pub const fn holds(self) -> bool {
        matches!(self, Self::Timeout | Self::Ssr)
    }

    /// Returns whether slots are set aside for workflows with a priority.
    #[must_use]
    pub const fn sets_aside(self) -> bool {
        matches!(self, Self::Static)
    }

    /// Returns whether a workflow's isolation decides for how long a barrier is held.
    #[must_use]
    pub const fn holds_by_isolation(self) -> bool {
        matches!(self, Self::Ssr)
    }
}

impl Config {
    /// Returns the configuration as the policy uses it: timeout reservation neither claims nor spreads, since it knows
    /// nothing of plans and inputs.
    pub(crate) fn under_policy(mut self) -> Self {
        let plans = self.policy != Policy::Timeout;
        self.grow &= plans;
        self.spread &= plans;
        self
    }

    /// Returns whether workflows of this priority never hold, so that all of them get the same answers.
    pub(crate) fn asks_alike(&self, priority: i32) -> bool {
        !self.policy.enforces()
            || (priority <= 0
                && (self.policy.sets_aside() || self.hold_for == HoldFor::Prioritised))
    }

    /// Returns whether a hold of a workflow's own may let it launch away from its input.
    #[must_use]
    pub fn may_widen(&self) -> bool {
        self.grow && self.policy.holds_by_isolation()
    }
}
