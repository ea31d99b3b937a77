//! What workflows leave behind when they are forgotten.

use std::collections::VecDeque;

use super::pattern::Known;
use super::places::Home;
use crate::api::account::Account;
use crate::api::ids::{Time, WorkflowId};
use crate::math::pareto::Tail;

/// How many forgotten workflows leave their memory behind.
const REMEMBERED: usize = 256;

/// What a workflow has taught, and its next run profits from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub largest_gap: u64,
    pub missed_gap: Option<Time>,
    pub tail: Tail,
    pub known: Known,
    pub home: Home,
    pub account: Account,
}

#[derive(Clone, Debug)]
struct Entry {
    id: WorkflowId,
    /// Whether its account is reported. Kept outside the memory, so that a search for one that is not touches little.
    reported: bool,
    /// Boxed, so that looking for one and taking it out of the middle touch little.
    memory: Box<Memory>,
}

/// Those that are remembered by name, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    entries: VecDeque<Entry>,
    /// The sums of all others.
    forgotten: Account,
}

impl Memories {
    /// What is known of a workflow that comes (back).
    pub fn take(&mut self, id: WorkflowId) -> Memory {
        let place = self.entries.iter().position(|entry| entry.id == id);
        let entry = place.and_then(|place| self.entries.remove(place));
        entry.map(|entry| *entry.memory).unwrap_or_default()
    }

    /// Remembers a workflow that goes, if there is anything to remember. Most of those that never hold come once only:
    /// they must not push out what an important one has learned.
    pub fn put(&mut self, id: WorkflowId, memory: Memory) {
        if memory == Memory::default() {
            return;
        }
        let reported = memory.account.is_reported();
        self.entries.push_back(Entry { id, reported, memory: Box::new(memory) });
        if self.entries.len() > REMEMBERED {
            let place = self.entries.iter().position(|entry| !entry.reported).unwrap_or(0);
            if let Some(gone) = self.entries.remove(place) {
                self.forgotten = self.forgotten.plus(gone.memory.account);
            }
        }
    }

    /// What comes under that name is not the next job of what was.
    pub fn forget_missed_gap(&mut self, id: WorkflowId) {
        if let Some(memory) = self.of(id) {
            memory.missed_gap = None;
        }
    }

    /// What a workflow has left that has not come back.
    pub fn of(&mut self, id: WorkflowId) -> Option<&mut Memory> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        entry.map(|entry| &mut *entry.memory)
    }

    /// Somebody else learns from it, and adds to it: it is forgotten as late as if it had gone now.
    pub fn touch(&mut self, id: WorkflowId) {
        if let Some(place) = self.entries.iter().position(|entry| entry.id == id) {
            let entry = self.entries.remove(place);
            self.entries.extend(entry);
        }
    }

    /// Those that are remembered.
    pub fn all(&self) -> impl Iterator<Item = (WorkflowId, &Memory)> {
        self.entries.iter().map(|entry| (entry.id, &*entry.memory))
    }

    /// The sums of those that are not.
    pub fn forgotten(&self) -> Account {
        self.forgotten
    }
}
