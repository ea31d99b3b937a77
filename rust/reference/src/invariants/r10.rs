//! R10: copies only on own held slots unless a rule for stragglers picks them, one for a task, never beside the original.

use holdfast_engine::{Choice, Stragglers};

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for ask in &step.after.asks {
        let picked = match ask.pick {
            Choice::Copy(task) => Some(task),
            Choice::Host | Choice::Pending { .. } | Choice::Nothing => None,
        };
        let Some(task) = ask.copy.or(picked) else { continue };
        let owner = step.after.set(ask.set).map(|set| set.workflow);
        let mut holds = step.after.holds.iter().filter(|hold| hold.executor == ask.executor);
        let on_holds = step.stragglers == Stragglers::Holds;
        if on_holds && !holds.any(|hold| Some(hold.workflow) == owner) {
            return Err(format!("task {task} should be copied where nothing is held: {ask:?}"));
        }
        let of_task = |a: &&(_, u32, _)| a.0 == ask.set && a.1 == task;
        let attempts: Vec<_> = step.running.iter().filter(of_task).collect();
        if attempts.len() != 1 || attempts[0].2 == ask.executor {
            return Err(format!("a copy of task {task} beside {attempts:?}: {ask:?}"));
        }
    }
    Ok(())
}
