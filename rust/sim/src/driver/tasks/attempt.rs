//! One run of a task, as the driver sees it.

use holdfast_engine::Time;

use crate::host::queue::Ticket;

/// How an attempt left its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Finished,
    /// By its own fault.
    Failed,
    /// Its input was lost.
    FetchFailed,
    /// Killed, or lost with its executor.
    Killed,
}

/// One run of a task: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Attempt {
    /// Spark's task id.
    pub number: u32,
    /// Its set.
    pub set: u32,
    /// Its task.
    pub task: u32,
    /// Where it runs.
    pub executor: u32,
    /// How many attempts of the task were launched before it, in this run of the stage.
    pub nth: u16,
    /// Since when.
    pub launched: Time,
    /// Its planned end.
    pub end: Option<Ticket>,
    /// How it ends, or ended.
    pub ending: Ending,
    /// It occupies a slot.
    pub runs: bool,
    /// Spark knows how it ended.
    pub settled: bool,
    /// Killed because another attempt of the task was first.
    pub superseded: bool,
    /// It ignores kills, and has been killed.
    pub doomed: bool,
    /// It began while another attempt of the task ran.
    pub copy: bool,
    /// The attempt of the same task before it, that is not settled.
    pub next: u32,
}
