//! The event queue: earliest first, events of one time in the order in which they were planned.

use crate::ids::index;
use std::collections::VecDeque;
use std::hint::black_box;
use std::ops::BitXor;

use holdfast_engine::Time;

/// Says which planned event is meant, as long as it has not happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    slot: u32,
    life: u32,
    at: Time,
}

/// An event with all that is to be known of it, since what is elsewhere is far away in memory.
#[derive(Clone, Copy)]
struct Entry<E> {
    at: Time,
    slot: u32,
    event: E,
}

struct Bucket<E> {
    entries: Vec<Entry<E>>,
    /// The least time of those that are not cancelled; without any, [`Time::NEVER`].
    least: Time,
}

/// The last moment at which something happens.
const LAST: Time = Time(u64::MAX - 1);
/// Buckets: one for each bit of a time.
const BITS: usize = u64::BITS as usize;
/// Of so many events at most it is said that they come next: of more than that not all of what they are about would
/// stay in a cache.
const MOST_SOON: usize = 128;

/// Events in the order of (time, planning), in integer time.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, "Faster algorithms for the shortest path problem", J. ACM 37(2),
/// 1990): nothing is planned for a time that is over, so events need only be sorted as far as the time has come.
/// Planning is O(1), an event moves at most once for each bit in which its time differs from that of its planning, and
/// all of that reads and writes memory in a row, which a heap of a large cluster's events does not. Cancelling is O(1)
/// unless it was the first of its bucket: the entry is dropped when its turn comes. No allocation once the queue has
/// been as long as it gets.
pub struct Queue<E> {
    /// Those of the present moment, in the order of planning.
    present: VecDeque<Entry<E>>,
    /// Later ones, by the highest bit in which their time differs from the present. All of a lower bucket come before
    /// all of a higher one, and those of one time are in one bucket, in the order of planning.
    buckets: [Bucket<E>; BITS],
    /// One bit for each bucket that has entries.
    filled: u64,
    /// Time of the event that was taken last.
    now: Time,
    /// Time of the next one.
    next: Option<Time>,
    /// The lives of each slot: an odd number while its event is planned.
    slots: Vec<u32>,
    free: Vec<u32>,
    live: usize,
    /// Entries that were cancelled.
    dead: usize,
    /// Events that come next, and that [`Queue::soon`] has not said yet.
    soon: Vec<E>,
    /// All that is planned for before then has been among them, but for what was planned later.
    said_until: Time,
}

impl Ticket {
    /// Returns when it happens.
    #[must_use]
    pub fn at(&self) -> Time {
        self.at
    }
}

impl<E: Copy> Default for Queue<E> {
    fn default() -> Self {
        Self {
            present: VecDeque::new(),
            buckets: std::array::from_fn(|_| Bucket { entries: Vec::new(), least: Time::NEVER }),
            filled: 0,
            now: Time(0),
            next: None,
            slots: Vec::new(),
            free: Vec::new(),
            live: 0,
            dead: 0,
            soon: Vec::new(),
            said_until: Time(0),
        }
    }
}

