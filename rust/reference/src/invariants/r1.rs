//! R1: on every executor, in every resource that is held at all, running + held <= capacity. What runs
//! is a fact: an executor that shrinks below it is over its capacity, but not by a hold.

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for e in &step.after.executors {
        let taken = e.running.plus(e.held);
        let over = |i: usize| e.held.0[i] > 0 && taken.0[i] > e.capacity.0[i];
        if (0..e.held.0.len()).any(over) {
            return Err(format!("more than the capacity is taken: {e:?}"));
        }
    }
    Ok(())
}
