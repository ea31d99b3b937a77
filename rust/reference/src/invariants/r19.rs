//! R19: no rule for stragglers picks a copy while tasks of a more important workflow wait.

use holdfast_engine::Choice;

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for ask in &step.after.asks {
        let Choice::Copy(_) = ask.pick else { continue };
        let owner = step.after.set(ask.set).and_then(|set| step.after.workflow(set.workflow));
        let Some(owner) = owner else { continue };
        let workflows = step.after.workflows.iter();
        let mut first = workflows.filter(|w| w.active && w.priority > owner.priority);
        if let Some(first) = first.find(|w| w.pending > 0) {
            return Err(format!("a copy while {first:?} waits: {ask:?}"));
        }
    }
    Ok(())
}
