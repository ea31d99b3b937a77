//! Static reservation (ICDCS'17, section III-A): which slots are for workflows with a priority only?

use crate::api::config::Config;
use crate::api::decision::{Verdict, VetoReason};
use crate::api::ids::Resources;
use crate::ledger::keys::ExecutorKey;
use crate::ledger::{Ledger, Set, Workflow};
use crate::roles::{Ask, Books, Depends, Gate, allow_or};

/// Refuses workflows without a priority what is set aside.
#[derive(Clone, Debug)]
pub(crate) struct Aside;

impl Gate for Aside {
    fn of(config: &Config) -> Option<Self> {
        config.sets_aside().then_some(Self)
    }

    fn restricts(&self, _: &Books<'_>) -> bool {
        true
    }

    fn ask(&self, books: &Books<'_>, ask: &Ask<'_>) -> Verdict {
        allow_or(VetoReason::Aside, left(books, ask).covers(&ask.set.demand))
    }

    fn room(&self, books: &Books<'_>, ask: &Ask<'_>) -> u32 {
        ask.set.demand.fit_into(&left(books, ask))
    }

    #[inline]
    fn admits(&self, books: &Books<'_>, _: &Set) -> bool {
        books.ledger.executors.any_room()
    }

    fn depends(&self, books: &Books<'_>, set: &Set) -> Depends {
        let important = books.ledger.workflows.slab[set.workflow].priority > 0;
        if important { Depends::Set } else { Depends::Demand }
    }
}

fn left(books: &Books<'_>, ask: &Ask<'_>) -> Resources {
    let w = &books.ledger.workflows.slab[ask.set.workflow];
    ask.free.minus(kept_from(books.ledger, w, ask.executor))
}

/// What an executor keeps from a workflow: the slots that are set aside there, less what workflows with a priority
/// already occupy of it.
fn kept_from(ledger: &Ledger, w: &Workflow, executor: ExecutorKey) -> Resources {
    if w.priority > 0 {
        return Resources::default();
    }
    let aside = ledger.executors.aside(executor);
    let mut used = Resources::default();
    for (workflow, demand_key, attempts) in ledger.executors.slab[executor].users() {
        if ledger.workflows.slab[workflow].priority > 0 {
            used = used.plus(ledger.demand(demand_key).times(attempts));
        }
    }
    aside.minus(used)
}
