//! What happens, one event after the other: the loop of a driver.

use holdfast_engine::Event as EngineEvent;

use crate::driver::decisions::tell;
use crate::driver::ends::{end_by_itself, killed, settle};
use crate::driver::losses::{join, lose, lose_executor};
use crate::driver::priorities::prioritise;
use crate::driver::reports::report;
use crate::driver::round::rounds::offer_all;
use crate::driver::speculate::speculate;
use crate::driver::stages::announce::job_ended;
use crate::driver::stages::deadlines::deadline;
use crate::driver::stages::job_numbers::draw_number;
use crate::driver::stages::jobs::{begin_workflows, done, done_elsewhere, end_job, submit_job};
use crate::driver::stages::retries::{advance, barrier_stage_failed, fetch_failed};
use crate::driver::state::Driver;
use crate::driver::timers::revive;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;

/// Plans everything that is known from the beginning.
pub(crate) fn begin(driver: &mut Driver<'_>) {
    let mut first = 0;
    for (place, nodes) in (0..).zip(&driver.world.cluster) {
        first = nodes.first_host.unwrap_or(first);
        for host in first..first + nodes.nodes {
            for _ in 0..nodes.executors_per_node {
                driver.agenda.plan(nodes.joins_ms * MILLI, SimEvent::Join(place, host));
            }
        }
        first += nodes.nodes;
    }
    for (place, loss) in (0..).zip(&driver.world.losses) {
        driver.agenda.plan(loss.at_ms * MILLI, SimEvent::Lose(place));
    }
    for (place, change) in (0..).zip(&driver.world.changes) {
        driver.agenda.plan(change.at_ms * MILLI, SimEvent::Prioritise(place));
    }
    if driver.world.spark.revive_ms > 0 {
        driver.agenda.plan(driver.world.spark.revive_ms * MILLI, SimEvent::Revive);
    }
    if let Some(speculation) = &driver.world.spark.speculation {
        driver.agenda.plan(speculation.interval_ms * MILLI, SimEvent::Speculate);
    }
    begin_workflows(driver);
}

/// Does what is due or wanted now, then takes the next event or deadline. Returns whether there was one.
pub(crate) fn turn(driver: &mut Driver<'_>) -> bool {
    serve(driver);
    let due = driver.shim.wire.due();
    match (driver.agenda.queue.next_at(), due) {
        (Some(at), due) if due.is_none_or(|due| due >= at) => {
            if let Some((at, event)) = driver.agenda.queue.pop() {
                driver.agenda.now = at;
                happen(driver, event);
            }
            true
        }
        (_, Some(due)) => {
            driver.agenda.now = driver.agenda.now.max(due);
            true
        }
        _ => false,
    }
}

/// Does what the shim's timer thread does: deadlines, and offers that are wanted again.
fn serve(driver: &mut Driver<'_>) {
    loop {
        let due = driver.shim.wire.is_due(driver.agenda.now);
        if due {
            tell(driver, EngineEvent::Tick);
        }
        let reoffer = std::mem::take(&mut driver.shim.wire.reoffer) && driver.shim.wire.enforces;
        if reoffer {
            driver.agenda.revive_offers();
        }
        if !due && !reoffer {
            return;
        }
    }
}

fn happen(driver: &mut Driver<'_>, event: SimEvent) {
    match event {
        SimEvent::Submit(workflow, job) => submit_job(driver, workflow, job),
        SimEvent::Number(workflow, job) => draw_number(driver, workflow, job),
        SimEvent::Cancel(job) => end_job(driver, job, false),
        SimEvent::Join(nodes, host) => join(driver, nodes, host),
        SimEvent::Lose(loss) => lose(driver, loss),
        SimEvent::Gone(executor, loss) => lose_executor(driver, executor, loss),
        SimEvent::Revive => revive(driver),
        SimEvent::ReviveAsked => {
            driver.agenda.revive_asked = false;
            offer_all(driver);
        }
        SimEvent::End(attempt) => end_by_itself(driver, attempt),
        SimEvent::Killed(attempt, number) => killed(driver, attempt, number),
        SimEvent::Settle(attempt) => settle(driver, attempt),
        SimEvent::Done(stage, partition, attempt) => done(driver, stage, partition, attempt),
        SimEvent::Resubmitted(stage, partition) => {
            driver.dag.stages[stage as usize].undo(partition);
        }
        SimEvent::Elsewhere(stage, partition) => done_elsewhere(driver, stage, partition),
        SimEvent::JobEnded(job) => job_ended(driver, job),
        SimEvent::FetchFailed(stage, attempt) => fetch_failed(driver, stage, attempt),
        SimEvent::BarrierStageFailed(stage, attempt) => {
            barrier_stage_failed(driver, stage, attempt);
        }
        SimEvent::Resubmit(stage) => advance(driver, stage),
        SimEvent::Prioritise(change) => prioritise(driver, change),
        SimEvent::Speculate => speculate(driver),
        SimEvent::Deadline(job) => deadline(driver, job),
        SimEvent::Report(attempt, number, step) => report(driver, attempt, number, step),
    }
}
