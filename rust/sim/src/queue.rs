//! The event queue: earliest first, events of one time in the order in which they were planned.

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

/// Time, then number of planning: a total order. The slot in the low bits decides nothing, numbers are unique.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    at: Time,
    key: u64,
}

struct Slot<E> {
    event: E,
    generation: u32,
    live: bool,
}

/// Events in the order of (time, planning), in integer time.
///
/// Planning and taking the next are O(log n). Cancelling is O(1): the entry is skipped when its turn comes, and the heap
/// is rebuilt when most of it is cancelled. No allocation once the queue has been as long as it gets.
pub struct Queue<E> {
    heap: Vec<Entry>,
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    planned: u64,
    dead: usize,
}

impl<E: Copy> Default for Queue<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), slots: Vec::new(), free: Vec::new(), planned: 0, dead: 0 }
    }
}

impl<E: Copy> Queue<E> {
    /// Plans an event.
    ///
    /// # Panics
    /// With more than 2^24 events planned at once, or 2^40 in all.
    pub fn plan(&mut self, at: Time, event: E) -> Ticket {
        let slot = self.free.pop().unwrap_or_else(|| self.grow(event));
        let reused = &mut self.slots[slot as usize];
        reused.event = event;
        reused.live = true;
        let generation = reused.generation;
        assert!(self.planned < 1 << (64 - SLOT_BITS), "too many events");
        self.heap.push(Entry { at, key: self.planned << SLOT_BITS | u64::from(slot) });
        self.planned += 1;
        self.rise(self.heap.len() - 1);
        Ticket { slot, generation }
    }

    fn grow(&mut self, event: E) -> u32 {
        let slot = self.slots.len();
        assert!(slot < 1 << SLOT_BITS, "too many events at once");
        self.slots.push(Slot { event, generation: 0, live: false });
        u32::try_from(slot).unwrap_or(u32::MAX)
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Time> {
        self.heap.first().map(|e| e.at)
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let first = self.take_first()?;
        let event = self.release(first);
        self.drop_dead();
        Some((first.at, event))
    }

    /// Takes an event back; `None` if it has happened or was taken back before.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<E> {
        let slot = &mut self.slots[ticket.slot as usize];
        if slot.generation != ticket.generation || !slot.live {
            return None;
        }
        slot.live = false;
        let event = slot.event;
        self.dead += 1;
        if self.dead > FEW && self.dead * 2 > self.heap.len() {
            self.rebuild();
        }
        self.drop_dead();
        Some(event)
    }

    /// How many events are planned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len() - self.dead
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn is_live(&self, entry: Entry) -> bool {
        self.slots[slot_of(entry)].live
    }

    /// The first entry is never a cancelled one.
    fn drop_dead(&mut self) {
        while let Some(&first) = self.heap.first()
            && !self.is_live(first)
        {
            self.take_first();
            self.release(first);
            self.dead -= 1;
        }
    }

    fn release(&mut self, entry: Entry) -> E {
        let slot = &mut self.slots[slot_of(entry)];
        slot.generation = slot.generation.wrapping_add(1);
        slot.live = false;
        self.free.push(u32::try_from(slot_of(entry)).unwrap_or(u32::MAX));
        slot.event
    }

    fn rebuild(&mut self) {
        let mut heap = std::mem::take(&mut self.heap);
        heap.retain(|&entry| {
            let live = self.is_live(entry);
            if !live {
                self.release(entry);
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
            let Some(children) = self.heap.get(first..(first + ARITY).min(self.heap.len())) else {
                break;
            };
            let Some((offset, &least)) = children.iter().enumerate().min_by_key(|&(_, e)| *e)
            else {
                break;
            };
            if entry <= least {
                break;
            }
            self.heap[place] = least;
            place = first + offset;
        }
        self.heap[place] = entry;
    }
}

fn slot_of(entry: Entry) -> usize {
    (entry.key & SLOT_MASK) as usize
}
