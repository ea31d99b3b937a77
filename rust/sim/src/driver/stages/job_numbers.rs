//! Spark's numbers of jobs, by which FIFO goes. The thread that submits a job draws its number, and the DAG scheduler
//! hears of the job a moment later: threads may overtake each other in between (`DAGScheduler.submitJob`).

use crate::driver::state::Driver;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;

/// Plans a job `after` nanoseconds from now; its number is drawn before that, if the world says so.
pub(crate) fn plan_job(driver: &mut Driver<'_>, workflow: u32, place: u32, after: u64) {
    let spec = &driver.world.workflows[workflow as usize].jobs[place as usize];
    if spec.numbered_ahead_ms > 0 {
        let ahead = spec.numbered_ahead_ms * MILLI;
        driver.agenda.plan(after.saturating_sub(ahead), SimEvent::Number(workflow, place));
    }
    driver.agenda.plan(after, SimEvent::Submit(workflow, place));
}

/// Draws the number of a job.
pub(crate) fn draw_number(driver: &mut Driver<'_>, workflow: u32, place: u32) {
    let number = next_number(driver);
    driver.dag.workflows[workflow as usize].numbers.push((place, number));
}

/// Returns the number of a job that is submitted.
pub(crate) fn number_of(driver: &mut Driver<'_>, workflow: u32, place: u32) -> u32 {
    let drawn = &mut driver.dag.workflows[workflow as usize].numbers;
    match drawn.iter().position(|&(other, _)| other == place) {
        Some(at) => drawn.swap_remove(at).1,
        None => next_number(driver),
    }
}

fn next_number(driver: &mut Driver<'_>) -> u32 {
    driver.dag.next_job += 1;
    driver.dag.next_job - 1
}
