//! Who answers which question under a configuration. No other file asks which policy runs.

mod gates;
mod picks;

use std::ops::Deref;

use crate::api::config::{Config, Policy, Stragglers};
use crate::api::ids::Time;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Workflow};
use crate::policies::spark::Spark;
use crate::policies::ssr::Ssr;
use crate::policies::timeout::Timeout;
use crate::roles::{Books, Fits, Needs, Orders, Wants};

pub(crate) use gates::Gates;
pub(crate) use picks::Pick;

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
}

impl Config {
    /// Returns whether the host has anything to enforce: priorities sort task sets, and asks may be refused.
    #[must_use]
    pub fn enforces(&self) -> bool {
        self.policy != Policy::Stock
    }

    /// Returns whether released slots are held at all.
    #[must_use]
    pub fn holds(&self) -> bool {
        Need::of(self.policy).holds()
    }

    /// Returns whether slots are set aside for workflows with a priority.
    #[must_use]
    pub fn sets_aside(&self) -> bool {
        self.policy == Policy::Static
    }

    /// Returns whether a workflow's isolation decides for how long a barrier is held. Then stragglers are copied, too.
    #[must_use]
    pub fn holds_by_isolation(&self) -> bool {
        self.policy == Policy::Ssr
    }

    /// Returns whether stragglers are copied on a workflow's own holds (SSR-10).
    #[must_use]
    pub fn copies_on_holds(&self) -> bool {
        self.holds_by_isolation() && self.stragglers == Stragglers::Holds
    }

    /// Returns whether [`Engine::pick`](crate::Engine::pick) may say anything but that the choice is the host's.
    #[must_use]
    pub fn picks(&self) -> bool {
        !matches!(Pick::of(self), Pick::Spark)
    }

    /// Returns whether a hold of a workflow's own may let it launch away from its input.
    #[must_use]
    pub fn may_widen(&self) -> bool {
        let need = Need::of(self.policy);
        self.grow && need.holds() && need.plans()
    }
}

/// Who says how many slots a workflow needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Spark,
    Timeout,
    Ssr,
}

macro_rules! need {
    ($self:ident.$question:ident $asked:tt) => {
        match $self {
            Self::Spark => Spark.$question $asked,
            Self::Timeout => Timeout.$question $asked,
            Self::Ssr => Ssr.$question $asked,
        }
    };
}

impl Needs for Need {
    #[inline]
    fn holds(self) -> bool {
        need!(self.holds())
    }

    fn plans(self) -> bool {
        need!(self.plans())
    }

    #[inline]
    fn has_episodes(self) -> bool {
        need!(self.has_episodes())
    }

    fn isolation(self, asked: u32) -> u32 {
        need!(self.isolation(asked))
    }

    #[inline]
    fn wants(self, ledger: &Ledger, config: &Config, now: Time, w: &Workflow) -> Wants {
        need!(self.wants(ledger, config, now, w))
    }

    fn linger(self, config: &Config, largest_gap: u64, wait: u64) -> u64 {
        need!(self.linger(config, largest_gap, wait))
    }

    fn bridge(self, config: &Config) -> u64 {
        need!(self.bridge(config))
    }
}

/// Who says which workflow goes first among those of equal priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Spark,
}

impl Orders for Order {
    fn key(self, books: &Books<'_>, workflow: WorkflowKey) -> u64 {
        match self {
            Self::Spark => Spark.key(books, workflow),
        }
    }
}

/// Who says which executor suits a set best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    Spark,
}

impl Fits for Fit {
    fn score(self, books: &Books<'_>, set: SetKey, executor: ExecutorKey) -> Option<u64> {
        match self {
            Self::Spark => Spark.score(books, set, executor),
        }
    }
}

impl Need {
    fn of(policy: Policy) -> Self {
        match policy {
            Policy::Stock | Policy::Static => Self::Spark,
            Policy::Timeout => Self::Timeout,
            Policy::Ssr => Self::Ssr,
        }
    }
}

/// The configuration, and who answers the questions that are not gates.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    config: Config,
    pub needs: Need,
    pub order: Order,
    pub fit: Fit,
}

impl Rules {
    /// Chooses once, for as long as the engine lives.
    pub fn new(mut config: Config) -> (Self, Gates, Pick) {
        let needs = Need::of(config.policy);
        config.grow &= needs.plans();
        config.spread &= needs.plans();
        let (gates, pick) = (Gates::of(&config), Pick::of(&config));
        (Self { config, needs, order: Order::Spark, fit: Fit::Spark }, gates, pick)
    }
}

impl Deref for Rules {
    type Target = Config;

    #[inline]
    fn deref(&self) -> &Config {
        &self.config
    }
}
