//! The hold book: every live hold, found by executor, by workflow and by deadline (R4).

use slab::Slab;

use super::executors::Executors;
use super::workflows::Workflows;
use crate::api::decision::Reason;
use crate::api::ids::{HoldId, Resources, Time, short};
use crate::tables::heap::DeadlineHeap;

const END: u32 = u32::MAX;

/// Which of the two lists of a hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Executor = 0,
    Workflow = 1,
}

/// Head and tail of a list of holds, in the order of making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub oldest: u32,
    pub newest: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { oldest: END, newest: END }
    }
}

#[derive(Clone, Copy, Debug)]
struct Link {
    older: u32,
    newer: u32,
}

const UNLINKED: [Link; 2] = [Link { older: END, newer: END }; 2];

/// A slot kept for a workflow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    pub id: HoldId,
    pub owner: usize,
    pub executor: usize,
    pub size: Resources,
    pub reason: Reason,
    pub made_at: Time,
    /// No change of the deadline goes beyond this.
    pub cap: Time,
    pub deadline: Time,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HoldBook {
    slab: Slab<(Hold, [Link; 2])>,
    deadlines: DeadlineHeap,
}

impl HoldBook {
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    pub fn get(&self, key: usize) -> &Hold {
        &self.slab[key].0
    }

    /// All live holds, in no useful order: sort by id before showing.
    pub fn unordered(&self) -> impl Iterator<Item = &Hold> {
        self.slab.iter().map(|(_, (hold, _))| hold)
    }

    pub fn first_deadline(&self) -> Option<(Time, usize)> {
        self.deadlines.peek()
    }

    pub fn set_cap(&mut self, key: usize, cap: Time) {
        self.slab[key].0.cap = cap;
    }

    /// Within the hold's cap.
    pub fn set_deadline(&mut self, key: usize, deadline: Time) {
        let hold = &mut self.slab[key].0;
        let deadline = deadline.min(hold.cap);
        if hold.deadline == deadline {
            return;
        }
        hold.deadline = deadline;
        self.deadlines.update((deadline, hold.id), key);
    }

    /// Keys of a list, oldest first.
    pub fn oldest_first(&self, list: List, side: Side) -> impl Iterator<Item = usize> + '_ {
        self.walk(list.oldest, move |links| links[side as usize].newer)
    }

    /// Keys of a list, newest first.
    pub fn newest_first(&self, list: List, side: Side) -> impl Iterator<Item = usize> + '_ {
        self.walk(list.newest, move |links| links[side as usize].older)
    }

    fn walk(&self, start: u32, next: impl Fn(&[Link; 2]) -> u32) -> impl Iterator<Item = usize> {
        let known = |key: u32| (key != END).then_some(key as usize);
        std::iter::successors(known(start), move |&key| known(next(&self.slab[key].1)))
    }

    pub(super) fn insert(
        &mut self,
        hold: Hold,
        executors: &mut Executors,
        workflows: &mut Workflows,
    ) {
        let key = self.slab.insert((hold, UNLINKED));
        self.deadlines.push((hold.deadline, hold.id), key);
        self.append(key, Side::Executor, &mut executors.slab[hold.executor].holds);
        self.append(key, Side::Workflow, &mut workflows.slab[hold.owner].holds);
    }

    pub(super) fn remove(
        &mut self,
        key: usize,
        executors: &mut Executors,
        workflows: &mut Workflows,
    ) -> Hold {
        let (owner, executor) = (self.slab[key].0.owner, self.slab[key].0.executor);
        self.unlink(key, Side::Executor, &mut executors.slab[executor].holds);
        self.unlink(key, Side::Workflow, &mut workflows.slab[owner].holds);
        self.deadlines.remove(key);
        self.slab.remove(key).0
    }

    fn append(&mut self, key: usize, side: Side, list: &mut List) {
        let older = list.newest;
        self.slab[key].1[side as usize] = Link { older, newer: END };
        if older == END {
            list.oldest = short(key);
        } else {
            self.slab[older as usize].1[side as usize].newer = short(key);
        }
        list.newest = short(key);
    }

    fn unlink(&mut self, key: usize, side: Side, list: &mut List) {
        let Link { older, newer } = self.slab[key].1[side as usize];
        if older == END {
            list.oldest = newer;
        } else {
            self.slab[older as usize].1[side as usize].newer = newer;
        }
        if newer == END {
            list.newest = older;
        } else {
            self.slab[newer as usize].1[side as usize].older = older;
        }
    }
}
