//! Priorities: of workflows as the engine knows them, and of their sets in the order (`Holdfast.setPriority`; the
//! shim's `Jobs.reprioritise`).

use crate::driver::classify::classify;
use crate::driver::decisions::tell;
use crate::driver::state::Driver;
use crate::driver::tasks::set::Class;
use holdfast_engine::{Event as EngineEvent, WorkflowId};

/// Gives a workflow another priority, as its user wants. One without jobs has it from its next job on.
pub(crate) fn prioritise(driver: &mut Driver<'_>, change: u32) {
    let change = &driver.world.changes[change as usize];
    let run = &mut driver.dag.workflows[change.workflow];
    run.priority = change.priority;
    let Some(owner) = run.owner else { return };
    let known = &driver.shim.workflows[owner as usize];
    if known.jobs > 0 && known.priority != change.priority {
        open_workflow(driver, owner);
    }
}

/// Tells the engine what a workflow is, with the priority that it has now.
pub(crate) fn open_workflow(driver: &mut Driver<'_>, owner: u32) {
    let workflow = driver.shim.workflows[owner as usize].workflow;
    let spec = &driver.world.workflows[workflow as usize];
    let priority = driver.dag.workflows[workflow as usize].priority;
    let pool = driver.queues.order.pool_of(spec.pool);
    tell(
        driver,
        EngineEvent::WorkflowOpened {
            workflow: WorkflowId(owner),
            priority,
            isolation: spec.isolation_ppm.unwrap_or(1_000_000),
            parallelism: spec.parallelism,
            pool: driver.engine_pool(pool),
        },
    );
    let before = std::mem::replace(&mut driver.shim.workflows[owner as usize].priority, priority);
    if before != priority && driver.shim.wire.enforces {
        let sets = driver.shim.workflows[owner as usize].sets.clone();
        sets.into_iter().for_each(|set| sort_anew(driver, set));
    }
}

/// Returns the priority by which sets of a workflow are sorted before all else.
fn sorting_priority(driver: &Driver<'_>, owner: u32) -> i32 {
    let known = driver.shim.workflows.get(owner as usize).filter(|_| driver.shim.wire.enforces);
    known.map_or(0, |of| of.priority)
}

/// Asks the engine what the answers to a set's asks depend on. Returns the set's lane in a pool.
pub(crate) fn lane_of(driver: &mut Driver<'_>, set: u32, pool: u32) -> u32 {
    let s = &mut driver.tasks.sets[set as usize];
    // A set that the engine has forgotten launches nothing any more.
    if let Some(class) = driver.shim.wire.ask_class(s.id) {
        (s.kind.shared, s.kind.by_holds) = (class.shared, class.by_holds);
    }
    driver.admission.some_shared |= s.kind.shared;
    driver.admission.some_by_holds |= s.kind.by_holds;
    let (owner, profile, shared) = (s.owner, s.kind.profile, s.kind.shared);
    let priority = sorting_priority(driver, owner);
    driver.queues.order.lane(priority, pool, profile, shared)
}

/// Sorts a set anew whose workflow has another priority: its lane, and whether it is asked about on its own.
fn sort_anew(driver: &mut Driver<'_>, set: u32) {
    let s = &driver.tasks.sets[set as usize];
    let (old, key, open) = (s.lane, s.queued.key, s.queued.class == Class::Open);
    let pool = driver.queues.order.lanes[old as usize].pool;
    let lane = lane_of(driver, set, pool);
    if open {
        driver.queues.order.put(old, key, set, false);
        driver.queues.order.put(lane, key, set, true);
    }
    driver.queues.special.retain(|&other| other != set);
    let s = &mut driver.tasks.sets[set as usize];
    s.lane = lane;
    s.queued.owed = true;
    if s.kind.shared {
        // Executors that came while it sat out: it hears of them when it is back.
        driver.admission.shared_behind |= s.queued.skipped;
        s.queued.skipped = false;
    } else {
        s.queued.skipped = !driver.admission.shared_admitted;
        driver.admission.some_skipped |= s.queued.skipped;
        driver.queues.special.push(set);
    }
    classify(driver, set);
}
