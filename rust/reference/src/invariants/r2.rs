//! R2: no hold is live at or after its deadline, nor older than the cap; only leaving a gap starts the
//! cap anew.

use holdfast_engine::Time;

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let now = step.after.now;
    let latest = now.after(step.hold_max_ns);
    for hold in &step.after.holds {
        if hold.deadline <= now {
            return Err(format!("{hold:?} is live at {now:?}"));
        }
        if hold.deadline > hold.cap || hold.cap > latest {
            return Err(format!("{hold:?} outlives the cap, counted from {now:?}"));
        }
        let Some(old) = step.before.holds.iter().find(|old| old.id == hold.id) else {
            continue;
        };
        if hold.cap > old.cap {
            let in_gap = |s: &crate::model::Snapshot| s.workflow(hold.workflow).map(|w| w.in_gap);
            let left = in_gap(step.before) == Some(true) && in_gap(step.after) == Some(false);
            if !left || hold.cap != Time(latest.0) {
                return Err(format!("{old:?} was prolonged: {hold:?}"));
            }
        }
    }
    Ok(())
}
