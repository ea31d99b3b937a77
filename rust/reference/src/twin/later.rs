//! How long jobs went on after their bounded stage: deadlines of such with later stages are sooner by that (GR-7).

use holdfast_engine::{JobId, SetId, StageKind};

use super::Reference;
use super::samples::bin;
use super::state::Set;

/// So many jobs of a size count.
const MOST: usize = 32;

impl Reference {
    /// A set is about to launch nothing any more.
    pub(super) fn later_stages_begin(&mut self, id: SetId) {
        let Some(set) = self.sets.get(&id).filter(|set| !set.zombie) else { return };
        let bounded = self.races.bounds.contains_key(&(set.job, set.stage));
        if self.races() && bounded && set.kind != StageKind::Barrier && set.next > 0 {
            self.races.after.insert(set.job, (set.tasks, self.now));
        }
    }

    /// A job has ended.
    pub(super) fn later_stages_end(&mut self, job: JobId, succeeded: bool) {
        let Some((tasks, since)) = self.races.after.remove(&job) else { return };
        if succeeded {
            self.races.later.push((bin(tasks), self.now.since(since)));
        }
    }

    /// For how long the job of a set will go on after it.
    pub(super) fn expected_later(&self, set: &Set) -> u64 {
        if set.next == 0 {
            return 0;
        }
        let of = self.races.later.iter().rev().filter(|(other, _)| *other == bin(set.tasks));
        let mut latest: Vec<u64> = of.take(MOST).map(|(_, took)| *took).collect();
        latest.sort_unstable();
        latest.get(latest.len().saturating_sub(1) / 2).copied().unwrap_or(0)
    }
}
