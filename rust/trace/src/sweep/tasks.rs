//! Tasks: which run takes slots of which other.

use super::run::Run;
use super::slots::{SlotId, Slots, Taken};
use super::{Sweep, Task};
use crate::runs::RunId;
use crate::spark_event::TaskRun;

impl Sweep {
    pub(super) fn task_started(&mut self, task: &TaskRun) {
        self.task_left(task.task); // the same number twice: a damaged log
        let (run, pending) = match self.stages.get_mut(&task.key) {
            Some(stage) => {
                stage.launched(task.index);
                (Some(stage.run), stage.pending())
            }
            None => (self.run_of(task.key.stage), 0),
        };
        let executor = task.executor;
        self.tasks.insert(task.task, Task { run, executor, slot: None });
        let taken = self.scene.slots.take(executor, run, task.task);
        let now = self.now;
        if let Some(id) = run {
            self.change(id, |run, _| run.launched(now));
        }
        if let Some(taken) = taken {
            self.placed(task.task, taken);
        }
        if let Some(id) = run {
            self.change(id, |run, _| run.set_waiting(task.key, pending));
        }
    }

    /// A task has got its slot.
    fn placed(&mut self, task: u64, taken: Taken) {
        let Taken { slot, own, from } = taken;
        let Some(known) = self.tasks.get_mut(&task) else { return };
        known.slot = Some(slot);
        let user = known.run;
        if !from.is_empty() {
            self.scene.slots.doubt(slot, task);
        }
        self.lost_by(&from, user);
        let Some(id) = user else { return };
        self.change(id, |run, scene| {
            if own {
                run.claims.retain(|claim| *claim != slot);
            } else if run.passing > 0 {
                run.passing -= 1;
            } else {
                give_up(run, id, &mut scene.slots);
            }
        });
    }

    /// These runs would have wanted the slot back that a task of `user` takes.
    fn lost_by(&mut self, runs: &[RunId], user: Option<RunId>) {
        if runs.is_empty() {
            return;
        }
        let name = self.label(user);
        for id in runs {
            if let Some(run) = self.live.get_mut(id) {
                run.lost += 1;
                run.lose(name.clone());
            }
        }
    }

    /// The slot has come free: it is what a task was launched for that seemed to take one that others want back.
    fn moved_to(&mut self, slot: SlotId) {
        let Some((task, before, claims)) = self.scene.slots.instead(slot) else { return };
        let Some(task) = self.tasks.get_mut(&task).filter(|task| task.slot == Some(before)) else {
            return;
        };
        task.slot = Some(slot);
        let user = task.run;
        let name = self.label(user);
        for id in claims {
            self.change(id, |run, _| {
                run.lost = run.lost.saturating_sub(1);
                run.keep(&name);
            });
        }
    }

    /// Returns a task runs no more; the task, and whether its slot is free now.
    fn task_left(&mut self, number: u64) -> Option<(Task, bool)> {
        let task = self.tasks.remove(&number)?;
        let claims = match task.slot {
            Some(slot) => self.scene.slots.leave(slot),
            None => {
                self.scene.slots.leave_early(task.executor, number);
                None
            }
        };
        for id in claims.iter().flatten() {
            if let Some(run) = self.live.get_mut(id) {
                run.lost = run.lost.saturating_sub(1);
            }
        }
        if let Some(id) = task.run {
            self.change(id, |run, _| run.running = run.running.saturating_sub(1));
        }
        Some((task, claims.is_some()))
    }

    pub(super) fn task_ended(&mut self, ended: &TaskRun, success: bool) {
        let left = self.task_left(ended.task);
        if let Some(stage) = self.stages.get_mut(&ended.key) {
            stage.ended(ended.index, success);
            let (id, pending) = (stage.run, stage.pending());
            self.change(id, |run, _| run.set_waiting(ended.key, pending));
        }
        let Some((task, true)) = left else { return };
        if let (Some(id), Some(slot)) = (task.run, task.slot) {
            self.change(id, |run, scene| {
                if run.pending > 0 {
                    run.passing += 1;
                } else if scene.slots.claim(slot, id) {
                    run.claims.push(slot);
                }
            });
        }
        if let Some(slot) = task.slot {
            self.moved_to(slot);
        }
        while let Some(next) = self.scene.slots.next(task.executor) {
            let run = self.tasks.get(&next).and_then(|task| task.run);
            let taken = self.scene.slots.place(task.executor, run);
            self.placed(next, taken);
        }
    }
}

impl Sweep {
    /// A task that had ended well has to run again, and waits like any other.
    pub(super) fn resubmitted(&mut self, task: &TaskRun) {
        let Some(stage) = self.stages.get_mut(&task.key) else { return };
        stage.undone(task.index);
        let (id, pending) = (stage.run, stage.pending());
        self.change(id, |run, _| run.set_waiting(task.key, pending));
    }
}

/// A run has got a slot that was not its own before: it wants one less of those back.
fn give_up(run: &mut Run, id: RunId, slots: &mut Slots) {
    let lost = run.claims.iter().position(|slot| slots.user(*slot).is_some());
    let Some(which) = lost.or_else(|| (!run.claims.is_empty()).then_some(0)) else { return };
    let slot = run.claims.remove(which);
    slots.unclaim(slot, id);
    run.lost = run.lost.saturating_sub(u64::from(lost.is_some()));
}
