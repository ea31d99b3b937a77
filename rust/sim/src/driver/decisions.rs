//! What the engine hears, and what becomes of its decisions: holds by executor and by workflow.

use crate::driver::state::Driver;
use holdfast_engine::{Decision, EndCause, Event as EngineEvent, HoldId, ProfileId, WorkflowId};

/// Tells the engine something, and does what it decides.
pub(crate) fn tell(driver: &mut Driver<'_>, event: EngineEvent) {
    driver.shim.wire.step(driver.agenda.now, &event);
    for i in 0..driver.shim.wire.decided() {
        match driver.shim.wire.decision(i) {
            Decision::Reoffer => driver.shim.wire.reoffer = true,
            Decision::Held { hold, workflow, executor, .. } => {
                held(driver, hold, workflow, executor.0);
            }
            Decision::HoldEnded { hold, cause } => hold_ended(driver, hold, cause),
        }
    }
}

pub(crate) fn tell_profile(driver: &mut Driver<'_>, profile: u32) {
    if driver.shim.profiles_known & (1 << profile) == 0 {
        driver.shim.profiles_known |= 1 << profile;
        let demand = driver.demand(profile);
        let (profile, runs_on) = (ProfileId(profile), ProfileId(0));
        tell(driver, EngineEvent::ProfileDefined { profile, runs_on, demand });
    }
}

pub(crate) fn held(
    driver: &mut Driver<'_>,
    hold: HoldId,
    WorkflowId(owner): WorkflowId,
    executor: u32,
) {
    driver.shim.holders.insert(hold, (owner, executor));
    driver.cluster.hold(executor, owner);
    let known = &mut driver.shim.workflows[owner as usize];
    known.holds.push((hold, executor));
    known.held = true;
    driver.meter.held(driver.agenda.now, 1);
    if driver.round.in_round {
        driver.round.new_holders.push(owner);
    }
}

fn hold_ended(driver: &mut Driver<'_>, hold: HoldId, cause: EndCause) {
    let Some((owner, executor)) = driver.shim.holders.remove(&hold) else { return };
    let known = &mut driver.shim.workflows[owner as usize];
    if let Some(place) = known.holds.iter().position(|&(id, _)| id == hold) {
        known.holds.swap_remove(place);
    }
    known.expired |= cause == EndCause::Expired;
    driver.meter.held(driver.agenda.now, -1);
    driver.cluster.release(executor, owner);
    if driver.admission.some_by_holds {
        driver.round.reopened.push(executor);
    }
    driver.round.epoch += 1;
}
