//! Asks: may this set use a slot of this executor now? Queries, not logged, a few nanoseconds where
//! an executor carries no holds.

use crate::api::ask_class::AskClass;
use crate::api::choice::Choice;
use crate::api::decision::Verdict;
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, Resources, SetId, WorkflowId};
use crate::roles::{Ask, Depends, Fits, Orders};
use crate::state::Core;
use crate::tables::arena::Key;

/// The first gate that refuses decides.
#[inline]
pub(crate) fn verdict(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<Verdict, EngineError> {
    let (key, set) = core.ledger.known_set(set)?;
    let ask = Ask { key, set, executor: core.ledger.executors.known(executor)?, free };
    Ok(core.gates.ask(&core.books(), &ask))
}

/// As many as every gate lets pass.
pub(crate) fn barrier_room(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<u32, EngineError> {
    let (key, set) = core.ledger.known_set(set)?;
    let ask = Ask { key, set, executor: core.ledger.executors.known(executor)?, free };
    Ok(core.gates.room(&core.books(), &ask))
}

/// Whether every gate might let the set pass somewhere.
#[inline]
pub(crate) fn admits(core: &Core, set: SetId) -> Result<bool, EngineError> {
    let (_, set) = core.ledger.known_set(set)?;
    Ok(core.gates.admit(&core.books(), set))
}

/// By the gate whose answers depend on most.
pub(crate) fn ask_class(core: &Core, set: SetId) -> Result<AskClass, EngineError> {
    /// Apart from the keys of demands, which are the numbers that sets share.
    const OWN: u64 = 1 << 32;
    let (_, set) = core.ledger.known_set(set)?;
    let depends = core.gates.depend(&core.books(), set);
    let shared = depends < Depends::Set;
    let number = if shared { set.demand_key.number().into() } else { OWN + u64::from(set.serial) };
    let by_holds = depends <= Depends::Holds;
    let may_widen = !shared && core.rules.may_widen();
    Ok(AskClass { number, shared, by_holds, may_widen })
}

/// Whether some ask may be refused now.
pub(crate) fn restricts(core: &Core) -> bool {
    core.gates.restrict(&core.books())
}

/// The key of a workflow among those of equal priority.
pub(crate) fn order(core: &Core, workflow: WorkflowId) -> Result<u64, EngineError> {
    let known = core.ledger.workflows.ids.get(&workflow);
    let key = *known.ok_or(EngineError::UnknownWorkflow)?;
    Ok(core.rules.order.key(&core.books(), key))
}

/// What a set launches next there.
pub(crate) fn pick(core: &Core, set: SetId, executor: ExecutorId) -> Result<Choice, EngineError> {
    let (key, _) = core.ledger.known_set(set)?;
    let executor = core.ledger.executors.known(executor)?;
    Ok(core.picks.choose(&core.books(), key, Some(executor)))
}

/// How well an executor suits a set, where that matters.
pub(crate) fn fit(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
) -> Result<Option<u64>, EngineError> {
    let (key, _) = core.ledger.known_set(set)?;
    Ok(core.rules.fit.score(&core.books(), key, core.ledger.executors.known(executor)?))
}
