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
        let last = self.entries.len() - 1;
        self.places[key.place()] = short(last);
        self.up(last);
    }

    pub fn remove(&mut self, key: K) {
        let place = self.place(key);
        self.entries.swap_remove(place);
        if let Some(&(_, moved)) = self.entries.get(place) {
            self.places[moved.place()] = short(place);
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
        let place = self.up(place);
        self.down(place);
    }

    #[inline]
    fn up(&mut self, mut place: usize) -> usize {
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.entries[parent].0 <= self.entries[place].0 {
                break;
            }
            self.swap(parent, place);
            place = parent;
        }
        place
    }

    #[inline]
    fn down(&mut self, mut place: usize) {
        loop {
            let left = 2 * place + 1;
            let Some(first) = self.entries.get(left) else { break };
            let right = self.entries.get(left + 1);
            let child = if right.is_some_and(|r| r.0 < first.0) { left + 1 } else { left };
            if self.entries[place].0 <= self.entries[child].0 {
                break;
            }
            self.swap(place, child);
            place = child;
        }
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.entries.swap(a, b);
        self.places[self.entries[a].1.place()] = short(a);
        self.places[self.entries[b].1.place()] = short(b);
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
