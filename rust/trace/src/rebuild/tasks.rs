//! Tasks: an end tells when its task was launched; a stage that ends well says that its tasks have.

use rustc_hash::FxHashMap;

use super::{Ledger, Spot};
use crate::bits::Bits;
use crate::spark_event::{Millis, SparkEvent, StageKey, TaskRun};

/// A task that has been launched.
struct Open {
    run: TaskRun,
    /// When its stage ended well, and whether no other run had done the same.
    stage_ended: Option<(Millis, bool)>,
}

#[derive(Default)]
pub(super) struct Tasks {
    started: Bits,
    ended: Bits,
    open: FxHashMap<u64, Open>,
}

impl Ledger {
    pub(super) fn task_started(&mut self, at: Millis, run: &TaskRun) -> bool {
        let again = !self.tasks.started.insert(run.task);
        if again || self.tasks.ended.contains(run.task) {
            self.new_unless(again);
            return false;
        }
        self.tasks.open.insert(run.task, Open { run: *run, stage_ended: None });
        if let Some(stage) = self.touched(at, at, run) {
            stage.open += 1;
        }
        true
    }

    pub(super) fn task_ended(&mut self, at: Millis, run: &TaskRun, success: bool) -> bool {
        let again = !self.tasks.ended.insert(run.task);
        if !self.new_unless(again) {
            return false;
        }
        let was_open = self.tasks.open.remove(&run.task).is_some();
        if !self.tasks.started.contains(run.task) {
            let same = run.launched == at;
            let spot = if same { Spot::Before(self.number) } else { Spot::Last };
            self.lost.push(run.launched, spot, SparkEvent::TaskStart(*run));
            self.lost.tally.task_starts += 1;
        }
        if let Some(stage) = self.touched(at, run.launched, run) {
            stage.open -= u32::from(was_open).min(stage.open);
            stage.ended(at, run.index, success);
        }
        true
    }

    pub(super) fn resubmitted(&mut self, run: &TaskRun, finished: Millis) -> bool {
        if self.tasks.ended.insert(run.task) {
            let known = self.tasks.open.remove(&run.task).is_some();
            if known {
                let event = SparkEvent::TaskEnd { run: *run, success: true, shuffle: true };
                self.lost.push(finished, Spot::Last, event);
                self.lost.tally.task_ends += 1;
            }
        }
        if let Some(stage) = self.stages.open.get_mut(&run.key) {
            stage.undone(run.index);
        }
        true
    }

    /// A stage has ended well: its tasks that have no end yet may get none.
    pub(super) fn stage_left_tasks(&mut self, at: Millis, key: StageKey, done: &Bits) {
        for open in self.tasks.open.values_mut().filter(|open| open.run.key == key) {
            open.stage_ended = Some((at, !done.contains(open.run.index.into())));
        }
    }

    pub(super) fn finish_tasks(&mut self) {
        let open = std::mem::take(&mut self.tasks.open);
        let mut lost: Vec<_> =
            open.into_values().filter_map(|open| Some((open.run, open.stage_ended?))).collect();
        lost.sort_by_key(|(run, _)| run.task);
        for (run, (at, success)) in lost {
            if self.is_past(at) {
                let at = at.max(run.launched);
                self.lost.push(at, Spot::Last, SparkEvent::TaskEnd { run, success, shuffle: true });
                self.lost.tally.task_ends += 1;
            }
        }
    }
}
