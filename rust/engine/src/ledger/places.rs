//! Home: where tasks have finished, whose output later stages read.

use super::sets::Set;
use crate::api::ids::ExecutorId;
use crate::tables::spares::Buffer;

/// A set of more tasks lies everywhere.
const MOST_TASKS: usize = 4_096;

/// How many tasks have finished on which executor, in the order of ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<(ExecutorId, u32)>);

impl Places {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn tasks_on(&self, id: ExecutorId) -> u32 {
        self.place(id).map_or(0, |place| self.0[place].1)
    }

    /// In the order of ids.
    pub fn executors(&self) -> impl Iterator<Item = ExecutorId> {
        self.0.iter().map(|&(executor, _)| executor)
    }

    /// One from the middle, where a search begins.
    pub fn read_ahead(&self) -> u64 {
        self.0.get(self.0.len() / 2).map_or(0, |&(_, tasks)| tasks.into())
    }

    fn add(&mut self, id: ExecutorId) {
        match self.place(id) {
            Ok(place) => self.0[place].1 += 1,
            Err(place) => self.0.insert(place, (id, 1)),
        }
    }

    fn remove(&mut self, id: ExecutorId) {
        let Ok(place) = self.place(id) else { return };
        self.0[place].1 -= 1;
        if self.0[place].1 == 0 {
            self.0.remove(place);
        }
    }

    fn place(&self, id: ExecutorId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |&(executor, _)| executor)
    }
}

impl Buffer for Places {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl Set {
    /// A task has finished there.
    pub fn finished_on(&mut self, id: ExecutorId) {
        if self.tasks.len() <= MOST_TASKS {
            self.places.add(id);
        }
    }

    /// What the task has left there is gone.
    pub fn lost_on(&mut self, id: ExecutorId) {
        self.places.remove(id);
    }
}

/// What complete sets have left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// Of the last one; empty while nothing is known.
    pub left: Places,
    /// It has filled the cache: only another one that does takes its place.
    pub cached: bool,
}

impl Home {
    /// A set is complete.
    pub fn completed(&mut self, set: &mut Set) {
        if self.cached && !set.fills_cache {
            return;
        }
        self.cached = set.fills_cache;
        std::mem::swap(&mut self.left, &mut set.places);
    }
}
