//! R6: a hold vetoes whoever it is kept from, and never its owner nor anybody ranked before it.

use holdfast_engine::{HoldView, Resources, StageKind, Verdict, VetoReason};

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let after = step.after;
    for ask in &after.asks {
        let (Some(set), Some(demand)) = (after.set(ask.set), step.demands.get(&ask.set)) else {
            return Err(format!("{ask:?} of a set that nobody submitted"));
        };
        if set.zombie {
            continue;
        }
        // Barrier sets go by rank.
        let rank = |hold: &HoldView| after.rank(hold.workflow) < after.rank(set.workflow);
        let in_the_way = |hold: &&HoldView| match step.kinds.get(&ask.set) {
            Some(StageKind::Barrier) => hold.workflow != set.workflow && rank(hold),
            _ => after.in_the_way(hold.workflow, set.workflow),
        };
        let there = after.holds.iter().filter(|hold| hold.executor == ask.executor);
        let kept =
            there.filter(in_the_way).fold(Resources::default(), |sum, hold| sum.plus(hold.size));
        let fits = ask.free.minus(kept).covers(demand);
        match ask.verdict {
            Verdict::Veto(VetoReason::Held) if fits => {
                return Err(format!("{ask:?}, although no hold is in the way of {set:?}"));
            }
            Verdict::Allow | Verdict::AllowHeld if !fits && kept != Resources::default() => {
                return Err(format!("{ask:?}, although {kept:?} are kept from {set:?}"));
            }
            _ => {}
        }
    }
    Ok(())
}
