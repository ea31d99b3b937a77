//! The sets whose launches are spread, and how much of each executor they have had.

use crate::api::ids::Time;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::ledger::{Attempt, Set};
use crate::policies::ssr::spread::{patience, share, waits_for_others};
use crate::state::Core;

/// Spreads the launches of the first set of a workflow that fills the cache, if there is something
/// to wait for. Later ones go where the first has put their input.
pub(crate) fn begin_spread(core: &mut Core, set: SetKey) {
    let workflow = core.ledger.sets[set].workflow;
    let first = !std::mem::replace(&mut core.ledger.workflows.slab[workflow].has_filled, true);
    if core.config.spread
        && first
        && waits_for_others(&core.ledger, &core.config, core.now, workflow)
    {
        core.ledger.sets[set].spread_until = Some(core.now.after(core.config.spread_max_ns));
        core.spreads.push(set);
    }
}

/// Whether a set whose launches are spread has its share of this executor.
pub(crate) fn has_its_share(core: &Core, key: SetKey, set: &Set, executor: ExecutorKey) -> bool {
    if set.spread_until.is_none_or(|until| core.now >= until) {
        return false;
    }
    let launched = core.spread_launches.get(&(key, executor)).copied().unwrap_or(0);
    u64::from(launched) >= share(&core.ledger, set, executor)
}

/// A task has finished: short ones are not worth a long wait for those that are still to come.
pub(crate) fn shorten_spread(core: &mut Core, attempt: &Attempt) {
    let until = &mut core.ledger.sets[attempt.set].spread_until;
    let nanos = core.now.since(attempt.launched_at);
    *until = until.map(|until| until.min(patience(core.now, nanos)));
}

/// Ends what is due, and what has nothing to wait for any more.
pub(crate) fn end_spreads(core: &mut Core) {
    for i in (0..core.spreads.len()).rev() {
        let set = core.spreads[i];
        let Set { workflow, spread_until, .. } = core.ledger.sets[set];
        let due = spread_until.is_some_and(|until| until <= core.now);
        if due || !waits_for_others(&core.ledger, &core.config, core.now, workflow) {
            core.ledger.sets[set].spread_until = None;
            forget_spread(core, set);
            core.step.reoffer = true;
        }
    }
}

pub(crate) fn forget_spread(core: &mut Core, set: SetKey) {
    core.spreads.retain(|&other| other != set);
    core.spread_launches.retain(|&(other, _), _| other != set);
}

/// When the first of them is over at the latest.
pub(crate) fn first_spread_end(core: &Core) -> Option<Time> {
    core.spreads.iter().filter_map(|&set| core.ledger.sets[set].spread_until).min()
}
