//! Who answers which question under a configuration. No other file asks which policy runs.

use std::ops::Deref;

use smallvec::SmallVec;

use crate::api::config::{Config, Policy};
use crate::api::decision::Verdict;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::holds::gate::Held;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Workflow};
#[cfg(feature = "test-gate")]
use crate::policies::every_second::EverySecond;
use crate::policies::spark::Spark;
use crate::policies::ssr::Ssr;
use crate::policies::ssr::gate::Spread;
use crate::policies::r#static::Aside;
use crate::policies::timeout::Timeout;
use crate::roles::{Ask, Books, Depends, Fits, Gates, Needs, Orders, Picks, Wants};
use crate::step::Step;

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

    /// Returns whether a workflow's isolation decides for how long a barrier is held.
    #[must_use]
    pub fn holds_by_isolation(&self) -> bool {
        self.policy == Policy::Ssr
    }

    /// Returns whether a hold of a workflow's own may let it launch away from its input.
    #[must_use]
    pub fn may_widen(&self) -> bool {
        let need = Need::of(self.policy);
        self.grow && need.holds() && need.plans()
    }
}

/// Defines the closed list of gates, and passes each question on to the gate that was chosen.
macro_rules! gates {
    ($($(#[$cfg:meta])* $name:ident,)*) => {
        /// Who may refuse a slot.
        #[derive(Clone, Debug)]
        pub(crate) enum Gate { $($(#[$cfg])* $name($name),)* }

        impl Gate {
            /// Returns all that the configuration has, in the order in which they are asked.
            fn all(config: &Config) -> SmallVec<[Self; 2]> {
                let mut gates = SmallVec::new();
                $($(#[$cfg])* gates.extend($name::of(config).map(Self::$name));)*
                gates
            }

            #[inline]
            pub fn restricts(&self, books: &Books<'_>) -> bool {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.restricts(books),)* }
            }

            #[inline]
            pub fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.ask(books, ask),)* }
            }

            #[inline]
            pub fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32 {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.room(books, ask),)* }
            }

            #[inline]
            pub fn admits(&self, books: &Books<'_>, set: &Set) -> bool {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.admits(books, set),)* }
            }

            pub fn depends(&self, books: &Books<'_>, set: &Set) -> Depends {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.depends(books, set),)* }
            }

            #[inline]
            pub fn on_event(&mut self, ledger: &Ledger, now: Time, event: &Event) {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.on_event(ledger, now, event),)* }
            }

            #[inline]
            pub fn deadline(&self) -> Option<Time> {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.deadline(),)* }
            }

            #[inline]
            pub fn expire(&mut self, now: Time, step: &mut Step) {
                match self { $($(#[$cfg])* Self::$name(gate) => gate.expire(now, step),)* }
            }
        }
    };
}

gates! {
    Spread,
    Aside,
    Held,
    #[cfg(feature = "test-gate")]
    EverySecond,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Spark,
}

impl Picks for Pick {
    fn task(self, books: &Books<'_>, set: SetKey, executor: ExecutorKey) -> Option<u32> {
        match self {
            Self::Spark => Spark.task(books, set, executor),
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
    pub pick: Pick,
    pub fit: Fit,
}

impl Rules {
    /// Chooses once, for as long as the engine lives.
    pub fn new(mut config: Config) -> (Self, SmallVec<[Gate; 2]>) {
        let needs = Need::of(config.policy);
        config.grow &= needs.plans();
        config.spread &= needs.plans();
        let gates = Gate::all(&config);
        (Self { config, needs, order: Order::Spark, pick: Pick::Spark, fit: Fit::Spark }, gates)
    }
}

impl Deref for Rules {
    type Target = Config;

    #[inline]
    fn deref(&self) -> &Config {
        &self.config
    }
}
