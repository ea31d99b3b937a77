//! What the analysis says of an application and of each run of a workflow.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::notes::Note;
use crate::order::Late;
use crate::spark_event::Millis;
use crate::sweep::Terms;

/// Times at which a run went on after a wait for its own tasks, and what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Crossings {
    /// How often.
    pub all: u32,
    /// How often others had slots that it wanted back.
    pub with_loss: u32,
    /// Tasks of others that it found on these slots, or that came onto them while it waited.
    pub slots_lost: u64,
}

/// The barrier or gap that cost a run the most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Worst {
    /// The stage that had to wait.
    pub stage: u32,
    /// Whether a Spark job had ended before: a gap; otherwise a barrier inside of a job.
    pub gap: bool,
    /// As in [`Crossings::slots_lost`].
    pub slots_lost: u64,
    /// Time lost, in microseconds.
    pub lost_us: u64,
}

/// A run of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunReport {
    /// The workflow's name.
    pub workflow: String,
    /// Which of its runs, from 1.
    pub run: u32,
    /// The pool of its first job.
    pub pool: Option<String>,
    /// The description of its first job, or of its SQL execution.
    pub description: Option<String>,
    /// When it arrived, in milliseconds since 1970.
    pub arrival_ms: Millis,
    /// When it ended, or the log did.
    pub end_ms: Millis,
    /// Whether it ended.
    pub ended: bool,
    /// Whether the event is lost that says when it began or ended, and others were taken for it.
    pub rebuilt: bool,
    /// From arrival to end, in microseconds.
    pub jct_us: u64,
    /// Where the time went.
    #[serde(flatten)]
    pub terms: Terms,
    /// The part of `first_wait_us` in which there was no executor.
    pub without_executors_us: u64,
    /// Its Spark jobs.
    pub jobs: u32,
    /// Its stage attempts that ran.
    pub stages: u32,
    /// Its runs of tasks.
    pub tasks: u64,
    /// Its most tasks at once.
    pub widest: u64,
    /// Barriers inside of Spark jobs.
    pub barriers: Crossings,
    /// Gaps between Spark jobs.
    pub gaps: Crossings,
    /// How many tasks had its slots, by their workflow.
    pub lost_to: BTreeMap<String, u64>,
    /// What cost it the most.
    pub worst: Option<Worst>,
}

impl RunReport {
    /// Returns whether the terms add up to the JCT, as they must.
    pub const fn adds_up(&self) -> bool {
        self.terms.sum() == self.jct_us
    }
}

/// An application.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ApplicationReport {
    /// The log.
    pub log: PathBuf,
    /// `App ID`.
    pub id: Option<String>,
    /// `App Name`.
    pub name: Option<String>,
    /// `Spark Version`.
    pub spark: Option<String>,
    /// Whether the log has Spark's configuration.
    pub configured: bool,
    /// Resource profiles of executors that the log does not tell, but for the default one, which the configuration has.
    pub unknown_profiles: u64,
    /// Whether its scheduler shares fairly.
    pub fair: bool,
    /// The first and last time in the log, in milliseconds since 1970.
    pub first_ms: Millis,
    /// The last.
    pub last_ms: Millis,
    /// Whether the log has the application's end.
    pub ended: bool,
    /// Whether the log stops in the middle of an event.
    pub cut_off: bool,
    /// Whether the log begins with the application; false when early events were compacted.
    pub complete: bool,
    /// Executors that have ever been.
    pub executors: u64,
    /// Those of them that the log does not announce.
    pub unannounced_executors: u64,
    /// Those of these whose cores nothing says: each is as large as the most that it ran at once.
    pub unsized_executors: u64,
    /// The most slots at once.
    pub slots: u64,
    /// Slot-time in use, in slot-milliseconds.
    pub busy_slot_ms: u64,
    /// Slot-time that there was.
    pub all_slot_ms: u64,
    /// Time in which at least two workflows had stages at once, in milliseconds.
    pub shared_ms: Millis,
    /// Tasks that were launched, and of whose end the log has nothing.
    pub unended_tasks: u64,
    /// Events that came later in the log than their time allows.
    pub late_events: u64,
    /// The latest of them, in milliseconds.
    pub latest_ms: Millis,
    /// Decoded size of the log.
    pub bytes: u64,
    /// What limits the trust in all this.
    pub notes: Vec<Note>,
    /// Runs of workflows, in the order of their ends.
    pub runs: Vec<RunReport>,
}

impl ApplicationReport {
    pub(crate) const fn set_late(&mut self, late: Late) {
        self.late_events = late.events;
        self.latest_ms = late.longest;
    }
}
