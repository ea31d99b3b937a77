//! The closed list of who says which task is next: the first that the configuration has, else Spark.

use crate::api::choice::Choice;
use crate::api::config::Config;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::api::totals::Totals;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::ledger::{Ledger, Set};
#[cfg(feature = "test-gate")]
use crate::policies::backwards::Backwards;
use crate::policies::grass::learner::Sample;
use crate::policies::grass::state::Races;
use crate::policies::grass::view::{self, RunView};
use crate::policies::spark::Spark;
use crate::roles::{Books, Picks};
use crate::step::Step;

/// Defines the closed list of picks besides Spark's.
macro_rules! picks {
    ($($(#[$cfg:meta])* $name:ident,)*) => {
        /// Who says which task is next.
        #[derive(Clone, Debug)]
        pub(crate) enum Pick {
            Spark,
            $($(#[$cfg])* $name(Box<$name>),)*
        }

        impl Pick {
            pub fn of(config: &Config) -> Self {
                $($(#[$cfg])* if let Some(pick) = $name::of(config) {
                    return Self::$name(Box::new(pick));
                })*
                Self::Spark
            }

            #[inline]
            pub fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice {
                match self {
                    Self::Spark => Spark.choose(books, set, executor),
                    $($(#[$cfg])* Self::$name(pick) => pick.choose(books, set, executor),)*
                }
            }

            /// Tells of an event that was taken.
            #[inline]
            pub fn on_event(&mut self, books: &Books<'_>, event: &Event, counts: (&mut Totals, &mut Step)) {
                match self {
                    Self::Spark => {}
                    $($(#[$cfg])* Self::$name(pick) => pick.on_event(books, event, counts),)*
                }
            }

            /// Returns when it will answer otherwise without any event.
            #[inline]
            pub fn deadline(&self) -> Option<Time> {
                match self {
                    Self::Spark => None,
                    $($(#[$cfg])* Self::$name(pick) => pick.deadline(),)*
                }
            }

            /// Does what is due.
            #[inline]
            pub fn expire(&mut self, books: &Books<'_>, counts: (&mut Totals, &mut Step)) {
                match self {
                    Self::Spark => {}
                    $($(#[$cfg])* Self::$name(pick) => pick.expire(books, counts),)*
                }
            }
        }
    };
}

picks! {
    Races,
    #[cfg(feature = "test-gate")]
    Backwards,
}

impl Pick {
    /// Returns what bounded jobs have taught.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.races().into_iter().flat_map(|races| races.learner.samples())
    }

    /// Returns the running tasks of a set, if this says which are copied.
    pub fn runs(&self, ledger: &Ledger, now: Time, set: &Set) -> Vec<RunView> {
        self.races().map_or_else(Vec::new, |races| view::runs(races, ledger, now, set))
    }

    /// Returns how good estimates were, if there were any.
    pub fn accuracies(&self) -> Option<[u32; 2]> {
        self.races()?.accuracies.seen()
    }

    fn races(&self) -> Option<&Races> {
        if let Self::Races(races) = self { Some(races) } else { None }
    }
}
