//! R10: copies only on own held slots, one for a task, never beside the original.

use super::Step;

pub(super) fn check(step: &Step) -> Result<(), String> {
    for ask in &step.after.asks {
        let Some(task) = ask.copy else { continue };
        let owner = step.after.set(ask.set).map(|set| set.workflow);
        let mut holds = step.after.holds.iter().filter(|hold| hold.executor == ask.executor);
        if !holds.any(|hold| Some(hold.workflow) == owner) {
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
