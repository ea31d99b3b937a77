//! The offers of one round, in their order, sorted only as far as a round looks.

use crate::cluster::executors::Cluster;
use crate::ids::index;
use crate::world::draw::Shuffle;

/// Places that a look for the next executor with room may cost on average, before all are sorted instead.
const SPARSE: usize = 8;

/// The offers of a round: one executor's, or all with room.
#[derive(Debug)]
pub struct Offers {
    /// Offers of all executors (`isAllFreeResources`).
    pub all: bool,
    /// The only one.
    single: Option<u32>,
    shuffle: Shuffle,
    /// Executors in order, as far as it is known.
    order: Vec<u32>,
    /// Few have room, and none was looked at: sorting them is cheaper than looking for them.
    unsorted: bool,
    /// Places and executors, for sorting.
    sorted: Vec<(u32, u32)>,
    /// From which place on it is not; beyond the last place: all of it is known.
    next: u32,
    /// The executors before have no room any more.
    first: usize,
}

impl Default for Offers {
    fn default() -> Self {
        let shuffle = Shuffle::sorted(0);
        Self {
            all: false,
            single: None,
            shuffle,
            order: Vec::new(),
            unsorted: false,
            sorted: Vec::new(),
            next: u32::MAX,
            first: 0,
        }
    }
}

impl Offers {
    /// Begins a round of one executor's offer.
    pub fn begin_single(&mut self, executor: u32) {
        self.all = false;
        self.single = Some(executor);
        self.first = 0;
        self.unsorted = false;
        self.order.clear();
        self.order.push(executor);
        self.next = u32::MAX;
    }

    /// Begins a round of all executors' offers.
    pub fn begin_all(&mut self, shuffle: Shuffle, cluster: &Cluster) {
        self.all = true;
        self.single = None;
        self.first = 0;
        self.shuffle = shuffle;
        self.order.clear();
        self.next = 0;
        let free = cluster.free.len();
        self.unsorted = free * free < SPARSE * cluster.executors.len();
    }

    fn sort(&mut self, cluster: &Cluster) {
        self.sorted.clear();
        self.sorted.extend(cluster.free.iter().map(|&e| (self.shuffle.place(e), e)));
        self.sorted.sort_unstable();
        self.order.extend(self.sorted.iter().map(|&(_, executor)| executor));
        self.next = u32::MAX;
        self.unsorted = false;
    }

    /// Returns the only executor, if there is only one.
    #[must_use]
    pub fn single(&self) -> Option<u32> {
        self.single
    }

    /// Returns the place of an executor in the order.
    #[must_use]
    pub fn place(&self, executor: u32) -> u32 {
        if self.single.is_some() { 0 } else { self.shuffle.place(executor) }
    }

    /// Returns the number of the first offer with something left.
    pub fn first(&mut self, cluster: &Cluster) -> usize {
        while let Some(executor) = self.get(self.first, cluster)
            && !cluster.has_room(executor)
        {
            self.first += 1;
        }
        self.first
    }

    /// Returns the first offer behind a place, or of all, of an executor that has room: its place, and its executor.
    pub fn behind(&mut self, place: Option<u32>, cluster: &Cluster) -> Option<(u32, u32)> {
        if self.unsorted {
            self.sort(cluster);
        }
        let from = place.map_or(0, |place| place + 1);
        let known = match place {
            Some(_) => self.order.partition_point(|&executor| self.place(executor) < from),
            None => self.first.min(self.order.len()),
        };
        let with_room = |&&executor: &&u32| cluster.has_room(executor);
        if let Some(&executor) = self.order[known..].iter().find(with_room) {
            return Some((self.place(executor), executor));
        }
        if from <= self.next {
            let executor = self.get(self.order.len(), cluster)?;
            return Some((self.place(executor), executor));
        }
        // Not noted, since those in between are not known.
        let mut unknown = (from..self.places(cluster)).map(|p| (p, self.shuffle.executor(p)));
        unknown.find(|&(_, executor)| is_there(cluster, executor))
    }

    fn places(&self, cluster: &Cluster) -> u32 {
        self.shuffle.places().max(index(cluster.executors.len()))
    }

    /// Returns the executor of an offer, by number; `None` after the last one. It had room when the round began or
    /// later.
    pub fn get(&mut self, number: usize, cluster: &Cluster) -> Option<u32> {
        if self.unsorted {
            self.sort(cluster);
        }
        while self.order.len() <= number {
            if self.next >= self.places(cluster) {
                return None;
            }
            let executor = self.shuffle.executor(self.next);
            self.next += 1;
            if is_there(cluster, executor) {
                self.order.push(executor);
            }
        }
        Some(self.order[number])
    }
}

/// Returns whether an executor has that number, and room.
fn is_there(cluster: &Cluster, executor: u32) -> bool {
    (executor as usize) < cluster.executors.len() && cluster.has_room(executor)
}
