//! R6: a hold never vetoes its owner, nor anybody ranked before it.

use holdfast_engine::{Verdict, VetoReason};

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let after = step.after;
    for ask in &after.asks {
        if ask.verdict != Verdict::Veto(VetoReason::Held) {
            continue;
        }
        let (Some(set), Some(demand)) = (after.set(ask.set), step.demands.get(&ask.set)) else {
            return Err(format!("{ask:?} of a set that nobody submitted"));
        };
        if set.zombie {
            continue;
        }
        let asker = after.rank(set.workflow);
        let mut there = after.holds.iter().filter(|hold| hold.executor == ask.executor);
        let earlier =
            there.any(|hold| hold.workflow != set.workflow && after.rank(hold.workflow) < asker);
        if ask.free.covers(demand) && !earlier {
            return Err(format!("{ask:?} by no hold of anybody ranked before {set:?}"));
        }
    }
    Ok(())
}
