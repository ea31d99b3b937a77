//! The command line.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use holdfast_log::{FORMAT, REVISION, VERSION};
use holdfast_study::figures::NODES;

use crate::figures;
use crate::jar::SubmitArgs;
use crate::sim::args::Sim;

static VERSION_TEXT: LazyLock<String> = LazyLock::new(|| {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    format!("{VERSION} (revision {revision}, log format {FORMAT})")
});

const AFTER_HELP: &str = "\
Spark writes a decision log for each application when spark.holdfast.log.dir is set:
<application id>.hflog in that folder, and .hflog.2 and so on where it is large: one log, by whichever it is named. When spark.holdfast.history.dir is set, each application leaves there what
its workflows repeat, for the next one. The figures need neither.

Examples:
  holdfast explain app-20260101120000-0001.hflog
  holdfast explain app-20260101120000-0001.hflog --workflow kmeans --limit 5
  holdfast replay app-20260101120000-0001.hflog
  holdfast history /data/holdfast
  holdfast whatif /data/spark-events/eventlog_v2_app-20260101120000-0001
  holdfast sim --preset paper --foreground mllib
  holdfast sim --preset paper --variant priority,lookahead --seeds 10 --out build/sim
  holdfast figures --out build/figures
  holdfast doctor --spark-home /opt/spark

Exit codes:
  0  done; for replay: every decision is the same; for doctor: Holdfast would run
  1  replay: a decision differs; sim --check: a launch differs; doctor: Holdfast would not run
  2  wrong usage, or there is no such workflow, executor, stage, hold or figure
  3  a log, world or folder cannot be read, changed or written, or is damaged (the message gives the offset or line), or
     a simulation comes to no end; whatif and replay tell of the other logs, and sim of the other runs, all the same
  130 sim: ended by Ctrl-C; what was done by then is kept";

/// Says what Holdfast decided, why, whether this build would decide the same, what it remembers, and where the time of
/// workflows went without it; computes the paper's figures.
#[derive(Parser)]
#[command(name = "holdfast", version = VERSION_TEXT.as_str(), after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Say on standard error what is skipped, rebuilt and drawn; twice: each of them. RUST_LOG=holdfast_trace=debug
    /// chooses for each part
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
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
    /// Say where the time of each workflow went, from Spark's event logs
    ///
    /// For what ran without Holdfast: which workflows lost slots at barriers, to whom, and what that cost. Each
    /// workflow's time is divided into computing, the first wait for slots, what it lost at barriers, waits for
    /// locality although slots were free, and gaps in which the driver had submitted nothing; they add up to it.
    /// Then the application is simulated on its own executors, as it was recorded and with Holdfast: what those that
    /// lost most would have taken at an isolation of 0.4, 0.9 and 1, and what that idles.
    Whatif(Whatif),
    /// Show what workflows repeated in earlier applications, and remove what is old
    ///
    /// One line for each workflow and shape of its first job: how often it ran, its widest stage, how many steps of
    /// it are known, and when it ran last (UTC), the latest first. Below, what bounded jobs taught GRASS: samples by size,
    /// bound and rule. For local folders.
    History(History),
    /// Simulate a cluster with Spark's scheduler, with or without Holdfast
    ///
    /// Of a world in a JSON file, of one that is known, or of what has run somewhere: one of Spark's event logs, or a
    /// trace. Shows how long workflows take compared with having the cluster for themselves, and what became of the
    /// slots; of one run in detail, of several variants, isolations and seeds side by side with confidence intervals.
    /// Equal worlds and seeds give equal output.
    Sim(Box<Sim>),
    /// Say whether Holdfast would run with a Spark, and what to do if not
    ///
    /// Starts a JVM as that Spark starts a driver's, with its spark-defaults.conf and the keys given here, and goes
    /// through all that a start does but the start itself: no SparkContext, no cluster. Exits with 0 if it would run,
    /// else with 1.
    Doctor(Doctor),
    /// Compute figures of the paper, with what it says beside what came out
    ///
    /// Writes for each figure a drawing (fig10.svg) and its numbers (fig10.csv: setting,x,series,value,lo,hi,n,seed), and
    /// one page that needs no other file (figures.html): under each figure what the paper says, what came out, and whether
    /// that agrees. The page has the figures of this run that are done, and replaces that of an earlier one: with --only it
    /// is without others that are still in the folder.
    ///
    /// What is drawn at random is drawn from several seeds; value is then the median over them, and lo
    /// and hi are the least and the largest of them; of 40 seeds and more 95 of 100 lie from lo to hi. Equal seeds give equal files, on one core and on many. What follows from a formula has no interval.
    Figures(Figures),
    /// Print the path of the jar for Spark
    ///
    /// It lies beside this program in tarball and wheel; the environment variable HOLDFAST_JAR names another.
    #[command(
        after_help = "Example:\n  spark-shell --jars $(holdfast jar) --conf spark.plugins=io.holdfast.HoldfastPlugin"
    )]
    Jar,
    /// Print what to add to spark-submit, spark-shell or pyspark
    SparkSubmitArgs(SubmitArgs),
    /// Print what lets a shell complete this program's commands and options
    #[command(
        after_help = "Example:\n  holdfast completions bash > ~/.local/share/bash-completion/completions/holdfast"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// However many seeds are asked for, those that follow this one are numbers.
