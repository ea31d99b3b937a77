//! R1: on every executor, in every resource, running + held <= capacity. What runs is a fact: when it
//! alone exceeds what the host says is there, nothing is held.

use holdfast_engine::Resources;

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for e in &step.after.executors {
        if !e.capacity.covers(&e.running.plus(e.held)) && e.held != Resources::default() {
            return Err(format!("more than the capacity is taken: {e:?}"));
        }
    }
    Ok(())
}
