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
    if driver.shim.profiles_told & (1 << profile) == 0 {
        driver.shim.profiles_told |= 1 << profile;
        let demand = driver.demand(profile);
        let (profile, runs_on) = (ProfileId(profile), ProfileId(0));
        tell(driver, EngineEvent::ProfileDefined { profile, runs_on, demand });
    }
}

pub(crate) fn held(
    driver: &mut Driver<'_>,
    hold: HoldId,
    WorkflowId(flow): WorkflowId,
    executor: u32,
) {
    driver.shim.holders.insert(hold, (flow, executor));
    driver.cluster.hold(executor, flow);
    let owner = &mut driver.shim.workflows[flow as usize];
    owner.holds.push((hold, executor));
    owner.held = true;
    driver.meter.held(driver.agenda.now, 1);
    if driver.round.in_round {
        driver.round.new_holders.push(flow);
    }
}

fn hold_ended(driver: &mut Driver<'_>, hold: HoldId, cause: EndCause) {
    let Some((flow, executor)) = driver.shim.holders.remove(&hold) else { return };
    let owner = &mut driver.shim.workflows[flow as usize];
    if let Some(place) = owner.holds.iter().position(|&(id, _)| id == hold) {
        owner.holds.swap_remove(place);
    }
    owner.expired |= cause == EndCause::Expired;
    driver.meter.held(driver.agenda.now, -1);
    driver.cluster.release(executor, flow);
    if driver.admission.some_by_holds {
        driver.round.reopened.push(executor);
    }
    driver.round.epoch += 1;
}
