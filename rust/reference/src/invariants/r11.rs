//! R11: a workflow without a future holds nothing.

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for w in &step.after.workflows {
        let future = w.active && w.may_hold;
        if w.held > 0 && !future {
            return Err(format!("{w:?} has no future and holds"));
        }
    }
    Ok(())
}
