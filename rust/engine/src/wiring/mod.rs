//! Who answers which question under a configuration. No other file asks which policy runs.

mod gates;

use std::ops::Deref;

use crate::api::choice::Choice;
use crate::api::config::{Config, Policy, Stragglers};
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::api::totals::Totals;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Workflow};
use crate::policies::grass::learner::Sample;
use crate::policies::grass::state::Races;
use crate::policies::grass::view::{self, RunView};
use crate::policies::spark::Spark;
use crate::policies::ssr::Ssr;
use crate::policies::timeout::Timeout;
use crate::roles::{Books, Fits, Needs, Orders, Picks, Wants};
use crate::step::Step;

pub(crate) use gates::Gates;

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
        matches!(Pick::of(self), Pick::Races(_))
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

/// Who says which task is next.
#[derive(Clone, Debug)]
pub(crate) enum Pick {
    Spark,
    Races(Box<Races>),
}

impl Pick {
    fn of(config: &Config) -> Self {
        match config.stragglers {
            Stragglers::Holds | Stragglers::Off => Self::Spark,
            Stragglers::Grass
            | Stragglers::Gs
            | Stragglers::Ras
            | Stragglers::Late
            | Stragglers::Mantri => Self::Races(Box::new(Races::new(config))),
        }
    }
}

impl Pick {
    /// Returns what bounded jobs have taught.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        let races = match self {
            Self::Spark => None,
            Self::Races(races) => Some(races),
        };
        races.into_iter().flat_map(|races| races.learner.samples())
    }

    /// Returns the running tasks of a set, if this says which are copied.
    pub fn runs(&self, ledger: &Ledger, now: Time, set: &Set) -> Vec<RunView> {
        match self {
            Self::Spark => Vec::new(),
            Self::Races(races) => view::runs(races, ledger, now, set),
        }
    }
}

impl Picks for Pick {
    #[inline]
    fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice {
        match self {
            Self::Spark => Spark.choose(books, set, executor),
            Self::Races(races) => races.choose(books, set, executor),
        }
    }

    #[inline]
    fn on_event(&mut self, books: &Books<'_>, event: &Event, counts: (&mut Totals, &mut Step)) {
        if let Self::Races(races) = self {
            races.on_event(books, event, counts);
        }
    }

    #[inline]
    fn deadline(&self) -> Option<Time> {
        match self {
            Self::Spark => None,
            Self::Races(races) => races.deadline(),
        }
    }

    #[inline]
    fn expire(&mut self, books: &Books<'_>, counts: (&mut Totals, &mut Step)) {
        if let Self::Races(races) = self {
            races.expire(books, counts);
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
