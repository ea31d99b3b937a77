//! Asks: may this set use a slot of this executor now? Queries, not logged, a few nanoseconds where
//! an executor carries no holds.

use crate::api::ask_class::AskClass;
use crate::api::config::Policy;
use crate::api::decision::{Verdict, VetoReason};
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, Resources, SetId};
use crate::holds::fair::blocks;
use crate::ledger::keys::{ExecutorKey, SetKey, WorkflowKey};
use crate::ledger::{Set, Side};
use crate::policies::ssr::spread_sets::has_its_share;
use crate::policies::ssr::widen::pays;
use crate::policies::r#static;
use crate::state::Core;
use crate::tables::arena::Key;

/// May this set use a slot of this executor now? `free` is what the host's round offers there,
/// less what was launched from it in this round.
///
/// SSR-6 with a total rank: a hold blocks whoever ranks after its owner, and nobody else; the
/// owner always passes (the paper's Algorithm 1, line 19, would veto it).
///
/// # Errors
/// The set or the executor is unknown.
pub(crate) fn verdict(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<Verdict, EngineError> {
    let (set_key, set) = known_set(core, set)?;
    let key = core.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
    if core.config.policy == Policy::Stock {
        return Ok(Verdict::Allow);
    }
    if has_its_share(core, set_key, set, key) {
        return Ok(Verdict::Veto(VetoReason::Spread));
    }
    if core.config.policy == Policy::Static {
        let left = free.minus(kept_from(core, set, key));
        let allowed = left.covers(&set.demand);
        return Ok(if allowed { Verdict::Allow } else { Verdict::Veto(VetoReason::Aside) });
    }
    let (blocked, own) = blocked(core, set, key);
    if !free.minus(blocked).covers(&set.demand) {
        return Ok(Verdict::Veto(VetoReason::Held));
    }
    let widens = own && core.config.grow && pays(&core.ledger.workflows.slab[set.workflow], set);
    Ok(if widens { Verdict::AllowHeld } else { Verdict::Allow })
}

/// How many tasks of a barrier set fit here now. A barrier set is allowed or refused as a
/// whole: the host sums this over its round.
///
/// # Errors
/// The set or the executor is unknown.
pub(crate) fn barrier_room(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<u32, EngineError> {
    let (_, set) = known_set(core, set)?;
    let key = core.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
    let kept = match core.config.policy {
        Policy::Static => kept_from(core, set, key),
        _ => blocked(core, set, key).0,
    };
    Ok(set.demand.fit_into(&free.minus(kept)))
}

/// Whether this set could use any slot at all now. False only if no verdict could be an allow:
/// the host may then leave the set out of its round.
///
/// # Errors
/// The set is unknown.
pub(crate) fn admits(core: &Core, set: SetId) -> Result<bool, EngineError> {
    let (_, set) = known_set(core, set)?;
    if core.config.policy == Policy::Stock || core.ledger.executors.any_room() {
        return Ok(true);
    }
    if core.config.policy == Policy::Static {
        return Ok(false);
    }
    let holders = core.ledger.workflows.holders.iter().rev();
    // Every slot is busy or held. By rank, the last holder blocks this set only if all do.
    let some = if core.ledger.pools.any_fair { usize::MAX } else { 1 };
    Ok(holders.take(some).any(|&owner| !is_kept(core, owner, set))
        || core.ledger.workflows.slab[set.workflow].held > 0)
}

/// Returns the class of a set's asks. Sets of one class get equal answers everywhere, so that a host may ask for one of
/// them and skip the others.
///
/// # Errors
/// The set is unknown.
pub(crate) fn ask_class(core: &Core, set: SetId) -> Result<AskClass, EngineError> {
    /// Apart from the keys of demands, which are the numbers that sets share.
    const OWN: u64 = 1 << 32;
    let (_, set) = known_set(core, set)?;
    let shared = core.config.asks_alike(core.ledger.workflows.slab[set.workflow].priority);
    let number = if shared { set.demand_key.number().into() } else { OWN + u64::from(set.serial) };
    let by_holds = shared && core.config.policy.holds();
    let may_widen = !shared && core.config.may_widen();
    Ok(AskClass { number, shared, by_holds, may_widen })
}

/// Returns whether the host has anything to enforce: priorities sort task sets, and asks may be refused.
#[must_use]
pub(crate) fn enforces(core: &Core) -> bool {
    core.config.policy.enforces()
}

pub(crate) fn known_set(core: &Core, set: SetId) -> Result<(SetKey, &Set), EngineError> {
    let key = *core.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
    Ok((key, &core.ledger.sets[key]))
}

/// Whether a hold of `owner` stands in the way of a set. Barrier sets go by rank only: two of them that hold half of
/// a cluster each would wait for ever.
fn is_kept(core: &Core, owner: WorkflowKey, set: &Set) -> bool {
    if set.together {
        return core.ledger.workflows.rank(owner) < core.ledger.workflows.rank(set.workflow);
    }
    blocks(&core.ledger, owner, set.workflow, 1)
}

fn kept_from(core: &Core, set: &Set, executor: ExecutorKey) -> Resources {
    r#static::kept_from(&core.ledger, &core.ledger.workflows.slab[set.workflow], executor)
}

/// What is held on an executor against a workflow, and whether it has a hold of its own there.
fn blocked(core: &Core, set: &Set, executor: ExecutorKey) -> (Resources, bool) {
    let holds = core.ledger.executors.slab[executor].holds;
    let (mut blocked, mut own) = (Resources::default(), false);
    for key in core.ledger.holds.oldest_first(holds, Side::Executor) {
        let hold = core.ledger.holds.get(key);
        if hold.owner == set.workflow {
            own = true;
        } else if is_kept(core, hold.owner, set) {
            blocked = blocked.plus(hold.size);
        }
    }
    (blocked, own)
}

/// Whether some ask may be refused now.
pub(crate) fn restricts(core: &Core) -> bool {
    core.config.policy == Policy::Static || core.ledger.holds.len() > 0 || !core.spreads.is_empty()
}
