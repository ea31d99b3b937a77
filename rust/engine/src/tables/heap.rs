//! An indexed binary heap of hold keys by (deadline, id): O(log n) removal of any entry.

use crate::api::ids::{HoldId, Time};

pub(crate) type Key = (Time, HoldId);

#[derive(Clone, Debug, Default)]
pub(crate) struct DeadlineHeap {
    /// `(deadline, id, slab key of the hold)`.
    entries: Vec<(Key, usize)>,
    /// Place in `entries` of each slab key.
    places: Vec<usize>,
}

impl DeadlineHeap {
    pub fn peek(&self) -> Option<(Time, usize)> {
        self.entries.first().map(|&((time, _), hold)| (time, hold))
    }

    pub fn push(&mut self, key: Key, hold: usize) {
        if self.places.len() <= hold {
            self.places.resize(hold + 1, usize::MAX);
        }
        self.entries.push((key, hold));
        self.places[hold] = self.entries.len() - 1;
        self.up(self.entries.len() - 1);
    }

    pub fn remove(&mut self, hold: usize) {
        let place = self.places[hold];
        self.entries.swap_remove(place);
        if let Some(&(_, moved)) = self.entries.get(place) {
            self.places[moved] = place;
            self.settle(place);
        }
    }

    pub fn update(&mut self, key: Key, hold: usize) {
        let place = self.places[hold];
        self.entries[place].0 = key;
        self.settle(place);
    }

    fn settle(&mut self, place: usize) {
        let place = self.up(place);
        self.down(place);
    }

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

    fn swap(&mut self, a: usize, b: usize) {
        self.entries.swap(a, b);
        self.places[self.entries[a].1] = a;
        self.places[self.entries[b].1] = b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_order_after_arbitrary_removals_and_updates() {
        let mut heap = DeadlineHeap::default();
        let key = |i: usize| (Time((i as u64 * 7919) % 101), HoldId(u32::try_from(i).unwrap()));
        (0..64).for_each(|i| heap.push(key(i), i));
        (0..64).step_by(3).for_each(|i| heap.remove(i));
        (1..64).step_by(3).for_each(|i| heap.update((Time(500 - i as u64), key(i).1), i));
        let mut popped = Vec::new();
        while let Some((time, hold)) = heap.peek() {
            heap.remove(hold);
            popped.push(time);
        }
        assert_eq!(popped.len(), 42);
        assert!(popped.is_sorted());
    }
}
