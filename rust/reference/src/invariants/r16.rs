//! R16: an error changes nothing but time; garbage never panics.

use holdfast_engine::{Decision, EndCause, Reason};

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let Err(error) = step.result else {
        return Ok(());
    };
    if step.before.sets != step.after.sets {
        return Err(format!("{error:?} changed the sets"));
    }
    let still =
        |e: &holdfast_engine::ExecutorView| (e.id, e.profile, e.capacity, e.running, e.barred);
    let executors = |s: &crate::model::Snapshot| s.executors.iter().map(still).collect::<Vec<_>>();
    if executors(step.before) != executors(step.after) {
        return Err(format!("{error:?} changed the executors"));
    }
    let by_time = |d: &Decision| match d {
        Decision::Held { reason, .. } => *reason == Reason::Grow,
        Decision::HoldEnded { cause, .. } => {
            matches!(cause, EndCause::Expired | EndCause::NotNeeded)
        }
        Decision::Reoffer => true,
    };
    match step.decisions.iter().find(|d| !by_time(d)) {
        Some(decision) => Err(format!("{error:?} decided {decision:?}")),
        None => Ok(()),
    }
}
