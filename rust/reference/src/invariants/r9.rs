//! R9: a new hold keeps owned <= need of its workflow.

use holdfast_engine::Decision;

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for decision in step.decisions {
        let Decision::Held { hold, workflow, .. } = decision else {
            continue;
        };
        let Some(w) = step.after.workflow(*workflow) else {
            return Err(format!("{hold:?} for an unknown workflow"));
        };
        if w.owned > w.need {
            return Err(format!("{hold:?} is more than {w:?} needs"));
        }
    }
    Ok(())
}
