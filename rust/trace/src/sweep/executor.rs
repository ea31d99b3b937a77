//! An executor and its slots.

use std::collections::VecDeque;

use crate::runs::RunId;
use crate::spark_event::Millis;

#[derive(Default)]
pub(super) struct Slot {
    /// Whose task is on it; none too if its run is not known.
    pub(super) user: Option<RunId>,
    pub(super) busy: bool,
    /// Runs that have released it at a barrier, and have not got a slot for it.
    pub(super) claims: Vec<RunId>,
}

pub(super) struct Executor {
    pub(super) capacity: u32,
    pub(super) profile: u32,
    /// Whether its capacity is known.
    pub(super) announced: bool,
    pub(super) excluded: bool,
    pub(super) host: Box<str>,
    /// Whether its host gets no tasks.
    pub(super) host_excluded: bool,
    /// Since when nothing runs on it.
    pub(super) idle_since: Option<Millis>,
    /// Whether it has been idle for so long that Spark is giving it back: it gets no tasks, though the log has it until
    /// the cluster manager has removed it.
    pub(super) leaving: bool,
    /// Slots in use.
    pub(super) taken: u32,
    pub(super) slots: Vec<Slot>,
    /// Tasks that have been launched and have no slot yet, the first first.
    pub(super) early: VecDeque<u64>,
    /// Tasks that were lately launched onto a slot that others want back, the first first.
    pub(super) doubtful: VecDeque<Doubtful>,
}

/// A task of which it is not certain that it has the slot that it was given.
#[derive(Clone, Copy)]
pub(super) struct Doubtful {
    pub(super) task: u64,
    pub(super) slot: u32,
    pub(super) since: Millis,
}

impl Executor {
    pub(super) fn free(&self) -> u64 {
        if self.excluded || self.host_excluded || self.leaving {
            0
        } else {
            u64::from(self.capacity - self.taken)
        }
    }

    pub(super) fn busy(&self) -> u64 {
        u64::from(self.taken) + self.early.len() as u64
    }

    /// Returns the slot that a task of `run` takes.
    pub(super) fn choose(&mut self, run: Option<RunId>) -> usize {
        let mut best: Option<(usize, usize)> = None;
        for (number, slot) in self.slots.iter().enumerate().filter(|(_, slot)| !slot.busy) {
            if run.is_some_and(|run| slot.claims.contains(&run)) {
                return number;
            }
            if best.is_none_or(|(claims, _)| slot.claims.len() < claims) {
                best = Some((slot.claims.len(), number));
            }
        }
        let room = (self.slots.len() as u64) < u64::from(self.capacity);
        match best {
            Some((claims, number)) if claims == 0 || !room => number,
            _ => {
                self.slots.push(Slot::default());
                self.slots.len() - 1
            }
        }
    }
}
