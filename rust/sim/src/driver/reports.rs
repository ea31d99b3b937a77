//! What running tasks report (GR-6).

use crate::driver::decisions::tell;
use crate::driver::sizes::{off, tell_next};
use crate::driver::state::Driver;
use crate::driver::tasks::attempt::Attempt;
use crate::host::event::SimEvent;
use crate::world::draw::About;
use crate::world::whole;
use holdfast_engine::{AttemptId, Event as EngineEvent};

/// All of a task, in millionths.
const WHOLE: u32 = 1_000_000;
/// After this part of its time an oracle's attempt reports first: a share of nothing would say nothing.
const AT_ONCE: u32 = 1_000;

/// Plans the first report of an attempt that has just begun, if anybody listens.
pub(crate) fn begin_reports(driver: &mut Driver<'_>, attempt: u32) {
    let Some(progress) = driver.world.spark.progress else { return };
    let Attempt { set, task, copy, .. } = driver.tasks.attempts[attempt as usize];
    if !driver.shim.wire.picks || driver.tasks.sets[set as usize].kind.together {
        return;
    }
    if progress.oracle && !copy {
        tell_next(driver, set, task);
    }
    plan(driver, attempt, u32::from(!progress.oracle));
}

/// Plans a report of an attempt that runs: after `step` times the usual share of its work, or at once.
fn plan(driver: &mut Driver<'_>, attempt: u32, step: u32) {
    let Some(progress) = driver.world.spark.progress else { return };
    let a = driver.tasks.attempts[attempt as usize];
    let share = if step == 0 { AT_ONCE } else { progress.every_ppm.saturating_mul(step) };
    let Some(end) = a.end.filter(|_| share < WHOLE) else { return };
    let took = u128::from(end.at().since(a.launched)) * u128::from(share) / u128::from(WHOLE);
    let at = a.launched.after(u64::try_from(took).unwrap_or(u64::MAX));
    driver.agenda.queue.plan(at, SimEvent::Report(attempt, a.number, step));
}

/// Tells the engine how far an attempt is, as it estimates that itself.
pub(crate) fn report(driver: &mut Driver<'_>, attempt: u32, number: u32, step: u32) {
    let Some(progress) = driver.world.spark.progress else { return };
    let a = driver.tasks.attempts.get(attempt as usize).copied();
    let Some(a) = a.filter(|a| a.number == number && a.runs) else { return };
    let Some(end) = a.end else { return };
    let error = if progress.oracle { 0.0 } else { progress.rest_error };
    let s = &driver.tasks.sets[a.set as usize];
    let draw = driver.dag.stages[s.stage as usize].draw(driver.draw.about(About::Estimate));
    let drawn = draw.of(s.partition(a.task).into()).of(1 + u64::from(a.copy)).uniform();
    let now = driver.agenda.now;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let (ran, rest) = (now.since(a.launched) as f64, end.at().since(now) as f64);
    let done = whole(f64::from(WHOLE) * ran / (ran + rest * (1.0 + off(error, drawn))));
    let done = u32::try_from(done).unwrap_or(WHOLE);
    tell(driver, EngineEvent::Progressed { attempt: AttemptId(number), done });
    plan(driver, attempt, step + 1);
}
