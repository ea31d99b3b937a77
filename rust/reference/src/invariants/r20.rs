//! R20: GRASS and its two rules launch nothing of a set whose error bound is met.

use std::collections::BTreeMap;

use holdfast_engine::{Bound, Choice, Event, JobId, SetView, StageId, StageKind, Stragglers};

use super::Step;

/// The share that may be missing of each stage, in millionths, where that bounds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Errors(BTreeMap<(JobId, StageId), u64>);

impl Errors {
    fn learn(&mut self, event: &Event) {
        match *event {
            Event::StageBounded { job, stage, bound: Bound::Error, value } => {
                self.0.insert((job, stage), u64::from(value.min(1_000_000)));
            }
            Event::StageBounded { job, stage, bound: Bound::Deadline, .. } => {
                self.0.remove(&(job, stage));
            }
            Event::JobEnded { job, .. } => self.0.retain(|(j, _), _| *j != job),
            _ => {}
        }
    }

    /// Whether no more tasks are missing than may be.
    fn is_met(&self, set: &SetView) -> bool {
        let missing = u64::from(set.unfinished) * 1_000_000;
        let share = self.0.get(&(set.job, set.stage));
        share.is_some_and(|share| missing <= share * u64::from(set.tasks))
    }
}

pub(super) fn check(errors: &mut Errors, step: &Step) -> Result<(), String> {
    if step.result.is_ok() {
        errors.learn(step.event);
    }
    if !matches!(step.stragglers, Stragglers::Grass | Stragglers::Gs | Stragglers::Ras) {
        return Ok(());
    }
    for set in step.after.sets.iter().filter(|set| !set.zombie && errors.is_met(set)) {
        let together = step.kinds.get(&set.id) == Some(&StageKind::Barrier);
        let mut asks = step.after.asks.iter().filter(|ask| ask.set == set.id && !together);
        if let Some(ask) = asks.find(|ask| ask.pick != Choice::Nothing || ask.copy.is_some()) {
            return Err(format!("{set:?} has enough, and launches: {ask:?}"));
        }
    }
    Ok(())
}
