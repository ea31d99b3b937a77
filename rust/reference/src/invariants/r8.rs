//! R8: each hold ends exactly once, with a cause, and is counted once.

use std::collections::BTreeSet;

use holdfast_engine::{Decision, HoldId};

use super::Step;

/// The holds that are live by the decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    made: u32,
    live: BTreeSet<HoldId>,
}

pub(super) fn check(memory: &mut Ends, step: &Step) -> Result<(), String> {
    for decision in step.decisions {
        match decision {
            Decision::Held { hold, .. } => {
                if hold.0 != memory.made {
                    return Err(format!("{hold:?} is not numbered {}", memory.made));
                }
                memory.made += 1;
                memory.live.insert(*hold);
            }
            Decision::HoldEnded { hold, .. } if !memory.live.remove(hold) => {
                return Err(format!("{hold:?} ends, but is not live"));
            }
            _ => {}
        }
    }
    let shown: BTreeSet<HoldId> = step.after.holds.iter().map(|hold| hold.id).collect();
    if shown != memory.live {
        return Err(format!("shown {shown:?}, by the decisions {:?}", memory.live));
    }
    let t = &step.after.totals;
    let ended = t.used + t.moved + t.overridden + t.expired + t.not_needed;
    let ended = ended + t.workflow_over + t.executor_gone;
    if t.made != u64::from(memory.made) || t.made - ended != memory.live.len() as u64 {
        return Err(format!("totals do not add up: {t:?}"));
    }
    Ok(())
}
