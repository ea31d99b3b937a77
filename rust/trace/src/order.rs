//! Events in the order of their times.
//!
//! Spark writes events in the order in which its bus carries them: nearly that of their times, since a task's end waits
//! in the queue of the `DAGScheduler` while a user's thread says directly that a SQL execution has begun. Events wait
//! here until one has been read that is [`Order::WINDOW`] later.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::spark_event::{Millis, SparkEvent, Timed};

struct Waiting {
    at: Millis,
    number: u64,
    event: SparkEvent,
}

impl Waiting {
    const fn key(&self) -> (Millis, u64) {
        (self.at, self.number)
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest is the greatest: `BinaryHeap` gives that first.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

/// How late events came that were later than the window allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Late {
    /// How many.
    pub events: u64,
    /// The longest, in milliseconds.
    pub longest: Millis,
}

/// Puts events in order.
#[derive(Default)]
pub struct Order {
    heap: BinaryHeap<Waiting>,
    number: u64,
    latest: Millis,
    given: Millis,
    late: Late,
}

impl Order {
    /// How much later an event may be in the log than its time says, in milliseconds.
    pub const WINDOW: Millis = 10_000;

    /// Takes an event; one without a time happens as soon as it is read, or when the last one did.
    pub fn push(&mut self, timed: Timed) {
        let configures = matches!(
            timed.event,
            SparkEvent::LogStart { .. } | SparkEvent::Environment(_) | SparkEvent::Profile { .. }
        );
        let at = if configures { self.given } else { timed.at.unwrap_or(self.latest) };
        self.latest = self.latest.max(at);
        self.number += 1;
        self.heap.push(Waiting { at, number: self.number, event: timed.event });
    }

    /// Returns the next event, if none can come before it. A later one is never given an earlier time.
    pub fn pop(&mut self) -> Option<(Millis, SparkEvent)> {
        let first = self.heap.peek()?;
        if first.at.saturating_add(Self::WINDOW) > self.latest {
            return None;
        }
        self.drain()
    }

    /// Returns the next event when no more come.
    pub fn drain(&mut self) -> Option<(Millis, SparkEvent)> {
        let Waiting { at, event, .. } = self.heap.pop()?;
        if at < self.given {
            self.late.events += 1;
            self.late.longest = self.late.longest.max(self.given - at);
        }
        self.given = self.given.max(at);
        Some((self.given, event))
    }

    /// Returns what came too late, and was taken to happen when it came.
    pub const fn late(&self) -> Late {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(job: u32, at: Millis) -> Timed {
        Timed { at: Some(at), event: SparkEvent::JobEnd { job } }
    }

    fn jobs(order: &mut Order, all: bool) -> Vec<(Millis, u32)> {
        let mut jobs = Vec::new();
        while let Some((at, event)) = if all { order.drain() } else { order.pop() } {
            let SparkEvent::JobEnd { job } = event else { panic!("{event:?}") };
            jobs.push((at, job));
        }
        jobs
    }

    #[test]
    fn events_within_the_window_come_in_the_order_of_their_times() {
        let mut order = Order::default();
        for (job, at) in [(1, 5_000), (2, 4_000), (3, 5_000), (4, 14_999)] {
            order.push(end(job, at));
        }
        assert_eq!(jobs(&mut order, false), [(4_000, 2)]);
        order.push(end(5, 15_000));
        assert_eq!(jobs(&mut order, false), [(5_000, 1), (5_000, 3)]);
        assert_eq!(jobs(&mut order, true), [(14_999, 4), (15_000, 5)]);
        assert_eq!(order.late(), Late::default());
    }

    #[test]
    fn an_event_that_is_too_late_happens_when_it_comes_and_is_counted() {
        let mut order = Order::default();
        order.push(end(1, 1_000));
        order.push(end(2, 20_000));
        assert_eq!(jobs(&mut order, false), [(1_000, 1)]);
        order.push(end(3, 400));
        assert_eq!(jobs(&mut order, true), [(1_000, 3), (20_000, 2)]);
        assert_eq!(order.late(), Late { events: 1, longest: 600 });
    }

    #[test]
    fn what_has_no_time_happens_when_the_last_one_did() {
        let mut order = Order::default();
        order.push(end(1, 1_000));
        order.push(Timed { at: None, event: SparkEvent::JobEnd { job: 2 } });
        assert_eq!(jobs(&mut order, true), [(1_000, 1), (1_000, 2)]);
    }
}
