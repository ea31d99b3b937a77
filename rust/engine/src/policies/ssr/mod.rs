//! Speculative slot reservation (ICDCS'17): one file a question. What it learns from events is in `watch`.

pub(crate) mod claim;
pub(crate) mod copies;
pub(crate) mod gate;
pub(crate) mod home;
pub(crate) mod isolation;
pub(crate) mod linger;
pub(crate) mod look_ahead;
pub(crate) mod need;
pub(crate) mod widen;

use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Workflow};
use crate::roles::{Needs, Wants};

/// Holds what a workflow runs next, up to a deadline that its isolation sets.
pub(crate) struct Ssr;

impl Needs for Ssr {
    fn holds(self) -> bool {
        true
    }

    fn plans(self) -> bool {
        true
    }

    fn has_episodes(self) -> bool {
        true
    }

    fn isolation(self, asked: u32) -> u32 {
        asked
    }

    fn wants(self, ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> Wants {
        need::wants(ledger, config, now, w)
    }

    fn linger(self, config: &Config, largest_gap: u64, wait: u64) -> u64 {
        linger::linger(config, largest_gap, wait)
    }

    fn bridge(self, config: &Config) -> u64 {
        config.linger_query_ns
    }
}
