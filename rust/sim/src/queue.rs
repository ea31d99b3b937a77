//! The event queue: earliest first, events of one time in the order in which they were planned.

use std::collections::VecDeque;

use holdfast_engine::Time;

/// Children of a node: a wide heap is low, and four entries of 16 bytes are one cache line.
const ARITY: usize = 4;
/// The low bits of a key name the event's slot: so many events may be planned at once.
const SLOT_BITS: u32 = 24;
const SLOT_MASK: u64 = (1 << SLOT_BITS) - 1;
/// So many cancelled entries may stay in the heap whatever its size.
const FEW: usize = 64;

/// Says which planned event is meant, as long as it has not happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    slot: u32,
    generation: u32,
}

/// Time, number of planning, slot, from the high bits on: a total order, since numbers are unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

impl Entry {
    fn new(at: Time, number: u64, slot: u32) -> Self {
        Self(u128::from(at.0) << 64 | u128::from(number << SLOT_BITS | u64::from(slot)))
    }

    fn at(self) -> Time {
        Time((self.0 >> 64) as u64)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the low bits")]
    fn slot(self) -> u32 {
        (self.0 as u64 & SLOT_MASK) as u32
    }
}

struct Slot<E> {
    event: E,
    generation: u32,
    live: bool,
    soon: bool,
}

/// Events in the order of (time, planning), in integer time.
///
/// Planning and taking the next are O(log n), and O(1) for what is planned for the time that it is. Cancelling is O(1): the
/// entry is skipped when its turn comes, and the heap is rebuilt when most of it is cancelled. No allocation once the
/// queue has been as long as it gets.
pub struct Queue<E> {
    heap: Vec<Entry>,
    /// Planned for `soon_at` when that was the time: whatever the heap has for it was planned before.
    soon: VecDeque<u32>,
    soon_at: Time,
    /// Time of the event that was taken last.
    now: Time,
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    planned: u64,
    live: usize,
    /// Entries of the heap that were cancelled.
    dead: usize,
}

impl<E: Copy> Default for Queue<E> {
    fn default() -> Self {
        Self {
            heap: Vec::new(),
            soon: VecDeque::new(),
            soon_at: Time(0),
            now: Time(0),
            slots: Vec::new(),
            free: Vec::new(),
            planned: 0,
            live: 0,
            dead: 0,
        }
    }
}

impl<E: Copy> Queue<E> {
    /// Plans an event.
    ///
    /// # Panics
    /// With more than 2^24 events planned at once, or 2^40 in all.
    pub fn plan(&mut self, at: Time, event: E) -> Ticket {
        let slot = self.free.pop().unwrap_or_else(|| self.grow(event));
        let soon = if self.soon.is_empty() { at == self.now } else { at == self.soon_at };
        let reused = &mut self.slots[slot as usize];
        reused.event = event;
        reused.live = true;
        reused.soon = soon;
        let generation = reused.generation;
        self.live += 1;
        if soon {
            self.soon_at = at;
            self.soon.push_back(slot);
        } else {
            assert!(self.planned < 1 << (64 - SLOT_BITS), "too many events");
            self.heap.push(Entry::new(at, self.planned, slot));
            self.planned += 1;
            self.rise(self.heap.len() - 1);
        }
        Ticket { slot, generation }
    }

    fn grow(&mut self, event: E) -> u32 {
        let slot = self.slots.len();
        assert!(slot < 1 << SLOT_BITS, "too many events at once");
        self.slots.push(Slot { event, generation: 0, live: false, soon: false });
        u32::try_from(slot).unwrap_or(u32::MAX)
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Time> {
        let first = self.heap.first().map(|e| e.at());
        if self.soon.is_empty() || first.is_some_and(|at| at < self.soon_at) {
            first
        } else {
            Some(self.soon_at)
        }
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let from_heap = self.heap.first().is_some_and(|e| e.at() <= self.soon_at);
        let (at, slot) = if self.soon.is_empty() || from_heap {
            let first = self.take_first()?;
            (first.at(), first.slot())
        } else {
            (self.soon_at, self.soon.pop_front()?)
        };
        self.now = at;
        self.live -= 1;
        let event = self.release(slot);
        self.drop_dead();
        Some((at, event))
    }

    /// Takes an event back; `None` if it has happened or was taken back before.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<E> {
        let slot = &mut self.slots[ticket.slot as usize];
        if slot.generation != ticket.generation || !slot.live {
            return None;
        }
        slot.live = false;
        let (event, soon) = (slot.event, slot.soon);
        self.live -= 1;
        self.dead += usize::from(!soon);
        if self.dead > FEW && self.dead * 2 > self.heap.len() {
            self.rebuild();
        }
        self.drop_dead();
        Some(event)
    }

    /// How many events are planned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The first entries are never cancelled ones.
    fn drop_dead(&mut self) {
        while self.dead > 0
            && let Some(&first) = self.heap.first()
            && !self.slots[first.slot() as usize].live
        {
            self.take_first();
            self.release(first.slot());
            self.dead -= 1;
        }
        while let Some(&slot) = self.soon.front()
            && !self.slots[slot as usize].live
        {
            self.soon.pop_front();
            self.release(slot);
        }
    }

    fn release(&mut self, number: u32) -> E {
        let slot = &mut self.slots[number as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.live = false;
        self.free.push(number);
        slot.event
    }

    fn rebuild(&mut self) {
        let mut heap = std::mem::take(&mut self.heap);
        heap.retain(|&entry| {
            let live = self.slots[entry.slot() as usize].live;
            if !live {
                self.release(entry.slot());
            }
            live
        });
        // A sorted vector is a heap.
        heap.sort_unstable();
        self.heap = heap;
        self.dead = 0;
    }

    fn take_first(&mut self) -> Option<Entry> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else { return Some(last) };
        self.sink(last);
        Some(first)
    }

    fn rise(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.heap[parent] <= entry {
                break;
            }
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = entry;
    }

    /// Puts an entry into the place of the first one, or below.
    fn sink(&mut self, entry: Entry) {
        let mut place = 0;
        loop {
            let first = place * ARITY + 1;
            let Some(children) = self.heap.get(first..) else { break };
            let Some((&one, others)) = children.split_first() else { break };
            let (mut least, mut best) = (one, first);
            for (i, &other) in (first + 1..).zip(others.iter().take(ARITY - 1)) {
                if other < least {
                    (least, best) = (other, i);
                }
            }
            if entry <= least {
                break;
            }
            self.heap[place] = least;
            place = best;
        }
        self.heap[place] = entry;
    }
}
