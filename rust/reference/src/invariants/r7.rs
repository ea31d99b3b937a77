//! R7: an override ends the least important hold there, of somebody ranked after the asker if any.

use holdfast_engine::{Decision, EndCause, Event, HoldView};

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let overridden =
        |d: &Decision| matches!(d, Decision::HoldEnded { cause: EndCause::Overridden, .. });
    if !step.decisions.iter().any(overridden) {
        return Ok(());
    }
    let Event::Launched { set, executor, .. } = *step.event else {
        return Err("an override without a launch".to_owned());
    };
    let Some(asker) = step.before.set(set).map(|set| set.workflow) else {
        return Err("an override by an unknown set".to_owned());
    };
    if step.before.pools.iter().any(|pool| pool.fair) {
        // Whose turn it was is the comparison's business.
        return Ok(());
    }
    let mut live: Vec<&HoldView> =
        step.before.holds.iter().filter(|hold| hold.executor == executor).collect();
    for decision in step.decisions {
        let Decision::HoldEnded { hold, .. } = decision else {
            continue;
        };
        if overridden(decision) {
            let importance = |h: &HoldView| {
                let rank = step.before.rank(h.workflow);
                (rank > step.before.rank(asker), rank, h.id)
            };
            let least = live.iter().max_by_key(|h| importance(h)).map(|h| h.id);
            if least != Some(*hold) {
                return Err(format!("{hold:?} was overridden where {least:?} is the least"));
            }
        }
        live.retain(|h| h.id != *hold);
    }
    Ok(())
}
