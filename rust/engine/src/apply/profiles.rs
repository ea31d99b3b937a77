//! Profiles: what a slot of each is.

use crate::api::error::EngineError;
use crate::api::ids::{ProfileId, Resources};
use crate::state::Core;

/// Of more profiles those are forgotten that nobody names any more.
const MOST_PROFILES: usize = 100;

pub(crate) fn profile_defined(
    core: &mut Core,
    profile: ProfileId,
    runs_on: ProfileId,
    demand: Resources,
) -> Result<(), EngineError> {
    if demand.0[0] == 0 {
        return Err(EngineError::EmptyDemand);
    }
    let executors = &mut core.ledger.executors;
    let known = (executors.demand(profile), executors.runs_on(profile));
    if known != (Some(demand), Some(runs_on)) {
        if known.0.is_none() && executors.profiles() >= MOST_PROFILES {
            forget_profiles(core);
        }
        let executors = &mut core.ledger.executors;
        executors.define(profile, runs_on, demand);
        let workflows = &mut core.ledger.workflows;
        workflows.holders.iter().for_each(|&w| workflows.slab[w].flags.misfits = true);
        core.touch_all();
    }
    Ok(())
}

/// A user may define as many as there are numbers. The host says again what a set needs when it comes.
fn forget_profiles(core: &mut Core) {
    let ledger = &mut core.ledger;
    let of_executors = ledger.executors.slab.iter().map(|(_, e)| e.profile);
    let sets = || ledger.sets.iter().map(|(_, set)| set);
    let of_sets = sets().flat_map(|set| [set.profile, set.follows.profile]);
    let plans = ledger.jobs.iter().flat_map(|(_, job)| &job.plan);
    let of_plans = plans.map(|entry| entry.next_profile);
    let workflows = &ledger.workflows.slab;
    let slots = || workflows.iter().flat_map(|(_, w)| [w.slots.latest, w.slots.next]).flatten();
    let of_slots = slots().map(|(profile, _)| profile);
    let named = [ProfileId(0)].into_iter().chain(of_executors).chain(of_sets);
    let named = named.chain(of_plans).chain(of_slots).collect();
    let asked: Vec<_> = sets().map(|set| (set.profile, set.demand)).chain(slots()).collect();
    ledger.executors.keep_profiles(&named, &asked);
    ledger.forget_demands();
}
