//! One simulation from its world to its outcome.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use holdfast_engine::{EngineError, Event, Time, Totals};
use serde::Serialize;

use crate::check::MOST_SLOTS;
use crate::host::Host;
use crate::measure::{Barriers, CopyCounts, Locality, Usage, WorkflowTimes};
use crate::world::{BadWorld, World};

/// So many events happen between two looks at progress and interrupt.
const LOOK_EVERY: u64 = 1 << 16;

/// One attempt that was launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Placement {
    /// When, in nanoseconds.
    pub at_ns: u64,
    /// Where.
    pub executor: u32,
    /// Spark's number of the stage.
    pub stage: u32,
    /// Which attempt of the stage.
    pub stage_attempt: u32,
    /// Which partition.
    pub partition: u32,
    /// Which attempt of the task.
    pub attempt: u32,
    /// Whether it began beside another attempt.
    pub copy: bool,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulated time, in nanoseconds.
    pub now_ns: u64,
    /// Events so far.
    pub events: u64,
    /// Workflows that have not ended.
    pub open: u32,
}

/// What else is wanted of a simulation.
#[derive(Default)]
pub struct Options<'a> {
    /// The log of what the engine was told and decided.
    pub log: bool,
    /// Every launch.
    pub placements: bool,
    /// Every set is asked about every offer, as Spark does it: slow, and the same.
    pub literal: bool,
    /// Told now and then how far it is.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Ends the simulation when it becomes true.
    pub interrupt: Option<&'a AtomicBool>,
    /// Only this workflow comes, whatever the world says of that ([`World::only`]).
    pub only: Option<usize>,
    /// A simulation that goes on beyond this time, in nanoseconds, fails; 0: ten years.
    pub most_ns: u64,
}

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
    /// Nothing happens any more from that time on, in nanoseconds, and so many workflows have not ended.
    Stuck(u64, u32),
    /// Holds or task sets are left when all has ended: so many.
    Left(usize),
    /// It goes on for longer than that, in nanoseconds, and so many workflows have not ended.
    TooLong(u64, u32),
    /// Too many events are planned at once: tasks that run, and messages under way.
    TooMany,
    /// Somebody ended it.
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
/// So many planned events leave the queue room for those of the time until the next look.
const MOST_EVENTS: u64 = 3 * MOST_SLOTS;
/// Ten years in nanoseconds.
const LONG: u64 = 10 * 365 * 24 * 3600 * 1_000_000_000;

/// Simulates a world until everything has ended; what outlives all workflows, until the time that is the most.
///
/// # Errors
/// See [`Failure`].
pub fn simulate(world: &World, options: &Options) -> Result<Outcome, Failure> {
    world.check().map_err(Failure::World)?;
    let mut host = Host::new(world, options).map_err(Failure::Log)?;
    host.begin();
    let most = Time(if options.most_ns == 0 { LONG } else { options.most_ns });
    let mut events = 0;
    while host.turn() {
        host.read_ahead();
        events += 1;
        if let Some((event, error)) = host.wire.refused {
            return Err(Failure::Refused(event, error));
        }
        if host.now > most && host.open > 0 {
            return Err(Failure::TooLong(most.0, host.open));
        }
        if host.now > most {
            // Executors that join or are lost, and attempts that nobody waits for, change nothing any more.
            return Ok(outcome(host, events));
        }
        if events % LOOK_EVERY == 0 {
            look(&host, options, events)?;
        }
    }
    if host.open > 0 {
        return Err(Failure::Stuck(host.now.0, host.open));
    }
    let left = host.wire.engine().map_or(0, holdfast_engine::Engine::left);
    if left + host.sets.len() + host.attempts.len() > 0 {
        return Err(Failure::Left(left + host.sets.len() + host.attempts.len()));
    }
    Ok(outcome(host, events))
}

fn look(host: &Host, options: &Options, events: u64) -> Result<(), Failure> {
    if let Some(progress) = options.progress {
        progress(Progress { now_ns: host.now.0, events, open: host.open });
    }
    if host.queue.len() as u64 > MOST_EVENTS {
        return Err(Failure::TooMany);
    }
    let interrupted = options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

fn outcome(host: Host, events: u64) -> Outcome {
    let Host { mut wire, meter, placements, fingerprint, .. } = host;
    let ends = meter.times.iter().map(|times| times.ended_ns);
    let end_ns = ends.filter(|&end| end != u64::MAX).max().unwrap_or(0);
    Outcome {
        end_ns,
        usage: meter.usage_at_end(),
        foreground_ns: meter.foreground_ns,
        locality: meter.locality,
        copies: meter.copies,
        barriers: meter.barriers,
        attempts: meter.attempts,
        wasted: meter.wasted,
        events,
        steps: wire.steps,
        decisions: wire.decisions,
        asks: (wire.asks, wire.vetoes),
        totals: wire.engine().map(|engine| *engine.totals()),
        fingerprint: fingerprint.bits(),
        placements: placements.unwrap_or_default(),
        log: wire.finish_log(),
        workflows: meter.times,
    }
}
