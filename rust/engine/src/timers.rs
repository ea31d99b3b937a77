//! All timers in one table: who waits, until when, and for what.

use crate::api::ids::Time;
use crate::api::timer::{Due, Timer};
use crate::holds::budget::budget_end;
use crate::holds::narrow::rents;
use crate::state::Core;

/// Returns every timer that runs; of holds only the first, as they are in order.
pub(crate) fn timers(core: &Core) -> impl Iterator<Item = Timer> {
    let (ledger, workflows) = (&core.ledger, &core.ledger.workflows);
    let holds = ledger.holds.first_due().map(|(at, id)| (at, Due::HoldExpires(id)));
    let gaps = workflows.gaps.iter().map(|&key| &workflows.slab[key]);
    let gaps = gaps.filter_map(|w| Some((w.holding.gap?.deadline, Due::GapEnds(w.id))));
    let rents = rents(core).filter(|&(_, until)| until > core.now);
    let rents = rents.map(|(key, until)| (until, Due::RentEnds(workflows.slab[key].id)));
    let spreads = core.spreads.sets.iter().map(|&key| &ledger.sets[key]);
    let spreads =
        spreads.filter_map(|set| Some((set.watch.spread_until?, Due::SpreadEnds(set.id))));
    let gates = core.gates.deadline().map(|at| (at, Due::GateOpens));
    let races = core.picks.deadline().map(|at| (at, Due::SetIsReviewed));
    let all = holds.into_iter().chain(gaps).chain(rents).chain(spreads).chain(gates).chain(races);
    let all = all
        .chain(core.stall.map(|at| (at, Due::StallEnds)))
        .chain(budget_end(core).map(|at| (at, Due::BudgetIsSpent)))
        .chain(core.copy_due.map(|at| (at, Due::CopyComesOfAge)));
    all.map(|(at, due)| Timer { at, due })
}

/// Returns when the first of them rings.
pub(crate) fn next_deadline(core: &Core) -> Option<Time> {
    timers(core).map(|timer| timer.at).min()
}
