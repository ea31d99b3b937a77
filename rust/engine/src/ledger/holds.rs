//! The hold book: every live hold, found by executor, by workflow and by deadline (R4).

use crate::ledger::keys::{ExecutorKey, HoldKey, WorkflowKey};
use crate::tables::arena::{Arena, Key};

use super::executors::Executors;
use super::lists::{END, List, Side};
use super::workflows::Workflows;
use crate::api::decision::Reason;
use crate::api::ids::{HoldId, Resources, Time};
use crate::tables::heap::Heap;

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
    pub owner: WorkflowKey,
    pub executor: ExecutorKey,
    pub size: Resources,
    pub reason: Reason,
    pub made_at: Time,
    /// No change of the deadline goes beyond this.
    pub cap: Time,
    pub deadline: Time,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HoldBook {
    slab: Arena<HoldKey, (Hold, [Link; 2])>,
    deadlines: Heap<(Time, HoldId), HoldKey>,
}

impl HoldBook {
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    pub fn get(&self, key: HoldKey) -> &Hold {
        &self.slab[key].0
    }

    /// All live holds, in no useful order: sort by id before showing.
    pub fn unordered(&self) -> impl Iterator<Item = &Hold> {
        self.slab.iter().map(|(_, (hold, _))| hold)
    }

    pub fn first_deadline(&self) -> Option<(Time, HoldKey)> {
        self.deadlines.peek().map(|((time, _), hold)| (time, hold))
    }

    pub fn first_due(&self) -> Option<(Time, HoldId)> {
        self.deadlines.peek().map(|(rank, _)| rank)
    }

    pub fn set_cap(&mut self, key: HoldKey, cap: Time) {
        self.slab[key].0.cap = cap;
    }

    /// Within the hold's cap.
    pub fn set_deadline(&mut self, key: HoldKey, deadline: Time) {
        let hold = &mut self.slab[key].0;
        let deadline = deadline.min(hold.cap);
        if hold.deadline == deadline {
            return;
        }
        hold.deadline = deadline;
        self.deadlines.update((deadline, hold.id), key);
    }

    /// Keys of a list, oldest first.
    pub fn oldest_first(&self, list: List, side: Side) -> impl Iterator<Item = HoldKey> + '_ {
        self.walk(list.oldest, move |links| links[side as usize].newer)
    }

    /// Keys of a list, newest first.
    pub fn newest_first(&self, list: List, side: Side) -> impl Iterator<Item = HoldKey> + '_ {
        self.walk(list.newest, move |links| links[side as usize].older)
    }

    fn walk(&self, start: u32, next: impl Fn(&[Link; 2]) -> u32) -> impl Iterator<Item = HoldKey> {
        let known = |key: u32| (key != END).then(|| HoldKey::of_number(key));
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
        self.append(key, Side::Workflow, &mut workflows.slab[hold.owner].holding.holds);
    }

    pub(super) fn remove(
        &mut self,
        key: HoldKey,
        executors: &mut Executors,
        workflows: &mut Workflows,
    ) -> Hold {
        let (owner, executor) = (self.slab[key].0.owner, self.slab[key].0.executor);
        self.unlink(key, Side::Executor, &mut executors.slab[executor].holds);
        self.unlink(key, Side::Workflow, &mut workflows.slab[owner].holding.holds);
        self.deadlines.remove(key);
        self.slab.remove(key).0
    }

    fn append(&mut self, key: HoldKey, side: Side, list: &mut List) {
        let older = list.newest;
        self.slab[key].1[side as usize] = Link { older, newer: END };
        if older == END {
            list.oldest = key.number();
        } else {
            self.slab[HoldKey::of_number(older)].1[side as usize].newer = key.number();
        }
        list.newest = key.number();
    }

    fn unlink(&mut self, key: HoldKey, side: Side, list: &mut List) {
        let Link { older, newer } = self.slab[key].1[side as usize];
        if older == END {
            list.oldest = newer;
        } else {
            self.slab[HoldKey::of_number(older)].1[side as usize].newer = newer;
        }
        if newer == END {
            list.newest = older;
        } else {
            self.slab[HoldKey::of_number(newer)].1[side as usize].older = older;
        }
    }
}
