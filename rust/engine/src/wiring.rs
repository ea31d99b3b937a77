//! Who answers which question under a configuration. No other file asks which policy runs.

use std::ops::Deref;

use crate::api::config::{Config, Policy};
use crate::api::decision::Verdict;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Workflow};
#[cfg(feature = "test-gate")]
use crate::policies::every_second::EverySecond;
use crate::policies::held::Held;
use crate::policies::spark::Spark;
use crate::policies::ssr::Ssr;
use crate::policies::ssr::gate::Spread;
use crate::policies::r#static::Aside;
use crate::policies::timeout::Timeout;
use crate::roles::{Ask, Books, Depends, Fits, Gate, Needs, Orders, Picks, Wants};
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

    /// Returns whether a workflow's isolation decides for how long a barrier is held. Then stragglers are copied, too.
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

/// Defines the closed list of gates, and asks those that the configuration has, in this order. Fields and no list: an ask
/// costs ten nanoseconds, and a loop over gates made it fifteen.
macro_rules! gates {
    ($($(#[$cfg:meta])* $name:ident: $gate:ident,)*) => {
        /// Who may refuse a slot.
        #[derive(Clone, Debug)]
        pub(crate) struct Gates {
            $($(#[$cfg])* $name: Option<$gate>,)*
        }

        impl Gates {
            fn of(config: &Config) -> Self {
                Self { $($(#[$cfg])* $name: $gate::of(config),)* }
            }

            /// Returns whether some gate may refuse anything now.
            #[inline]
            pub fn restrict(&self, books: &Books<'_>) -> bool {
                $($(#[$cfg])* if self.$name.as_ref().is_some_and(|gate| gate.restricts(books)) {
                    return true;
                })*
                false
            }

            /// Returns the veto of the first gate that has one.
            #[inline]
            pub fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
                let mut verdict = Verdict::Allow;
                $($(#[$cfg])* if let Some(gate) = &self.$name {
                    match gate.ask(books, ask) {
                        Verdict::Allow => {}
                        Verdict::AllowHeld => verdict = Verdict::AllowHeld,
                        veto @ Verdict::Veto(_) => return veto,
                    }
                })*
                verdict
            }

            /// Returns how many tasks of a barrier set all gates let pass.
            pub fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32 {
                let mut room = u32::MAX;
                $($(#[$cfg])* if let Some(gate) = &self.$name {
                    room = room.min(gate.room(books, ask));
                })*
                if room == u32::MAX { ask.set.demand.fit_into(ask.free) } else { room }
            }

            /// Returns whether all gates might let the set pass somewhere.
            #[inline]
            pub fn admit(&self, books: &Books<'_>, set: &Set) -> bool {
                $($(#[$cfg])* if self.$name.as_ref().is_some_and(|gate| !gate.admits(books, set)) {
                    return false;
                })*
                true
            }

            /// Returns what the answers to a set depend on.
            pub fn depend(&self, books: &Books<'_>, set: &Set) -> Depends {
                let mut most = Depends::Nothing;
                $($(#[$cfg])* if let Some(gate) = &self.$name {
                    most = most.max(gate.depends(books, set));
                })*
                most
            }

            /// Tells all gates of an event.
            #[inline]
            pub fn on_event(&mut self, ledger: &Ledger, now: Time, event: &Event) {
                $($(#[$cfg])* if let Some(gate) = &mut self.$name {
                    gate.on_event(ledger, now, event);
                })*
            }

            /// Returns when the first of them lets something pass without any event.
            #[inline]
            pub fn deadline(&self) -> Option<Time> {
                let first: Option<Time> = None;
                $($(#[$cfg])* let first = [first, self.$name.as_ref().and_then(|gate| gate.deadline())]
                    .into_iter()
                    .flatten()
                    .min();)*
                first
            }

            /// Ends what is due.
            #[inline]
            pub fn expire(&mut self, now: Time, step: &mut Step) {
                $($(#[$cfg])* if let Some(gate) = &mut self.$name {
                    gate.expire(now, step);
                })*
            }
        }
    };
}

gates! {
    spread: Spread,
    aside: Aside,
    held: Held,
    #[cfg(feature = "test-gate")]
    every_second: EverySecond,
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
    pub fn new(mut config: Config) -> (Self, Gates) {
        let needs = Need::of(config.policy);
        config.grow &= needs.plans();
        config.spread &= needs.plans();
        let gates = Gates::of(&config);
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
