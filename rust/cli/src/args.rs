//! The command line.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args as ClapArgs, Parser, Subcommand};
use holdfast_log::{FORMAT, REVISION, VERSION};

static VERSION_TEXT: LazyLock<String> = LazyLock::new(|| {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    format!("{VERSION} (revision {revision}, log format {FORMAT})")
});

const AFTER_HELP: &str = "\
Spark writes a decision log for each application when spark.holdfast.log.dir is set:
<application id>.hflog in that folder.

Examples:
  holdfast explain app-20260101120000-0001.hflog
  holdfast explain app-20260101120000-0001.hflog --workflow kmeans --limit 5
  holdfast replay app-20260101120000-0001.hflog

Exit codes:
  0  done; for replay: every decision is the same
  1  replay: a decision differs
  2  wrong usage, or the log has no such workflow, executor, stage or hold
  3  the log cannot be read, or is damaged (the message gives the offset)";

/// Says what Holdfast decided, why, and whether this build would decide the same.
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
