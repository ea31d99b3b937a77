//! Which hold goes: the least useful one of its owner, or the least important one of an executor.

use crate::ledger::Side;
use crate::ledger::keys::{ExecutorKey, HoldKey, WorkflowKey};
use crate::policies::fair::blocks;
use crate::policies::ssr::home::{is_crowded, is_known};
use crate::state::Core;

/// Among how many of a workflow's newest holds a misplaced one is looked for.
const NEWEST: usize = 64;

/// The least useful hold of a workflow that owns more than `need`: a misplaced one, else the newest, since the
/// older ones lie where its tasks ran first.
pub(crate) fn surplus(core: &Core, workflow: WorkflowKey, need: u32) -> Option<HoldKey> {
    let w = &core.ledger.workflows.slab[workflow];
    if w.owned() <= need {
        return None;
    }
    let newest = || core.ledger.holds.newest_first(w.holding.holds, Side::Workflow).next();
    misplaced(core, workflow).or_else(newest)
}

/// The newest of a workflow's holds that is on an executor where it has more slots than input.
pub(crate) fn misplaced(core: &Core, workflow: WorkflowKey) -> Option<HoldKey> {
    if !is_known(&core.ledger, workflow) {
        return None;
    }
    let holds = core.ledger.workflows.slab[workflow].holding.holds;
    let newest = core.ledger.holds.newest_first(holds, Side::Workflow).take(NEWEST);
    let crowded = |key| is_crowded(&core.ledger, workflow, core.ledger.holds.get(key).executor);
    newest.into_iter().find(|&key| crowded(key))
}

/// The newest hold of the owner that ranks last there; only of those that do not block `asker`, if given.
pub(crate) fn least_important_hold(
    core: &Core,
    executor: ExecutorKey,
    asker: Option<WorkflowKey>,
) -> Option<HoldKey> {
    let workflows = &core.ledger.workflows;
    let holds = core.ledger.executors.slab[executor].holds;
    let eligible = core.ledger.holds.newest_first(holds, Side::Executor).filter_map(|key| {
        let owner = core.ledger.holds.get(key).owner;
        let rank = workflows.rank(owner);
        let may_go = |w| owner != w && !blocks(&core.ledger, owner, w, 0);
        asker.is_none_or(may_go).then_some((rank, key))
    });
    // On equal ranks the first, so the newest, wins.
    eligible.reduce(|last, next| if next.0 > last.0 { next } else { last }).map(|(_, key)| key)
}
