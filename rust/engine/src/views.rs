//! Builds the views of the books, for tests, reports and `explain`. Nothing here is on a hot path.

use crate::api::account::Account;
use crate::api::ids::{SetId, Time, WorkflowId};
use crate::api::views::{ExecutorView, HoldView, PoolView, SetView, WorkflowView};
use crate::ledger::{Pool, Transition};
use crate::needs::{may_hold, need};
use crate::policies::grass::learner::Sample;
use crate::policies::grass::view::RunView;
use crate::state::Core;

pub(crate) fn accounts(core: &Core) -> Vec<(Option<WorkflowId>, Account)> {
    let live = core.ledger.workflows.slab.iter().map(|(_, w)| {
        let mut w = w.clone();
        w.charge(core.now);
        (Some(w.id), w.sums())
    });
    let gone = core.ledger.workflows.accounts_of_the_gone();
    let mut all: Vec<_> = live.chain(gone).filter(|(_, account)| account.is_reported()).collect();
    all.sort_unstable_by_key(|(id, _)| *id);
    all
}

pub(crate) fn patterns(core: &Core) -> Vec<(WorkflowId, &[Transition])> {
    let live = core.ledger.workflows.slab.iter().map(|(_, w)| (w.id, w.learned.known.steps()));
    let gone = core.ledger.workflows.patterns_of_the_gone();
    let mut all: Vec<_> = live.chain(gone).filter(|(_, steps)| !steps.is_empty()).collect();
    all.sort_unstable_by_key(|(id, _)| *id);
    all
}

/// What bounded jobs have taught.
pub(crate) fn samples(core: &Core) -> Vec<Sample> {
    core.picks.samples().copied().collect()
}

/// How good estimates were; none before there were any.
pub(crate) fn accuracies(core: &Core) -> Option<[u32; 2]> {
    core.picks.accuracies()
}

/// The running tasks of a set at a moment.
pub(crate) fn runs(core: &Core, set: SetId, now: Time) -> Vec<RunView> {
    let set = core.ledger.set_ids.get(&set).map(|&set| &core.ledger.sets[set]);
    set.map_or_else(Vec::new, |set| core.picks.runs(&core.ledger, now, set))
}

pub(crate) fn holds(core: &Core) -> Vec<HoldView> {
    let mut views: Vec<HoldView> = core
        .ledger
        .holds
        .unordered()
        .map(|hold| HoldView {
            id: hold.id,
            workflow: core.ledger.workflows.slab[hold.owner].id,
            executor: core.ledger.executors.slab[hold.executor].id,
            size: hold.size,
            reason: hold.reason,
            made_at: hold.made_at,
            deadline: hold.deadline,
            cap: hold.cap,
        })
        .collect();
    views.sort_unstable_by_key(|view| view.id);
    views
}

pub(crate) fn executors(core: &Core) -> Vec<ExecutorView> {
    let executors = &core.ledger.executors;
    let views = executors.in_order().iter().map(|&key| &executors.slab[key]);
    views
        .map(|e| ExecutorView {
            id: e.id,
            profile: e.profile,
            capacity: e.capacity,
            running: e.running,
            held: e.held,
            barred: e.barred,
        })
        .collect()
}

pub(crate) fn workflows(core: &Core) -> Vec<WorkflowView> {
    let mut views: Vec<WorkflowView> = core
        .ledger
        .workflows
        .slab
        .iter()
        .map(|(key, w)| WorkflowView {
            id: w.id,
            priority: w.priority,
            pool: core.ledger.pools.get(w.pool).id,
            active: w.flags.active,
            arrival: w.arrival,
            running: w.running,
            held: w.held,
            owned: w.owned(),
            need: need(&core.ledger, &core.rules, core.now, key),
            pending: w.pending,
            may_hold: may_hold(&core.rules, w),
            exhausted: w.flags.exhausted,
            in_gap: w.holding.gap.is_some(),
        })
        .collect();
    views.sort_unstable_by_key(|view| view.id);
    views
}

pub(crate) fn pools(core: &Core) -> Vec<PoolView> {
    let mut views: Vec<PoolView> = core.ledger.pools.all().map(Pool::view).collect();
    views.sort_unstable_by_key(|view| view.id);
    views
}

pub(crate) fn sets(core: &Core) -> Vec<SetView> {
    let mut views: Vec<SetView> = core
        .ledger
        .sets
        .iter()
        .map(|(_, set)| SetView {
            id: set.id,
            workflow: core.ledger.workflows.slab[set.workflow].id,
            job: core.ledger.jobs[set.job].id,
            stage: set.stage,
            tasks: set.width(),
            unfinished: set.unfinished,
            pending: set.pending,
            zombie: set.zombie,
        })
        .collect();
    views.sort_unstable_by_key(|view| view.id);
    views
}
