//! The gate of holds (SSR-6): a hold blocks whoever ranks after its owner, and nobody else.

use crate::api::config::{Config, HoldFor};
use crate::api::decision::{Verdict, VetoReason};
use crate::api::ids::Resources;
use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::ledger::{Ledger, Set, Side};
use crate::policies::fair::blocks;
use crate::policies::ssr::widen::pays;
use crate::roles::{Ask, Books, Depends, Gate};

/// Refuses what is held for workflows that rank before the asker.
#[derive(Clone, Debug)]
pub(crate) struct Held;

impl Gate for Held {
    fn of(config: &Config) -> Option<Self> {
        config.holds().then_some(Self)
    }

    #[inline]
    fn restricts(&self, books: &Books<'_>) -> bool {
        books.ledger.holds.len() > 0
    }

    #[inline]
    fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
        let (blocked, own) = blocked(books.ledger, ask.set, ask.executor);
        if !ask.free.minus(blocked).covers(&ask.set.demand) {
            return Verdict::Veto(VetoReason::Held);
        }
        let w = &books.ledger.workflows.slab[ask.set.workflow];
        let widens = own && books.config.grow && pays(w, ask.set);
        if widens { Verdict::AllowHeld } else { Verdict::Allow }
    }

    fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32 {
        let (blocked, _) = blocked(books.ledger, ask.set, ask.executor);
        ask.set.demand.fit_into(&ask.free.minus(blocked))
    }

    #[inline]
    fn admits(&self, books: &Books<'_>, set: &Set) -> bool {
        let ledger = books.ledger;
        if ledger.executors.any_room() {
            return true;
        }
        let holders = ledger.workflows.holders.iter().rev();
        // Every slot is busy or held. By rank, the last holder blocks this set only if all do.
        let some = if ledger.pools.any_fair { usize::MAX } else { 1 };
        holders.take(some).any(|&owner| !is_kept(ledger, owner, set))
            || ledger.workflows.slab[set.workflow].held > 0
    }

    /// Workflows without a priority never hold, and rank behind all that do.
    fn depends(&self, books: &Books<'_>, set: &Set) -> Depends {
        let plain = books.config.hold_for == HoldFor::Prioritised
            && books.ledger.workflows.slab[set.workflow].priority <= 0;
        if plain { Depends::Holds } else { Depends::Set }
    }
}

/// Whether a hold of `owner` stands in the way of a set. Barrier sets go by rank only: two of them that hold half of
/// a cluster each would wait for ever.
#[inline]
fn is_kept(ledger: &Ledger, owner: WorkflowKey, set: &Set) -> bool {
    if set.kind.together {
        return ledger.workflows.rank(owner) < ledger.workflows.rank(set.workflow);
    }
    blocks(ledger, owner, set.workflow, 1)
}

/// What is held on an executor against a workflow, and whether it has a hold of its own there.
#[inline]
fn blocked(ledger: &Ledger, set: &Set, executor: ExecutorKey) -> (Resources, bool) {
    let holds = ledger.executors.slab[executor].holds;
    let (mut blocked, mut own) = (Resources::default(), false);
    for key in ledger.holds.oldest_first(holds, Side::Executor) {
        let hold = ledger.holds.get(key);
        if hold.owner == set.workflow {
            own = true;
        } else if is_kept(ledger, hold.owner, set) {
            blocked = blocked.plus(hold.size);
        }
    }
    (blocked, own)
}