const LAST_SEED: u64 = u64::MAX - u32::MAX as u64;

/// Which figures, and from which seeds.
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  holdfast figures --out build/figures
  holdfast figures --out build/figures --only fig10 --seed 7 --seeds 20
  holdfast figures --out build/figures --only fig15 --nodes 50 --seeds 2
  holdfast figures --out build/figures --docs docs/figures.md
  holdfast figures --out build/figures --paper grass --only fig04,fig05

RAYON_NUM_THREADS=1 leaves the other cores alone.")]
pub(crate) struct Figures {
    /// The folder to write to; it is made where there is none
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// A Markdown page to update: between its lines <!-- fig15:begin --> and <!-- fig15:end --> numbers and the drawing,
    /// which is copied to the folder `figures` beside it
    #[arg(long, value_name = "FILE")]
    pub(crate) docs: Option<PathBuf>,
    /// Which paper's figures
    #[arg(
        long,
        value_name = "PAPER",
        default_value = "ssr",
        value_parser = PossibleValuesParser::new(figures::papers())
    )]
    pub(crate) paper: String,
    /// Only these figures, with commas between them
    #[arg(
        long,
        value_name = "FIGURE",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(figures::names())
    )]
    pub(crate) only: Vec<String>,
    /// The first seed; the others follow it one by one
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=LAST_SEED))]
    pub(crate) seed: u64,
    /// How many seeds to draw from, instead of as many as each figure takes by itself
    #[arg(long, value_name = "COUNT")]
    pub(crate) seeds: Option<NonZeroU32>,
    /// Nodes of the simulated cluster (fig15 to fig17); its background grows with them
    #[arg(long, value_name = "COUNT", default_value_t = NODES, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) nodes: u32,
}

/// Which Spark, which jar, which keys.
#[derive(ClapArgs)]
#[command(after_help = "\
Without --spark-home and --pyspark: the Spark of the variable SPARK_HOME, else python3's pyspark.

Examples:
  holdfast doctor
  holdfast doctor --spark-home /opt/spark --conf spark.plugins=io.holdfast.HoldfastPlugin
  holdfast doctor --python venv/bin/python --properties-file prod.conf")]
pub(crate) struct Doctor {
    /// The folder of a Spark: it has bin and jars
    #[arg(long, value_name = "DIR", conflicts_with_all = ["pyspark", "python"])]
    pub(crate) spark_home: Option<PathBuf>,
    /// The Spark that comes with python3's pyspark
    #[arg(long)]
    pub(crate) pyspark: bool,
    /// The Spark that comes with this Python's pyspark
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<String>,
    /// The jar to look at, instead of the one that came with this program
    #[arg(long, value_name = "FILE")]
    pub(crate) jar: Option<PathBuf>,
    /// Spark configuration, as for spark-submit
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) conf: Vec<(String, String)>,
    /// Read this file instead of spark-defaults.conf, as spark-submit does
    #[arg(long, value_name = "FILE")]
    pub(crate) properties_file: Option<PathBuf>,
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

