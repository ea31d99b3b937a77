//! Asks: may this set use a slot of this executor now? Queries, not logged, a few nanoseconds where
//! an executor carries no holds.

use crate::api::ask_class::AskClass;
use crate::api::decision::Verdict;
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, Resources, SetId, WorkflowId};
use crate::ledger::Set;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::roles::{Ask, Depends, Fits, Orders, Picks};
use crate::state::Core;
use crate::tables::arena::Key;

/// The first gate that refuses decides.
pub(crate) fn verdict(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<Verdict, EngineError> {
    let (key, set) = known_set(core, set)?;
    let ask = Ask { key, set, executor: known_executor(core, executor)?, free };
    let books = core.books();
    let mut verdict = Verdict::Allow;
    for gate in &core.gates {
        match gate.ask(&books, &ask) {
            Verdict::Allow => {}
            Verdict::AllowHeld => verdict = Verdict::AllowHeld,
            Verdict::Veto(reason) => return Ok(Verdict::Veto(reason)),
        }
    }
    Ok(verdict)
}

/// As many as every gate lets pass.
pub(crate) fn barrier_room(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
    free: &Resources,
) -> Result<u32, EngineError> {
    let (key, set) = known_set(core, set)?;
    let ask = Ask { key, set, executor: known_executor(core, executor)?, free };
    let books = core.books();
    let room = core.gates.iter().map(|gate| gate.room(&books, &ask)).min();
    Ok(room.unwrap_or_else(|| set.demand.fit_into(free)))
}

/// Whether every gate might let the set pass somewhere.
pub(crate) fn admits(core: &Core, set: SetId) -> Result<bool, EngineError> {
    let (_, set) = known_set(core, set)?;
    let books = core.books();
    Ok(core.gates.iter().all(|gate| gate.admits(&books, set)))
}

/// By the gate whose answers depend on most.
pub(crate) fn ask_class(core: &Core, set: SetId) -> Result<AskClass, EngineError> {
    /// Apart from the keys of demands, which are the numbers that sets share.
    const OWN: u64 = 1 << 32;
    let (_, set) = known_set(core, set)?;
    let books = core.books();
    let depends = core.gates.iter().map(|gate| gate.depends(&books, set)).max();
    let depends = depends.unwrap_or(Depends::Nothing);
    let shared = depends < Depends::Set;
    let number = if shared { set.demand_key.number().into() } else { OWN + u64::from(set.serial) };
    let by_holds = depends <= Depends::Holds;
    let may_widen = !shared && core.rules.may_widen();
    Ok(AskClass { number, shared, by_holds, may_widen })
}

/// Whether some ask may be refused now.
pub(crate) fn restricts(core: &Core) -> bool {
    let books = core.books();
    core.gates.iter().any(|gate| gate.restricts(&books))
}

/// The key of a workflow among those of equal priority.
pub(crate) fn order(core: &Core, workflow: WorkflowId) -> Result<u64, EngineError> {
    let known = core.ledger.workflows.ids.get(&workflow);
    let key = *known.ok_or(EngineError::UnknownWorkflow)?;
    Ok(core.rules.order.key(&core.books(), key))
}

/// The task that a set launches next there, where that is not the host's choice.
pub(crate) fn pick(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
) -> Result<Option<u32>, EngineError> {
    let (key, _) = known_set(core, set)?;
    Ok(core.rules.pick.task(&core.books(), key, known_executor(core, executor)?))
}

/// How well an executor suits a set, where that matters.
pub(crate) fn fit(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
) -> Result<Option<u64>, EngineError> {
    let (key, _) = known_set(core, set)?;
    Ok(core.rules.fit.score(&core.books(), key, known_executor(core, executor)?))
}

pub(crate) fn known_set(core: &Core, set: SetId) -> Result<(SetKey, &Set), EngineError> {
    let key = *core.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
    Ok((key, &core.ledger.sets[key]))
}

fn known_executor(core: &Core, executor: ExecutorId) -> Result<ExecutorKey, EngineError> {
    core.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)
}
