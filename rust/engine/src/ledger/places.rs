//! Home: where tasks have finished, whose output later stages read.

use crate::api::ids::ExecutorId;
use crate::tables::spares::Buffer;

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

    pub fn add(&mut self, id: ExecutorId) {
        match self.place(id) {
            Ok(place) => self.0[place].1 += 1,
            Err(place) => self.0.insert(place, (id, 1)),
        }
    }

    pub fn remove(&mut self, id: ExecutorId) {
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
    pub fn completed(&mut self, places: &mut Places, fills_cache: bool) {
        if self.cached && !fills_cache {
            return;
        }
        self.cached = fills_cache;
        std::mem::swap(&mut self.left, places);
    }
}
