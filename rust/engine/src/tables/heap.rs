//! An indexed binary heap: O(log n) removal of any entry.

use super::arena::Key;
use crate::api::ids::short;

/// Keys of a table by a rank of theirs, the least first.
#[derive(Clone, Debug)]
pub(crate) struct Heap<R, K> {
    entries: Vec<(R, K)>,
    /// Place in `entries` of each key.
    places: Vec<u32>,
}

impl<R, K> Default for Heap<R, K> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: Vec::new() }
    }
}

impl<R: Ord + Copy, K: Key> Heap<R, K> {
    pub fn peek(&self) -> Option<(R, K)> {
        self.entries.first().copied()
    }

    pub fn push(&mut self, rank: R, key: K) {
        if self.places.len() <= key.place() {
            self.places.resize(key.place() + 1, u32::MAX);
        }
        self.entries.push((rank, key));
        self.up(self.entries.len() - 1);
    }

    pub fn remove(&mut self, key: K) {
        let place = self.place(key);
        self.entries.swap_remove(place);
        if place < self.entries.len() {
            self.settle(place);
        }
    }

    pub fn update(&mut self, rank: R, key: K) {
        let place = self.place(key);
        self.entries[place].0 = rank;
        self.settle(place);
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        self.places[key.place()] as usize
    }

    #[inline]
    fn settle(&mut self, place: usize) {
        if self.up(place) == place {
            self.down(place);
        }
    }

    /// Moves the entry at `place` up to where it belongs, and returns where that is.
    #[inline]
    fn up(&mut self, mut place: usize) -> usize {
        let entry = self.entries[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.entries[parent].0 <= entry.0 {
                break;
            }
            self.put(place, self.entries[parent]);
            place = parent;
        }
        self.put(place, entry);
        place
    }

    /// Moves the entry at `place` down to where it belongs.
    #[inline]
    fn down(&mut self, mut place: usize) {
        let entry = self.entries[place];
        loop {
            let left = 2 * place + 1;
            let Some(first) = self.entries.get(left) else { break };
            let right = self.entries.get(left + 1);
            let (child, least) =
                right.filter(|r| r.0 < first.0).map_or((left, first), |right| (left + 1, right));
            if entry.0 <= least.0 {
                break;
            }
            self.put(place, *least);
            place = child;
        }
        self.put(place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: (R, K)) {
        self.entries[place] = entry;
        self.places[entry.1.place()] = short(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ids::Time;
    use crate::tables::arena::key;

    key!(
        /// Of a test.
        TestKey
    );

    #[test]
    fn pops_in_order_after_arbitrary_removals_and_updates() {
        let mut heap = Heap::default();
        let key = TestKey::of;
        let rank = |i: usize| (Time((i as u64 * 7919) % 101), i);
        (0..64).for_each(|i| heap.push(rank(i), key(i)));
        (0..64).step_by(3).for_each(|i| heap.remove(key(i)));
        (1..64).step_by(3).for_each(|i| heap.update((Time(500 - i as u64), i), key(i)));
        let mut popped = Vec::new();
        while let Some(((time, _), hold)) = heap.peek() {
            heap.remove(hold);
            popped.push(time);
        }
        assert_eq!(popped.len(), 42);
        assert!(popped.is_sorted());
    }
}
