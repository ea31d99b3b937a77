//! The closed list of gates: a slot needs all of them.

use crate::api::config::Config;
use crate::api::decision::Verdict;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set};
#[cfg(feature = "test-gate")]
use crate::policies::every_second::EverySecond;
use crate::policies::held::Held;
use crate::policies::ssr::gate::Spread;
use crate::policies::r#static::Aside;
use crate::roles::{Ask, Books, Depends, Gate};
use crate::step::Step;

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
            pub fn of(config: &Config) -> Self {
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
