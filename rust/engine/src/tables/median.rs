//! What is kept of task durations: a running median, and the longest of late.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two heaps that meet in the middle: O(log n) to add, O(1) to read. Of most sets nobody asks for it: what is added waits
/// in a list for whoever does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Median {
    /// The lower half, as many as the upper one or one more.
    low: BinaryHeap<u64>,
    high: BinaryHeap<Reverse<u64>>,
    added: Vec<u64>,
}

impl Median {
    pub fn add(&mut self, value: u64) {
        self.added.push(value);
    }

    /// To be called before the median is asked for.
    pub fn catch_up(&mut self) {
        while let Some(value) = self.added.pop() {
            self.sort_in(value);
        }
    }

    fn sort_in(&mut self, value: u64) {
        if self.get().is_some_and(|median| value > median) {
            self.high.push(Reverse(value));
        } else {
            self.low.push(value);
        }
        if self.high.len() > self.low.len() {
            self.low.extend(self.high.pop().map(|Reverse(value)| value));
        } else if self.low.len() > self.high.len() + 1 {
            self.high.extend(self.low.pop().map(Reverse));
        }
    }

    /// The middle one of those that were caught up with; the lower of two.
    pub fn get(&self) -> Option<u64> {
        self.low.peek().copied()
    }

    pub fn clear(&mut self) {
        self.low.clear();
        self.high.clear();
        self.added.clear();
    }

    /// Of the largest of its lists.
    pub fn capacity(&self) -> usize {
        self.low.capacity().max(self.high.capacity()).max(self.added.capacity())
    }
}

/// After how many tasks the longest of them begins to be forgotten.
const WINDOW: u32 = 64;

/// The longest of the last 64 to 128 tasks of rivals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Longest {
    older: Option<u64>,
    newer: Option<u64>,
    tasks: u32,
}

impl Longest {
    /// `None` while none has ended.
    pub fn get(self) -> Option<u64> {
        self.older.max(self.newer)
    }

    pub fn add(&mut self, nanos: u64) {
        self.newer = self.newer.max(Some(nanos));
        self.tasks += 1;
        if self.tasks == WINDOW {
            *self = Self { older: self.newer, newer: None, tasks: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_middle_of_what_was_added() {
        let (mut median, mut all) = (Median::default(), Vec::new());
        assert_eq!(median.get(), None);
        for i in 0..200_u64 {
            let value = (i * 7_919) % 101;
            median.add(value);
            all.push(value);
            if i % 3 > 0 {
                continue;
            }
            median.catch_up();
            all.sort_unstable();
            assert_eq!(median.get(), Some(all[(all.len() - 1) / 2]));
        }
        median.clear();
        assert_eq!(median.get(), None);
    }

    #[test]
    fn the_longest_is_forgotten_after_a_window() {
        let mut longest = Longest::default();
        assert_eq!(longest.get(), None);
        longest.add(9);
        (0..126).for_each(|_| longest.add(1));
        assert_eq!(longest.get(), Some(9));
        longest.add(1);
        assert_eq!(longest.get(), Some(1));
    }
}
