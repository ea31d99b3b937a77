//! Deadlines of jobs.

use crate::driver::stages::bounds::{cut, inputs};
use crate::driver::stages::jobs::stage_done;
use crate::driver::state::Driver;

/// Goes on with what is done of a job at its deadline.
pub(crate) fn deadline(driver: &mut Driver<'_>, job: u32) {
    if driver.dag.jobs[job as usize].over {
        return;
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