/// What the rows of `whatif` are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Workflow,
    Execution,
}

/// Which event logs, and what to say of them.
#[derive(ClapArgs)]
#[command(after_help = "\
Pools name workflows only when they have a priority. To see what a pool would gain, give it one:
  holdfast whatif /data/spark-events --conf spark.holdfast.pool.important.priority=10

With --workflow those that it names are simulated, whether they lost anything or not:
  holdfast whatif /data/spark-events/app-1 --workflow 'group:report-*' --simulate 5

Logs may be plain, zstd, lz4 or gzip, of Spark 3 and 4, complete or of an application that still runs or died
(.inprogress). The words are explained in docs/reference/whatif.md.")]
pub(crate) struct Whatif {
    /// Event logs: files, folders of rolling logs (eventlog_v2_...), or folders of logs
    #[arg(value_name = "EVENTLOG", required = true)]
    pub(crate) logs: Vec<PathBuf>,
    /// Write JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write a page with a bar for each workflow
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Only workflows of this name; * stands for any text, ? for one character
    #[arg(long, value_name = "GLOB")]
    pub(crate) workflow: Option<String>,
    /// Spark configuration beside the log's own, for example a pool's priority
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) conf: Vec<(String, String)>,
    /// How long a named workflow may be without a Spark job and still be the same run: a number and ms or s
    #[arg(long, value_name = "TIME", value_parser = linger, default_value = "5s")]
    pub(crate) linger: Duration,
    /// What gets a row: a workflow, or each SQL execution, whatever pool, job group or scope it has
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = By::Workflow)]
    pub(crate) by: By,
    /// Simulate at most so many workflows of each application with Holdfast, those that lost most first; 0: none
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) simulate: usize,
    /// The priority that each of them has there
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) priority: i32,
    /// Also simulate what stragglers cost each workflow, and what GRASS would give where all partitions count
    #[arg(long)]
    pub(crate) stragglers: bool,
    /// Simulate no application of more tasks; each takes about 150 bytes of memory
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(crate) most_tasks: u64,
    /// Show at most so many workflows of each application, those that lost most first; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) limit: usize,
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

pub(crate) fn linger(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("s", 1_000)];
    let parsed = units.iter().find_map(|&(unit, millis)| {
        text.strip_suffix(unit)?.parse::<u64>().ok()?.checked_mul(millis)
    });
    Ok(Duration::from_millis(parsed.ok_or("write for example 5s or 500ms")?))
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
    after_help = "Examples:\n  holdfast explain app-20260101120000-0001.hflog --workflow kmeans --executor 2\n  \
                  holdfast explain app-20260101120000-0001.hflog --stage 7 --task 3"
)]
pub(crate) struct Explain {
    /// The decision log
    #[arg(value_name = "LOG")]
    pub(crate) log: PathBuf,
    /// Only holds of this workflow: its name (pool, job group ...) or number
    #[arg(long, value_name = "NAME|ID")]
    pub(crate) workflow: Option<String>,
    /// Only holds of workflows whose latest job was this user's (of Spark Connect)
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Only holds made when a task of this stage left its slot, or used by this stage
    #[arg(long, value_name = "ID")]
    pub(crate) stage: Option<u32>,
    /// Not holds, but this task of --stage: when it ran, and why it was copied or not
    #[arg(long, value_name = "N", requires = "stage", conflicts_with_all = ["workflow", "user", "executor", "hold"])]
    pub(crate) task: Option<u32>,
    /// Only holds on this executor: Spark's name for it, or Holdfast's number
    #[arg(long, value_name = "NAME|ID")]
    pub(crate) executor: Option<String>,
    /// Only this hold
    #[arg(long, value_name = "ID")]
    pub(crate) hold: Option<u32>,
    /// Write each hold as JSON, all that fit
    #[arg(long, conflicts_with = "task")]
    pub(crate) json: bool,
    /// Show at most so many holds; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
}

impl Explain {
    /// Returns whether single holds are asked for.
    pub(crate) const fn has_filter(&self) -> bool {
        self.workflow.is_some()
            || self.user.is_some()
            || self.stage.is_some()
            || self.executor.is_some()
            || self.hold.is_some()
    }
}
