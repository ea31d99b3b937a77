//! Home: where a workflow's input lies.

use super::sets::Set;
use crate::ids::ExecutorId;

/// A set of more tasks lies everywhere.
const MOST_TASKS: usize = 4_096;

/// Where the tasks of a set have finished, whose results or cached partitions later stages read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// How many tasks on which executor, in the order of ids; empty while nothing is known.
    tasks: Vec<(ExecutorId, u32)>,
    /// The set has filled the cache: only another one that does takes its place.
    cached: bool,
}

impl Home {
    pub fn is_known(&self) -> bool {
        !self.tasks.is_empty()
    }

    pub fn tasks_on(&self, id: ExecutorId) -> u32 {
        let place = self.tasks.binary_search_by_key(&id, |&(executor, _)| executor);
        place.map_or(0, |place| self.tasks[place].1)
    }

    /// In the order of ids.
    pub fn executors(&self) -> impl Iterator<Item = ExecutorId> {
        self.tasks.iter().map(|&(executor, _)| executor)
    }

    /// A set is complete.
    pub fn completed(&mut self, set: &Set) {
        if self.cached && !set.fills_cache {
            return;
        }
        self.cached = set.fills_cache;
        self.tasks.clear();
        if set.tasks.len() > MOST_TASKS {
            return;
        }
        self.tasks.extend(set.tasks.iter().filter_map(|task| Some((task.done_on()?, 1))));
        self.tasks.sort_unstable();
        self.tasks.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += u32::from(same);
            same
        });
    }
}
