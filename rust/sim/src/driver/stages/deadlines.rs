//! Deadlines of jobs.

use crate::driver::decisions::tell;
use crate::driver::stages::bounds::{cut, inputs};
use crate::driver::stages::jobs::stage_done;
use crate::driver::state::Driver;
use holdfast_engine::Event as EngineEvent;

/// Goes on with what is done of a job at its deadline.
pub(crate) fn deadline(driver: &mut Driver<'_>, job: u32) {
    if driver.dag.jobs[job as usize].over {
        return;
    }
    // The engine is to see what was done by then, before anything is killed.
    if driver.shim.wire.is_overdue(driver.agenda.now) {
        tell(driver, EngineEvent::Tick);
    }
    for stage in inputs(driver, job) {
        let s = &mut driver.dag.stages[stage as usize];
        if s.is_complete() {
            continue;
        }
        s.active = false;
        cut(driver, stage);
        stage_done(driver, job, stage);
    }
}
