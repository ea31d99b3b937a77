//! What is asked of a simulation.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use holdfast_sim::variant::Variant;

/// Slots of a node, if nothing is said.
const SLOTS: u32 = 4;
/// Of the foreground, if nothing is said.
const PRIORITY: i32 = 10;
/// More tasks are refused, if nothing is said.
const MOST_TASKS: u64 = 5_000_000;

/// What to simulate.
pub struct Request {
    /// A world or a trace; none: a preset.
    pub world: Option<PathBuf>,
    /// A world that is known.
    pub preset: Option<Preset>,
    /// The workflows whose times are of interest: a name of the preset, or a pattern.
    pub foreground: Option<String>,
    /// How many there are; none: as many as the world says.
    pub nodes: Option<u32>,
    /// The variants to compare, each once; empty: as the world says.
    pub variants: Vec<Variant>,
    /// The isolations that everybody asks for in turn, in millionths; empty: as the world says.
    pub isolation: Vec<u32>,
    /// The first seed; none: the world's.
    pub seed: Option<u64>,
    /// How many seeds.
    pub seeds: NonZeroU32,
    /// Whether Spark makes copies of slow tasks, whatever the world says.
    pub speculation: bool,
    /// How a trace becomes a world.
    pub traced: Traced,
}

/// Known worlds.
#[derive(Clone, Copy)]
pub enum Preset {
    /// That of the simulation in "Speculative Slot Reservation".
    Paper,
    /// The same, the background's tasks take twice as long.
    PaperLong,
    /// The same as the first one, 10 times the run time without locality.
    PaperFar,
}

/// How a trace becomes a world.
pub struct Traced {
    /// Slots of a node.
    pub slots: Option<u32>,
    /// The priority of the foreground.
    pub priority: Option<i32>,
    /// The factor for the number of tasks of each stage.
    pub scale: Option<f64>,
    /// Spark configuration.
    pub conf: Vec<(String, String)>,
    /// Only what arrives within so long.
    pub until: Option<Duration>,
    /// More tasks are refused.
    pub most_tasks: Option<u64>,
    /// Whether simulated times are only compared with recorded ones.
    pub compare: bool,
}

impl Traced {
    /// Returns the slots of a node.
    pub fn slots(&self) -> u32 {
        self.slots.unwrap_or(SLOTS)
    }

    /// Returns the priority of the foreground.
    pub fn priority(&self) -> i32 {
        self.priority.unwrap_or(PRIORITY)
    }

    /// Returns how many times as many tasks there are.
    pub fn scale(&self) -> f64 {
        self.scale.unwrap_or(1.0)
    }

    /// Returns how many tasks are taken.
    pub fn most_tasks(&self) -> u64 {
        self.most_tasks.unwrap_or(MOST_TASKS)
    }

    /// Returns the configuration by key.
    pub fn conf(&self) -> BTreeMap<String, String> {
        self.conf.iter().cloned().collect()
    }
}
