//! Events that a log has lost, rebuilt of those that carry the same.
//!
//! Spark drops events when a queue of its listener bus is full. A [`Ledger`] takes a log's events in the order of their
//! times, and keeps what is open. What turns out to be lost becomes a [`Patch`]; the log is then read again, and
//! [`Feed`](crate::feed::Feed) puts each patch in its place. A log that has lost nothing is read once.

mod jobs;
mod ledger;
mod orphans;
mod stages;
mod tasks;

pub(crate) use ledger::Ledger;

use std::cmp::Ordering;

use crate::notes::{Note, NoteKind, count};
use crate::spark_event::{Millis, SparkEvent};

/// More events are not rebuilt: they would take too much memory.
const MOST: usize = 1_000_000;

/// Where an event belongs among those of its millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// An event of the log, by its number.
    At(u64),
    /// Before the event of this number, which depends on it.
    Before(u64),
    /// After all of them.
    Last,
}

impl Spot {
    const fn key(self) -> (u64, bool) {
        match self {
            Self::At(number) => (number, true),
            Self::Before(number) => (number, false),
            Self::Last => (u64::MAX, true),
        }
    }
}

impl PartialOrd for Spot {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Spot {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// An event that was lost.
#[derive(Debug)]
pub(crate) struct Patch {
    pub(crate) at: Millis,
    pub(crate) spot: Spot,
    pub(crate) event: SparkEvent,
}

impl Patch {
    /// Orders patches of one spot: what ends makes room for what begins.
    const fn rank(&self) -> u8 {
        match self.event {
            SparkEvent::TaskEnd { .. } => 0,
            SparkEvent::StageCompleted { .. } => 1,
            SparkEvent::Rebuilt(_) => 2,
            SparkEvent::JobEnd { .. } => 3,
            SparkEvent::ExecutionEnd { .. } => 4,
            SparkEvent::ExecutionStart { .. } => 5,
            SparkEvent::JobStart(_) => 6,
            SparkEvent::StageSubmitted(_) => 7,
            _ => 8,
        }
    }
}

/// How many events were lost, by what stands for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    task_starts: u64,
    task_ends: u64,
    stage_begins: u64,
    stage_begins_guessed: u64,
    stage_ends: u64,
    job_starts: u64,
    job_ends: u64,
    execution_starts: u64,
    execution_ends: u64,
    /// Job starts of which nothing tells but the jobs' ends.
    unknown_jobs: u64,
    /// Those beyond [`MOST`].
    left_out: u64,
    /// Events that the log has twice.
    twice: u64,
}

impl Tally {
    /// Returns what is to be said of them; `again` says whether the log could be read again, to put them back.
    fn notes(&self, again: bool) -> Vec<Note> {
        let kinds = [
            (self.task_starts, "task start", "the tasks' ends tell when they were launched"),
            (self.task_ends, "task end", "the ends of their stages count"),
            (self.stage_begins, "stage submission", "the stages' ends tell when they began"),
            (self.stage_begins_guessed, "stage submission", "their first tasks count"),
            (self.stage_ends, "stage end", "the ends of their last tasks count"),
            (self.job_starts, "job start", "their first stages count, and the names these have"),
            (self.job_ends, "job end", "the ends of their last stages count"),
            (self.execution_starts, "SQL execution start", "their first jobs count"),
            (self.execution_ends, "SQL execution end", "the ends of their last jobs count"),
        ];
        let mut notes = Vec::new();
        for (n, what, instead) in kinds.into_iter().filter(|(n, ..)| *n > 0) {
            let lost = count(n, what);
            notes.push(if again {
                Note::new(NoteKind::Rebuilt, format!("{lost} not in the log: {instead}"))
            } else {
                let why = "this log cannot be read twice, so the report is without them";
                Note::new(NoteKind::LeftOut, format!("{lost} not in the log: {why}"))
            });
        }
        let mut left_out = |n: u64, what: &str, why: &str| {
            if n > 0 {
                let text = format!("{}{why}", count(n, what));
                notes.push(Note::new(NoteKind::LeftOut, text));
            }
        };
        left_out(self.unknown_jobs, "job start", " not in the log, and no stage tells of them");
        left_out(self.left_out, "lost event", " beyond the first 1,000,000: not rebuilt");
        left_out(self.twice, "event", " in the log again: counted once");
        notes
    }
}

/// What a log has lost.
#[derive(Debug, Default)]
pub(crate) struct Rebuilt {
    /// In the order in which they belong.
    patches: Vec<Patch>,
    tally: Tally,
}

impl Rebuilt {
    /// Returns whether nothing can be put back.
    pub(crate) const fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    pub(crate) fn notes(&self, again: bool) -> Vec<Note> {
        self.tally.notes(again)
    }

    pub(crate) fn into_patches(self) -> std::vec::IntoIter<Patch> {
        self.patches.into_iter()
    }

    fn push(&mut self, at: Millis, spot: Spot, event: SparkEvent) {
        if self.patches.len() < MOST {
            self.patches.push(Patch { at, spot, event });
        } else {
            self.tally.left_out += 1;
        }
    }

    /// Says what was rebuilt: how many events, and each of them.
    fn tell(&self) {
        if self.patches.is_empty() {
            return;
        }
        log::info!("{} rebuilt of what others carry", count(self.patches.len() as u64, "event"));
        for Patch { at, event, .. } in &self.patches {
            log::debug!("rebuilt, at {at} ms: {event:?}");
        }
    }

    fn sort(&mut self) {
        self.patches.sort_by_key(|patch| (patch.at, patch.spot, patch.rank()));
    }
}
