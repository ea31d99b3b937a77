//! A gate for tests: of pools with one weight the ask after each launch is refused, and a tick a millisecond later wakes
//! it. So every second ask of a set that launches what it may is refused.
//!
//! It shows what a new gate takes: this file and its line in `wiring`.

use crate::api::config::Config;
use crate::api::decision::{Verdict, VetoReason};
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set};
use crate::roles::{Ask, Books, Depends, Gate, allow_or};
use crate::step::Step;

/// The weight of the pools that it guards.
const WEIGHT: u32 = 77_777;

/// For how long it is closed after a launch.
const CLOSED_NS: u64 = 1_000_000;

/// Is closed from a launch of such a pool until a tick.
#[derive(Clone, Debug)]
pub(crate) struct EverySecond {
    closed_until: Option<Time>,
}

impl EverySecond {
    fn lets_pass(&self, ledger: &Ledger, set: &Set) -> bool {
        self.closed_until.is_none() || !is_guarded(ledger, set)
    }
}

impl Gate for EverySecond {
    fn of(config: &Config) -> Option<Self> {
        config.enforces().then_some(Self { closed_until: None })
    }

    fn restricts(&self, _: &Books<'_>) -> bool {
        self.closed_until.is_some()
    }

    fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
        allow_or(VetoReason::Held, self.lets_pass(books.ledger, ask.set))
    }

    fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32 {
        let passes = self.lets_pass(books.ledger, ask.set);
        if passes { u32::MAX } else { 0 }
    }

    fn admits(&self, books: &Books<'_>, set: &Set) -> bool {
        self.lets_pass(books.ledger, set)
    }

    fn depends(&self, books: &Books<'_>, set: &Set) -> Depends {
        if is_guarded(books.ledger, set) { Depends::Set } else { Depends::Nothing }
    }

    fn on_event(&mut self, ledger: &Ledger, now: Time, event: &Event) {
        let Event::Launched { set, .. } = event else { return };
        if ledger.set_ids.get(set).is_some_and(|&set| is_guarded(ledger, &ledger.sets[set])) {
            self.closed_until = Some(now.after(CLOSED_NS));
        }
    }

    fn deadline(&self) -> Option<Time> {
        self.closed_until
    }

    fn expire(&mut self, now: Time, step: &mut Step) {
        if self.closed_until.is_some_and(|until| until <= now) {
            self.closed_until = None;
            step.reoffer = true;
        }
    }
}

fn is_guarded(ledger: &Ledger, set: &Set) -> bool {
    ledger.pools.get(ledger.workflows.slab[set.workflow].pool).weight == WEIGHT
}
