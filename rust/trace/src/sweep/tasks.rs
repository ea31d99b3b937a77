//! Tasks: who takes whose slots.

use super::run::Run;
use super::slots::{Slots, Taken};
use super::{Sweep, Task};
use crate::event::TaskRun;
use crate::runs::RunId;

impl Sweep {
    pub(super) fn task_started(&mut self, task: &TaskRun) {
        self.task_left(task.task);
        let (id, launched) = match self.stages.get_mut(&task.key) {
            Some(stage) => {
                let before = stage.pending();
                stage.launched(task.index);
                (Some(stage.run), before - stage.pending())
            }
            None => (self.run_of(task.key.stage), 0),
        };
        let Taken { slot, own, from } = self.scene.slots.take(task.executor, id);
        self.tasks.insert(task.task, Task { run: id, slot });
        self.lost_by(&from, id);
        let Some(id) = id else { return };
        let now = self.now;
        self.change(id, |run, scene| {
            run.launched(now);
            if own {
                run.claims.retain(|claim| *claim != slot);
            } else if run.passing > 0 {
                run.passing -= 1;
            } else {
                give_up(run, id, &mut scene.slots);
            }
            run.set_pending(run.pending.saturating_sub(launched));
        });
    }

    /// These runs would have wanted the slot back that a task of `user` takes.
    pub(super) fn lost_by(&mut self, runs: &[RunId], user: Option<RunId>) {
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

    /// A task's slot is free again; the task.
    pub(super) fn task_left(&mut self, task: u64) -> Option<(Task, bool)> {
        let task = self.tasks.remove(&task)?;
        let claims = self.scene.slots.leave(task.slot);
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
            let before = stage.pending();
            stage.ended(ended.index, success);
            let (id, after) = (stage.run, stage.pending());
            self.change(id, |run, _| {
                run.set_pending((run.pending + after).saturating_sub(before));
            });
        }
        let Some((Task { run: Some(id), slot }, true)) = left else { return };
        self.change(id, |run, scene| {
            if run.pending > 0 {
                run.passing += 1;
            } else if scene.slots.claim(slot, id) {
                run.claims.push(slot);
            }
        });
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
