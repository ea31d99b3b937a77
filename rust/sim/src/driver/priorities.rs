//! Priorities: of workflows as the engine knows them, and of their sets in the order (`Holdfast.setPriority`; the shim's
//! `Jobs.reprioritise`).

use crate::driver::classify::classify;
use crate::driver::decisions::tell;
use crate::driver::state::Driver;
use crate::driver::tasks::set::Class;
use holdfast_engine::{Event as EngineEvent, WorkflowId};

/// The user gives a workflow another priority. One without jobs has it from its next job on.
pub(crate) fn prioritise(driver: &mut Driver<'_>, change: u32) {
    let change = &driver.world.changes[change as usize];
    let run = &mut driver.dag.workflows[change.workflow];
    run.priority = change.priority;
    let Some(flow) = run.flow else { return };
    let known = &driver.shim.workflows[flow as usize];
    if known.jobs > 0 && known.priority != change.priority {
        open_flow(driver, flow);
    }
}

/// Tells the engine what a workflow is, with the priority that it has now.
pub(crate) fn open_flow(driver: &mut Driver<'_>, flow: u32) {
    let workflow = driver.shim.workflows[flow as usize].workflow;
    let spec = &driver.world.workflows[workflow as usize];
    let priority = driver.dag.workflows[workflow as usize].priority;
    let pool = driver.queues.order.pool_of(spec.pool);
    tell(
        driver,
        EngineEvent::WorkflowOpened {
            workflow: WorkflowId(flow),
            priority,
            isolation: spec.isolation_ppm.unwrap_or(1_000_000),
            parallelism: spec.parallelism,
            pool: driver.engine_pool(pool),
        },
    );
    let before = std::mem::replace(&mut driver.shim.workflows[flow as usize].priority, priority);
    if before != priority && driver.shim.wire.enforces {
        let sets = driver.shim.workflows[flow as usize].sets.clone();
        sets.into_iter().for_each(|set| sort_anew(driver, set));
    }
}

/// By what sets of a workflow are sorted before all else.
pub(crate) fn sorting_priority(driver: &Driver<'_>, flow: u32) -> i32 {
    let known = driver.shim.workflows.get(flow as usize).filter(|_| driver.shim.wire.enforces);
    known.map_or(0, |flow| flow.priority)
}

/// The priority of a set's workflow has changed: its lane, and whether it is asked about on its own.
fn sort_anew(driver: &mut Driver<'_>, set: u32) {
    let s = &driver.tasks.sets[set as usize];
    let (flow, old, key, open) = (s.flow, s.lane, s.queued.key, s.queued.class == Class::Open);
    let (pool, profile) = (driver.queues.order.lanes[old as usize].pool, s.kind.profile);
    let lane = driver.queues.order.lane(sorting_priority(driver, flow), pool, profile);
    if open {
        driver.queues.order.put(old, key, set, false);
        driver.queues.order.put(lane, key, set, true);
    }
    let plain = driver.is_plain(flow);
    driver.queues.special.retain(|&other| other != set);
    let s = &mut driver.tasks.sets[set as usize];
    s.lane = lane;
    s.queued.owed = true;
    if plain {
        // Executors that came while it sat out: it hears of them when it is back.
        driver.admission.plain_behind |= s.queued.skipped;
        s.queued.skipped = false;
    } else {
        s.queued.skipped = !driver.admission.plain_admitted;
        driver.admission.some_skipped |= s.queued.skipped;
        driver.queues.special.push(set);
    }
    classify(driver, set);
}
