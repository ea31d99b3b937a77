//! The event queue: earliest first, events of one time in the order in which they were planned.

use holdfast_engine::Time;

/// Children of a node: a wider heap is lower, and a pop's comparisons are in one cache line.
const ARITY: usize = 4;

/// Says which planned event is meant, as long as it has not happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    slot: u32,
    generation: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    at: Time,
    number: u64,
    slot: u32,
}

impl Entry {
    fn before(&self, other: &Self) -> bool {
        (self.at, self.number) < (other.at, other.number)
    }
}

/// Where an event is: its place in the heap while it is planned.
struct Slot<E> {
    place: u32,
    generation: u32,
    event: E,
}

/// Events in the order of (time, planning). Planning, cancelling and taking the next are O(log n).
pub struct Queue<E> {
    heap: Vec<Entry>,
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    planned: u64,
}

impl<E: Copy> Default for Queue<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), slots: Vec::new(), free: Vec::new(), planned: 0 }
    }
}

impl<E: Copy> Queue<E> {
    /// Plans an event.
    ///
    /// # Panics
    /// With more than 2^32 events planned at once.
    pub fn plan(&mut self, at: Time, event: E) -> Ticket {
        let place = index(self.heap.len());
        let slot = match self.free.pop() {
            Some(slot) => {
                let reused = &mut self.slots[slot as usize];
                reused.place = place;
                reused.event = event;
                slot
            }
            None => {
                self.slots.push(Slot { place, generation: 0, event });
                index(self.slots.len() - 1)
            }
        };
        self.heap.push(Entry { at, number: self.planned, slot });
        self.planned += 1;
        self.rise(self.heap.len() - 1);
        Ticket { slot, generation: self.slots[slot as usize].generation }
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_at(&self) -> Option<Time> {
        self.heap.first().map(|e| e.at)
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let first = *self.heap.first()?;
        Some((first.at, self.remove(0)))
    }

    /// Takes an event back; none if it has happened or was taken back before.
    pub fn cancel(&mut self, ticket: Ticket) -> Option<E> {
        let slot = &self.slots[ticket.slot as usize];
        if slot.generation != ticket.generation {
            return None;
        }
        Some(self.remove(slot.place as usize))
    }

    /// How many events are planned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    fn remove(&mut self, place: usize) -> E {
        let gone = self.heap.swap_remove(place);
        if place < self.heap.len() {
            self.put(place);
            self.rise(place);
            self.sink(place);
        }
        let slot = &mut self.slots[gone.slot as usize];
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(gone.slot);
        slot.event
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !self.heap[place].before(&self.heap[parent]) {
                break;
            }
            self.heap.swap(place, parent);
            self.put(place);
            place = parent;
        }
        self.put(place);
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let first = place * ARITY + 1;
            let children = first..(first + ARITY).min(self.heap.len());
            let Some(least) = children.min_by_key(|&c| (self.heap[c].at, self.heap[c].number))
            else {
                break;
            };
            if !self.heap[least].before(&self.heap[place]) {
                break;
            }
            self.heap.swap(place, least);
            self.put(place);
            place = least;
        }
        self.put(place);
    }

    fn put(&mut self, place: usize) {
        self.slots[self.heap[place].slot as usize].place = index(place);
    }
}

fn index(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 events")
}
