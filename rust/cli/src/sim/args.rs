//! What `holdfast sim` is asked.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

/// What to simulate.
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  holdfast sim --preset paper --foreground sql --variant literal
  holdfast sim world.json --seed 7 --json
  holdfast sim world.json --log sim.hflog && holdfast explain sim.hflog")]
pub(crate) struct Sim {
    /// The world, as JSON
    #[arg(value_name = "FILE", conflicts_with_all = ["preset", "nodes", "foreground"], required_unless_present = "preset")]
    pub(crate) world: Option<PathBuf>,
    /// A world that is known: that of the paper's simulation
    #[arg(long)]
    pub(crate) preset: Option<SimPreset>,
    /// What runs in the foreground of a preset
    #[arg(long, value_enum, default_value_t = SimForeground::Mllib)]
    pub(crate) foreground: SimForeground,
    /// Who decides; of a preset: lookahead, if not said
    #[arg(long)]
    pub(crate) variant: Option<SimVariant>,
    /// Nodes of a preset; its background grows with them
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) nodes: u32,
    /// Everything that is random follows from it; 1, or the file's, if not said
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Show everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the decision log there
    #[arg(long, value_name = "LOG")]
    pub(crate) log: Option<PathBuf>,
    /// Write all launches there, in their order, each as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) placements: Option<PathBuf>,
    /// Simulate it once more, asking every set about every offer as Spark does, and compare all launches (slow)
    #[arg(long)]
    pub(crate) check: bool,
}

/// Known worlds.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SimPreset {
    /// 1,000 nodes of 4 slots, 8,000 background jobs, 5 times the run time without locality
    Paper,
    /// The same, the background's tasks take twice as long
    PaperLong,
    /// The same as the first one, 10 times the run time without locality
    PaperFar,
}

/// What is of interest in them.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SimForeground {
    /// 20 SQL queries
    Sql,
    /// 20 MLlib jobs
    Mllib,
    /// The same, twice as wide
    MllibWide,
}

/// Who decides.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SimVariant {
    /// Spark without Holdfast: nobody is more important
    Spark,
    /// Priorities, and nothing is held
    Priority,
    /// A tenth of the slots is for the foreground only
    Static,
    /// What the foreground releases is held for five seconds
    Timeout,
    /// The paper's algorithm with pre-reservation
    Literal,
    /// The same with copies of stragglers
    LiteralCopies,
    /// Holdfast's defaults
    Lookahead,
}
