//! The running median of a stage's task durations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two heaps that meet in the middle: O(log n) to add, O(1) to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Median {
    /// The lower half, as many as the upper one or one more.
    low: BinaryHeap<u64>,
    high: BinaryHeap<Reverse<u64>>,
}

impl Median {
    pub fn add(&mut self, value: u64) {
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

    /// The middle one; the lower of two.
    pub fn get(&self) -> Option<u64> {
        self.low.peek().copied()
    }

    pub fn clear(&mut self) {
        self.low.clear();
        self.high.clear();
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
            all.sort_unstable();
            assert_eq!(median.get(), Some(all[(all.len() - 1) / 2]));
        }
        median.clear();
        assert_eq!(median.get(), None);
    }
}
