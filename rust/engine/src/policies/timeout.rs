//! Timeout reservation (ICDCS'17, section III-A): whatever a workflow releases is held for a fixed time.

use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Workflow};
use crate::math::pareto::STRICT;
use crate::roles::{Needs, Wants};

/// Holds everything, and knows neither barriers nor plans.
pub(crate) struct Timeout;

impl Needs for Timeout {
    fn holds(self) -> bool {
        true
    }

    fn plans(self) -> bool {
        false
    }

    fn has_episodes(self) -> bool {
        false
    }

    fn isolation(self, asked: u32) -> u32 {
        if asked > 0 { STRICT } else { 0 }
    }

    fn wants(self, _: &Ledger, _: &Config, _: Time, _: &Workflow) -> Wants {
        Wants { literal: u32::MAX, ahead: u32::MAX }
    }

    fn linger(self, config: &Config, _: u64, _: u64) -> u64 {
        config.hold_max_ns
    }

    fn bridge(self, config: &Config) -> u64 {
        config.hold_max_ns
    }
}
