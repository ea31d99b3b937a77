//! R9: a new hold keeps owned <= need of its workflow; whoever arrives, or changes its pool, finds nobody who
//! holds more than its share.

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
    check_shares(step)
}

/// Those without a priority share, and a need is no more than a share.
fn check_shares(step: &Step) -> Result<(), String> {
    let after = &step.after.workflows;
    let before = |id| step.before.workflow(id).filter(|w| w.active).map(|w| w.pool);
    if !after.iter().any(|w| w.active && before(w.id) != Some(w.pool)) {
        return Ok(());
    }
    let mut sharers = after.iter().filter(|w| w.held > 0 && w.priority <= 0);
    match sharers.find(|w| w.owned > w.need) {
        Some(w) => Err(format!("somebody has arrived, and {w:?} holds more than it needs")),
        None => Ok(()),
    }
}
