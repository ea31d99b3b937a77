//! R3: no hold outlives its workflow or its executor, nor sits on a barred one.

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for hold in &step.after.holds {
        let owner = step.after.workflow(hold.workflow);
        if !owner.is_some_and(|w| w.active) {
            return Err(format!("{hold:?} outlives its workflow: {owner:?}"));
        }
        let executor = step.after.executor(hold.executor);
        if executor.is_none_or(|e| e.barred) {
            return Err(format!("{hold:?} outlives its executor: {executor:?}"));
        }
    }
    Ok(())
}
