//! The gate of spread launches: a set that fills the cache gets no more than its share of an executor at first.

use crate::api::config::Config;
use crate::api::decision::{Verdict, VetoReason};
use crate::ledger::keys::ExecutorKey;
use crate::ledger::{Ledger, Set};
use crate::roles::{Ask, Books, Depends, Gate, allow_or};

/// Refuses a set what it has had of an executor already.
#[derive(Clone, Debug)]
pub(crate) struct Spread;

impl Gate for Spread {
    fn of(config: &Config) -> Option<Self> {
        (config.spread && config.holds()).then_some(Self)
    }

    #[inline]
    fn restricts(&self, books: &Books<'_>) -> bool {
        !books.spreads.sets.is_empty()
    }

    #[inline]
    fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
        if ask.set.watch.spread_until.is_none_or(|until| books.now >= until) {
            return Verdict::Allow;
        }
        let launched = books.spreads.launches.get(&(ask.key, ask.executor)).copied().unwrap_or(0);
        let share = share(books.ledger, ask.set, ask.executor);
        allow_or(VetoReason::Spread, u64::from(launched) < share)
    }

    /// Barrier sets fill executors as they find them.
    fn room(&self, _: &Books<'_>, _: &Ask<'_>) -> u32 {
        u32::MAX
    }

    #[inline]
    fn admits(&self, _: &Books<'_>, _: &Set) -> bool {
        true
    }

    /// Only a workflow that may hold waits for slots, and all of its sets are told apart by `Held`.
    fn depends(&self, _: &Books<'_>, set: &Set) -> Depends {
        if set.watch.spread_until.is_some() { Depends::Set } else { Depends::Nothing }
    }
}

/// How many tasks of the set an executor may get while its launches are spread: in proportion to
/// its slots, at least one.
fn share(ledger: &Ledger, set: &Set, executor: ExecutorKey) -> u64 {
    let slots = u64::from(ledger.slots(set.profile)).max(1);
    let here = u64::from(ledger.executors.slots_on(executor, set.profile));
    (u64::from(set.width()) * here).div_ceil(slots).max(1)
}
