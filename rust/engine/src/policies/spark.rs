//! Spark as it is: it never holds, and it decides for itself who goes first, which task, and where.

use crate::api::choice::Choice;
use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Workflow};
use crate::roles::{Books, Fits, Needs, Orders, Picks, Wants};

/// Leaves everything to the host.
pub(crate) struct Spark;

impl Needs for Spark {
    fn holds(self) -> bool {
        false
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

    fn wants(self, _: &Ledger, _: &Config, _: Time, _: &Workflow) -> Wants {
        Wants::default()
    }

    fn linger(self, _: &Config, _: u64, _: u64) -> u64 {
        0
    }

    fn bridge(self, _: &Config) -> u64 {
        0
    }
}

impl Orders for Spark {
    fn key(self, _: &Books<'_>, _: WorkflowKey) -> u64 {
        0
    }
}

impl Picks for Spark {
    fn of(_: &Config) -> Option<Self> {
        Some(Self)
    }

    fn choose(&self, _: &Books<'_>, _: SetKey, _: Option<ExecutorKey>) -> Choice {
        Choice::Host
    }
}

impl Fits for Spark {
    fn score(self, _: &Books<'_>, _: SetKey, _: ExecutorKey) -> Option<u64> {
        None
    }
}