impl<E: Copy> Queue<E> {
    /// Plans an event. What is planned for a time before that of the event that was taken last happens at that one.
    pub fn plan(&mut self, at: Time, event: E) -> Ticket {
        let at = at.clamp(self.now, LAST);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(0);
            index(self.slots.len() - 1)
        });
        let life = &mut self.slots[slot as usize];
        *life = life.wrapping_add(1);
        let ticket = Ticket { slot, life: *life, at };
        self.live += 1;
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
        self.put(Entry { at, slot, event });
        ticket
    }

    fn put(&mut self, entry: Entry<E>) {
        match (entry.at.0 ^ self.now.0).checked_ilog2() {
            None => self.present.push_back(entry),
            Some(bit) => {
                let bucket = &mut self.buckets[bit as usize];
                bucket.entries.push(entry);
                bucket.least = bucket.least.min(entry.at);
                self.filled |= 1 << bit;
            }
        }
    }

    /// Returns when the next event happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Time> {
        self.next
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let at = self.next?;
        if at > self.now {
            self.go_to(at);
        }
        // None before the next one is cancelled.
        let Entry { slot, event, .. } = self.present.pop_front()?;
        self.live -= 1;
        self.end_life(slot);
        self.free.push(slot);
        self.look();
        Some((at, event))
    }

    /// Returns events that come next, in no order: each is said once, before its turn comes; some never are.
    pub fn soon(&mut self) -> impl Iterator<Item = E> {
        self.soon.drain(..)
    }

    /// Takes an event back. Whether it was still planned.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let Ticket { slot, life, at } = ticket;
        if self.slots[slot as usize] != life {
            return false;
        }
        self.end_life(slot);
        self.live -= 1;
        self.dead += 1;
        // An entry of a later bucket stays there until the time has come that far.
        if let Some(bit) = (at.0 ^ self.now.0).checked_ilog2()
            && self.buckets[bit as usize].least == at
        {
            let entries = self.buckets[bit as usize].entries.iter();
            let left = entries.filter(|entry| self.is_live(entry.slot)).map(|entry| entry.at);
            let least = left.min().unwrap_or(Time::NEVER);
            self.buckets[bit as usize].least = least;
        }
        if self.next == Some(at) {
            self.look();
        }
        true
    }

    /// Returns how many events are planned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live
    }

    /// Returns whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    fn end_life(&mut self, slot: u32) {
        let life = &mut self.slots[slot as usize];
        *life = life.wrapping_add(1);
    }

    fn is_live(&self, slot: u32) -> bool {
        // Most of the time nothing is cancelled, and slots are far away in memory.
        self.dead == 0 || self.slots[slot as usize] % 2 == 1
    }

    fn drop_dead(&mut self, slot: u32) {
        self.free.push(slot);
        self.dead -= 1;
    }

    /// Moves to the next event's time: it is in the lowest bucket, of which all move down. Nothing is below.
    fn go_to(&mut self, at: Time) {
        self.now = at;
        let lowest = self.filled.trailing_zeros() as usize;
        self.filled &= self.filled - 1;
        let mut entries = std::mem::take(&mut self.buckets[lowest].entries);
        self.buckets[lowest].least = Time::NEVER;
        if cfg!(feature = "read-ahead") && entries.len() <= MOST_SOON && at >= self.said_until {
            self.soon.clear();
            self.soon.extend(entries.iter().map(|entry| entry.event));
            // Each of these would be waited for when its event's turn comes: here they are read together.
            let lives = entries.iter().map(|entry| self.slots[entry.slot as usize]);
            black_box(lives.fold(0, u32::bitxor));
            // The times of a bucket have this bit in common, and all above.
            self.said_until = Time(at.0 | ((1 << lowest) - 1)).after(1);
        }
        for entry in entries.drain(..) {
            if self.is_live(entry.slot) {
                self.put(entry);
            } else {
                self.drop_dead(entry.slot);
            }
        }
        self.buckets[lowest].entries = entries;
    }

    /// Finds the time of the next event. Afterwards cancelled entries are in no place before it.
    fn look(&mut self) {
        while let Some(&Entry { slot, .. }) = self.present.front() {
            if self.is_live(slot) {
                self.next = Some(self.now);
                return;
            }
            self.present.pop_front();
            self.drop_dead(slot);
        }
        self.next = None;
        while self.filled != 0 {
            let lowest = self.filled.trailing_zeros() as usize;
            if self.buckets[lowest].least < Time::NEVER {
                self.next = Some(self.buckets[lowest].least);
                return;
            }
            self.filled &= self.filled - 1;
            while let Some(entry) = self.buckets[lowest].entries.pop() {
                self.drop_dead(entry.slot);
            }
        }
    }
}
