//! What comes of a simulation, or why nothing does.

use std::fmt;

use holdfast_engine::{EngineError, Event, Totals};
use serde::Serialize;

use crate::measure::bounded::BoundedJob;
use crate::measure::meter::{Barriers, CopyCounts, Locality, Usage, WorkflowTimes};
use crate::measure::placement::Placement;
use crate::world::BadWorld;

/// What came of a simulation. Equal worlds give equal outcomes, byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// When the last workflow ended, in nanoseconds.
    pub end_ns: u64,
    /// By workflow of the world.
    pub workflows: Vec<WorkflowTimes>,
    /// Slot-time.
    pub usage: Usage,
    /// Slot-time of foreground attempts, in slots x nanoseconds.
    pub foreground_ns: u128,
    /// Of the background, and of the foreground.
    pub locality: [Locality; 2],
    /// Copies, Spark's own and the engine's.
    pub copies: CopyCounts,
    /// The isolation achieved.
    pub barriers: Barriers,
    /// Attempts launched.
    pub attempts: u64,
    /// Attempts that were killed, lost, or failed.
    pub wasted: u64,
    /// Events of the simulation.
    pub events: u64,
    /// Events that the engine was told.
    pub steps: u64,
    /// What it decided.
    pub decisions: u64,
    /// What it was asked, and how often it refused.
    pub asks: (u64, u64),
    /// Its counters.
    pub totals: Option<Totals>,
    /// Follows from all launches, in order: when, where, and of what.
    pub fingerprint: u64,
    /// Jobs that had a bound, in the order of their ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounded: Vec<BoundedJob>,
    /// The launches, if wanted.
    #[serde(skip)]
    pub placements: Vec<Placement>,
    /// The log, if wanted.
    #[serde(skip)]
    pub log: Option<Vec<u8>>,
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The world cannot be simulated.
    World(BadWorld),
    /// The engine refused what it was told: a mistake of the simulator.
    Refused(Event, EngineError),
    /// Nothing happens any more from that time on, in nanoseconds; the number of workflows that have not ended.
    Stuck(u64, u32),
    /// Holds or task sets are left when all has ended: their number.
    Left(usize),
    /// It goes on for longer than that, in nanoseconds; the number of workflows that have not ended.
    TooLong(u64, u32),
    /// Too many events are planned at once: tasks that run, and messages under way.
    TooMany,
    /// [`Options::interrupt`](crate::Options::interrupt) ended it.
    Interrupted,
    /// The log cannot be written.
    Log(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World(why) => why.fmt(f),
            Self::Refused(event, error) => {
                write!(f, "the engine refused {event:?}: {error}; {DEFECT}")
            }
            Self::Stuck(at, open) => write!(
                f,
                "it comes to no end: from {} s on nothing happens, and no executor is left that has room for the tasks of {open} of its workflows, or that they may use",
                at / SECOND
            ),
            Self::Left(left) => {
                write!(f, "{left} holds or task sets are left at the end; {DEFECT}")
            }
            Self::TooLong(most, open) => {
                write!(f, "it comes to no end: after {} s of simulated time {open} of its workflows have not ended", most / SECOND)
            }
            Self::TooMany => f.write_str(
                "more tasks run at once, or messages are under way, than can be simulated; have fewer slots",
            ),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Log(why) => write!(f, "no log: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

const DEFECT: &str = "this is a defect of the simulator, please report it";
/// In nanoseconds.
const SECOND: u64 = 1_000_000_000;
