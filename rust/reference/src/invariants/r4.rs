//! R4: the views of the holds (by executor, workflow, deadline) agree.

use holdfast_engine::Resources;

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    let after = step.after;
    for e in &after.executors {
        let there = after.holds.iter().filter(|hold| hold.executor == e.id);
        let held = there.fold(Resources::default(), |sum, hold| sum.plus(hold.size));
        if held != e.held {
            return Err(format!("{e:?} carries holds of {held:?}"));
        }
    }
    for w in &after.workflows {
        let held = after.holds.iter().filter(|hold| hold.workflow == w.id).count();
        if held != w.held as usize {
            return Err(format!("{w:?} has {held} holds"));
        }
        let own = after.sets.iter().filter(|set| set.workflow == w.id);
        let pending: u64 = own.map(|set| u64::from(set.pending)).sum();
        if pending != w.pending {
            return Err(format!("{w:?}: its sets have {pending} pending tasks"));
        }
    }
    let first = after.holds.iter().map(|hold| hold.deadline).min();
    if first.is_some_and(|first| after.deadline.is_none_or(|next| next > first)) {
        return Err(format!("{:?} is due, next deadline {:?}", first, after.deadline));
    }
    if !after.holds.is_sorted_by_key(|hold| hold.id) {
        return Err("holds are not in order of id".to_owned());
    }
    Ok(())
}
