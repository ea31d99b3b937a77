//! R1: on every executor, in every resource, running + held <= capacity.

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for e in &step.after.executors {
        if !e.capacity.covers(&e.running.plus(e.held)) {
            return Err(format!("more than the capacity is taken: {e:?}"));
        }
    }
    Ok(())
}
