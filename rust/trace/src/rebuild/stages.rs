//! Stages: an end tells when its stage began; without one, the first and the last task do.

use rustc_hash::FxHashMap;

use super::{Ledger, Spot};
use crate::bits::Bits;
use crate::spark_event::{Millis, SparkEvent, StageInfo, StageKey, TaskRun};

/// A stage attempt that has not ended.
#[derive(Default)]
pub(super) struct Open {
    /// How many tasks it has; none before its submission.
    tasks: Option<u32>,
    /// The first event that depends on it: time and number.
    first: Option<(Millis, u64)>,
    launched: Option<Millis>,
    /// More than the largest index of its tasks.
    width: u32,
    done: Bits,
    done_count: u32,
    last_end: Option<Millis>,
    /// Tasks of it that run.
    pub(super) open: u32,
    /// When its job ended.
    pub(super) over: Option<Millis>,
}

impl Open {
    pub(super) fn ended(&mut self, at: Millis, index: u32, success: bool) {
        self.last_end = self.last_end.max(Some(at));
        self.done_count += u32::from(success && self.done.insert(index.into()));
    }

    pub(super) fn undone(&mut self, index: u32) {
        self.done_count -= u32::from(self.done.remove(index.into()));
    }

    fn is_done(&self) -> bool {
        self.done_count > 0 && self.done_count >= self.tasks.unwrap_or(self.width)
    }
}

#[derive(Default)]
pub(super) struct Stages {
    submitted: Bits,
    completed: Bits,
    pub(super) open: FxHashMap<StageKey, Open>,
}

/// Attempts are few.
fn bit(key: StageKey) -> u64 {
    u64::from(key.stage) << 16 | u64::from(key.attempt & 0xffff)
}

impl Ledger {
    /// Returns an event of a task tells of its stage, unless that has ended.
    pub(super) fn touched(
        &mut self,
        at: Millis,
        launched: Millis,
        run: &TaskRun,
    ) -> Option<&mut Open> {
        if self.stages.completed.contains(bit(run.key)) {
            return None;
        }
        let number = self.number;
        let stage = self.stages.open.entry(run.key).or_default();
        stage.first.get_or_insert((at, number));
        stage.launched = Some(stage.launched.map_or(launched, |before| before.min(launched)));
        stage.width = stage.width.max(run.index.saturating_add(1));
        Some(stage)
    }

    pub(super) fn stage_submitted(&mut self, at: Millis, info: &StageInfo) -> bool {
        let again = !self.stages.submitted.insert(bit(info.key));
        if again || self.stages.completed.contains(bit(info.key)) {
            self.new_unless(again);
            return false;
        }
        self.stages.open.entry(info.key).or_default().tasks = Some(info.tasks);
        self.orphan(at, Spot::Before(self.number), info);
        true
    }

    pub(super) fn stage_completed(
        &mut self,
        at: Millis,
        info: &StageInfo,
        submitted: Option<Millis>,
        success: bool,
    ) -> bool {
        let key = info.key;
        let again = !self.stages.completed.insert(bit(key));
        if !self.new_unless(again) {
            return false;
        }
        let stage = self.stages.open.remove(&key).unwrap_or_default();
        if let (None, Some(began)) = (stage.tasks, submitted) {
            let began = began.min(at);
            let spot = match stage.first {
                Some((first, number)) if first == began => Spot::Before(number),
                _ if began == at => Spot::Before(self.number),
                _ => Spot::Last,
            };
            self.lost.push(began, spot, SparkEvent::StageSubmitted(Box::new(info.clone())));
            self.lost.tally.stage_begins += 1;
            self.orphan(began, spot, info);
        }
        if success && stage.open > 0 {
            self.stage_left_tasks(at, key, &stage.done);
        }
        self.stage_over(at, key.stage, success);
        true
    }

    /// Stages that have no end, or neither.
    pub(super) fn finish_stages(&mut self) {
        let open = std::mem::take(&mut self.stages.open);
        let mut open: Vec<_> = open.into_iter().collect();
        open.sort_by_key(|(key, _)| *key);
        for (key, stage) in open {
            let info = StageInfo {
                key,
                tasks: stage.tasks.unwrap_or(stage.width),
                profile: 0,
                rdds: Vec::new(),
                parents: Vec::new(),
                barrier: false,
                names: None,
            };
            if let (None, Some(launched)) = (stage.tasks, stage.launched) {
                let same = stage.first.filter(|(at, _)| *at == launched);
                let spot = same.map_or(Spot::Last, |(_, number)| Spot::Before(number));
                self.lost.push(launched, spot, SparkEvent::StageSubmitted(Box::new(info.clone())));
                self.lost.tally.stage_begins_guessed += 1;
                self.orphan(launched, spot, &info);
            }
            let ended = stage.last_end.filter(|_| stage.is_done()).or(stage.over);
            let Some(at) = ended.filter(|at| self.is_past(*at)) else {
                self.still_open(key.stage);
                continue;
            };
            let (info, submitted, success) = (Box::new(info), None, stage.is_done());
            let event = SparkEvent::StageCompleted { info, submitted, success };
            self.lost.push(at, Spot::Last, event);
            self.lost.tally.stage_ends += 1;
            self.stage_over(at, key.stage, success);
            if success && stage.open > 0 {
                self.stage_left_tasks(at, key, &stage.done);
            }
        }
    }
}
