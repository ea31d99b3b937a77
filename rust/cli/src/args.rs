//! The command line.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use holdfast_log::{FORMAT, REVISION, VERSION};

static VERSION_TEXT: LazyLock<String> = LazyLock::new(|| {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    format!("{VERSION} (revision {revision}, log format {FORMAT})")
});

const AFTER_HELP: &str = "\
Spark writes a decision log for each application when spark.holdfast.log.dir is set:
<application id>.hflog in that folder. When spark.holdfast.history.dir is set, each application leaves there what
its workflows repeat, for the next one.

Examples:
  holdfast explain app-20260101120000-0001.hflog
  holdfast explain app-20260101120000-0001.hflog --workflow kmeans --limit 5
  holdfast replay app-20260101120000-0001.hflog
  holdfast history /data/holdfast
  holdfast sim --preset paper --foreground mllib

Exit codes:
  0  done; for replay: every decision is the same
  1  replay: a decision differs; sim --check: a launch differs
  2  wrong usage, or there is no such workflow, executor, stage or hold
  3  the log, world or folder cannot be read or changed, or the log is damaged (the message gives the offset)";

/// Says what Holdfast decided, why, whether this build would decide the same, and what it remembers.
#[derive(Parser)]
#[command(name = "holdfast", version = VERSION_TEXT.as_str(), after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Decide everything in a log once more, and compare byte for byte
    ///
    /// Feeds the recorded events to this build's engine with the recorded configuration. Exits with 0 when all
    /// decisions are the same, and with 1 when one differs, after showing the first such of each log: its record
    /// number, offset, event, and both decisions.
    #[command(after_help = "Example:\n  holdfast replay app-20260101120000-0001.hflog")]
    Replay {
        /// The decision logs
        #[arg(value_name = "LOG", required = true)]
        logs: Vec<PathBuf>,
    },
    /// Tell why slots were held, for whom, until when, and why that ended
    ///
    /// Without options: a summary by workflow. With options: each hold that fits all of them, in the order of making.
    /// Times count from the first event.
    Explain(Explain),
    /// Show what workflows repeated in earlier applications, and remove what is old
    ///
    /// One line for each workflow and shape of its first job: how often it ran, its widest stage, how many steps of
    /// it are known, and when it ran last (UTC), the latest first. For local folders.
    History(History),
    /// Simulate a cluster with Spark's scheduler, with or without Holdfast
    ///
    /// Of a world in a JSON file, or of one that is known. Shows how long workflows take compared with having the
    /// cluster for themselves, and what became of the slots. Equal worlds and seeds give equal output.
    Sim(Sim),
}

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

/// Of which history, and what to do with it.
#[derive(ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  holdfast history /data/holdfast
  holdfast history /data/holdfast --workflow 'etl-*'
  holdfast history prune /data/holdfast --older-than 30d --dry-run"
)]
pub(crate) struct History {
    /// The folder that spark.holdfast.history.dir names
    #[arg(value_name = "DIR", required = true)]
    pub(crate) dir: Option<PathBuf>,
    /// Only workflows of this name; * stands for any text, ? for one character
    #[arg(long, value_name = "GLOB")]
    pub(crate) workflow: Option<String>,
    #[command(subcommand)]
    pub(crate) action: Option<HistoryAction>,
}

#[derive(Subcommand)]
pub(crate) enum HistoryAction {
    /// Remove the files of applications whose workflows all ran last before some time
    ///
    /// Files that are no history of this version stay, whatever their age.
    #[command(
        after_help = "Example:\n  holdfast history prune /data/holdfast --older-than 30d --dry-run"
    )]
    Prune(Prune),
}

/// What to remove.
#[derive(ClapArgs)]
pub(crate) struct Prune {
    /// The folder that spark.holdfast.history.dir names
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The least age: a number and w, d, h or m
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(crate) older_than: Duration,
    /// Only say what would be removed
    #[arg(long)]
    pub(crate) dry_run: bool,
}

fn age(text: &str) -> Result<Duration, String> {
    let units = [('w', 7 * 24 * 3600), ('d', 24 * 3600), ('h', 3600), ('m', 60)];
    let parsed = units.iter().find_map(|&(unit, seconds)| {
        text.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(seconds)
    });
    let seconds = parsed.ok_or("write for example 30d, 12h or 2w")?;
    Ok(Duration::from_secs(seconds))
}

/// Which holds to tell.
#[derive(ClapArgs)]
#[command(
    after_help = "Example:\n  holdfast explain app-20260101120000-0001.hflog --workflow kmeans --executor 2"
)]
pub(crate) struct Explain {
    /// The decision log
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// Only holds of this workflow: its name (pool, job group ...) or number
    #[arg(long, value_name = "NAME|ID")]
    pub(crate) workflow: Option<String>,
    /// Only holds made when a task of this stage left its slot, or used by this stage
    #[arg(long, value_name = "ID")]
    pub(crate) stage: Option<u32>,
    /// Only holds on this executor: Spark's name for it, or Holdfast's number
    #[arg(long, value_name = "NAME|ID")]
    pub(crate) executor: Option<String>,
    /// Only this hold
    #[arg(long, value_name = "ID")]
    pub(crate) hold: Option<u32>,
    /// Show at most so many holds; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
}

impl Explain {
    /// Whether single holds are asked for.
    pub(crate) const fn has_filter(&self) -> bool {
        self.workflow.is_some()
            || self.stage.is_some()
            || self.executor.is_some()
            || self.hold.is_some()
    }
}
