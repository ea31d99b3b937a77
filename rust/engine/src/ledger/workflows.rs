//! Workflows and their total order.

use std::cmp::Reverse;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use slab::Slab;

use super::holds::List;
use crate::ids::{ProfileId, Resources, Time, WorkflowId};

/// Sorts more important workflows first; unique, since arrivals are.
type Rank = (Reverse<i32>, u64);

/// How many forgotten workflows leave their largest gap behind.
const REMEMBERED: usize = 256;

/// The wait between two jobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub start: Time,
    pub deadline: Time,
}

/// The widest set seen of late.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub width: u32,
    pub at: Time,
}

#[derive(Clone, Debug)]
pub(crate) struct Workflow {
    pub id: WorkflowId,
    pub priority: i32,
    pub arrival: u64,
    pub active: bool,
    pub closed: bool,
    /// Opened, and no job has come since: it must not be forgotten in between.
    pub awaited: bool,
    pub jobs: Vec<usize>,
    pub running: u32,
    pub held: u32,
    pub pending: u64,
    /// Profile of its latest set, and what a slot of it is.
    pub slot: Option<(ProfileId, Resources)>,
    pub peak: Peak,
    /// Tasks of its set that ended last.
    pub last_m: u32,
    pub gap: Option<Gap>,
    pub largest_gap: u64,
    /// Since it became active a set of it has filled the cache.
    pub has_filled: bool,
    /// Start of the span that the cap counts over.
    pub episode: Option<Time>,
    /// The cap of this episode has passed.
    pub exhausted: bool,
    /// Its holds, in the order of making.
    pub holds: List,
}

impl Workflow {
    pub fn rank(&self) -> Rank {
        (Reverse(self.priority), self.arrival)
    }

    pub fn owned(&self) -> u32 {
        self.running + self.held
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Workflows {
    pub slab: Slab<Workflow>,
    pub ids: FxHashMap<WorkflowId, usize>,
    /// Active workflows by rank.
    pub active: Vec<usize>,
    /// Workflows with holds by rank.
    pub holders: Vec<usize>,
    /// Workflows in a gap, in no order.
    pub gaps: Vec<usize>,
    arrivals: u64,
    remembered: VecDeque<(WorkflowId, u64)>,
}

impl Workflows {
    pub fn rank(&self, key: usize) -> Rank {
        self.slab[key].rank()
    }

    pub fn insert(&mut self, id: WorkflowId, priority: i32) -> usize {
        let known = self.remembered.iter().position(|(known, _)| *known == id);
        let largest_gap = known.and_then(|i| self.remembered.remove(i)).map_or(0, |(_, gap)| gap);
        let key = self.slab.insert(Workflow {
            id,
            priority,
            arrival: 0,
            active: false,
            closed: false,
            awaited: true,
            jobs: Vec::new(),
            running: 0,
            held: 0,
            pending: 0,
            slot: None,
            peak: Peak::default(),
            last_m: 0,
            gap: None,
            largest_gap,
            has_filled: false,
            episode: None,
            exhausted: false,
            holds: List::default(),
        });
        self.ids.insert(id, key);
        key
    }

    /// Forgets a workflow that nothing refers to any more, but for its largest gap.
    pub fn forget_if_unused(&mut self, key: usize) {
        let w = &self.slab[key];
        if w.active || w.awaited || !w.jobs.is_empty() || w.running > 0 {
            return;
        }
        let w = self.slab.remove(key);
        self.ids.remove(&w.id);
        if w.largest_gap > 0 {
            if self.remembered.len() == REMEMBERED {
                self.remembered.pop_front();
            }
            self.remembered.push_back((w.id, w.largest_gap));
        }
    }

    /// A workflow arrives (again).
    pub fn activate(&mut self, key: usize) {
        self.arrivals += 1;
        let w = &mut self.slab[key];
        w.arrival = self.arrivals;
        w.active = true;
        w.peak = Peak::default();
        w.last_m = 0;
        w.has_filled = false;
        w.episode = None;
        w.exhausted = false;
        Self::enter(&mut self.active, &self.slab, key);
    }

    pub fn deactivate(&mut self, key: usize) {
        Self::leave(&mut self.active, key);
        self.slab[key].active = false;
        self.slab[key].peak = Peak::default();
    }

    pub fn change_priority(&mut self, key: usize, priority: i32) {
        Self::leave(&mut self.active, key);
        Self::leave(&mut self.holders, key);
        self.slab[key].priority = priority;
        if self.slab[key].active {
            Self::enter(&mut self.active, &self.slab, key);
        }
        self.update_holder(key);
    }

    /// Keeps `holders` in step with the number of holds.
    pub fn update_holder(&mut self, key: usize) {
        // Only the changes 0 -> 1 and 1 -> 0 matter; a list of the few owners is searched.
        match (self.slab[key].held, self.holders.contains(&key)) {
            (0, true) => Self::leave(&mut self.holders, key),
            (0, false) | (_, true) => {}
            (_, false) => Self::enter(&mut self.holders, &self.slab, key),
        }
    }

    fn enter(list: &mut Vec<usize>, slab: &Slab<Workflow>, key: usize) {
        let rank = slab[key].rank();
        let place = list.partition_point(|&other| slab[other].rank() < rank);
        list.insert(place, key);
    }

    fn leave(list: &mut Vec<usize>, key: usize) {
        if let Some(place) = list.iter().position(|&other| other == key) {
            list.remove(place);
        }
    }
}
