//! What `holdfast sim` is asked.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::workload::args::Traced;

/// What to simulate.
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  holdfast sim --preset paper --foreground sql --variant literal
  holdfast sim world.json --seed 7 --json
  holdfast sim app-20260101120000-0001.zstd --foreground 'group:report-*' --variant lookahead
  holdfast sim app-20260101120000-0001.zstd --compare
  holdfast sim FB-2010_samples_24_times_1hr_0.tsv --nodes 600 --until 600s --foreground 'job12*'
  holdfast sim world.json --log sim.hflog && holdfast explain sim.hflog")]
pub(crate) struct Sim {
    /// The world, as JSON; or a trace: an event log of Spark's (file or folder), holdfast-trace, SWIM, ClusterData2011-2;
    /// known by its first line, compressed or not
    #[arg(value_name = "FILE", conflicts_with = "preset", required_unless_present = "preset")]
    pub(crate) world: Option<PathBuf>,
    /// A world that is known: that of the paper's simulation
    #[arg(long)]
    pub(crate) preset: Option<SimPreset>,
    /// Whose times are of interest. Of a preset: sql, mllib (if not said) or mllib-wide. Of a trace: workflows of this
    /// name, which get --priority (* stands for any text, ? for one character); if not said, those of the highest
    /// priority that the trace has
    #[arg(long, value_name = "NAME|GLOB")]
    pub(crate) foreground: Option<String>,
    /// Who decides; of a preset: lookahead, if not said; of an event log: who did
    #[arg(long)]
    pub(crate) variant: Option<SimVariant>,
    /// Nodes. Of a preset: 1000, if not said; its background grows with them. Of a trace: as many as leave a fifth of the
    /// slots free while workflows arrive; an event log has its own executors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) nodes: Option<u32>,
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
    #[command(flatten)]
    pub(crate) traced: Traced,
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
