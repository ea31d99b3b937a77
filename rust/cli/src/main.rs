//! `holdfast`: what decision logs, histories and Spark's event logs say, what a cluster would do, and the paper's figures.

mod args;
mod date;
mod diagnostics;
mod doctor;
mod explain;
mod figures;
mod history;
mod jar;
mod outputs;
mod parts;
mod replay;
mod screen;
mod sim;
mod text;
mod whatif;

use std::io::{self, BufReader, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use holdfast_log::{Problem, ReadError, Reader};
use holdfast_study::workload::{Kind, meant_otherwise};
use holdfast_words::{count, said, shown, shown_path};
use parts::Parts;
use screen::Screen;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Why a command did not come to its result.
enum Failure {
    /// The user asked for something that is not there: exit code 2.
    Usage(String),
    /// A file or folder cannot be read or written: exit code 3.
    Input(String),
    /// The output cannot be written, or has no reader any more.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<holdfast_study::Failure> for Failure {
    fn from(failure: holdfast_study::Failure) -> Self {
        match failure {
            holdfast_study::Failure::Usage(why) => Self::Usage(why),
            holdfast_study::Failure::Input(why) => Self::Input(why),
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    diagnostics::start(args.verbose);
    let mut out = Screen::new(anstream::AutoStream::auto(io::stdout().lock()));
    let result = match &args.command {
        Command::Replay { logs } => replay::run(logs, &mut out),
        Command::Explain(explain) => explain::run(explain, &mut out).map(|()| ExitCode::SUCCESS),
        Command::Whatif(asked) => whatif::run(asked, &mut out).map(|()| ExitCode::SUCCESS),
        Command::History(asked) => history::run(asked, &mut out).map(|()| ExitCode::SUCCESS),
        Command::Sim(asked) => sim::run(asked, &mut out),
        Command::Doctor(asked) => doctor::run(asked, &mut out),
        Command::Figures(asked) => figures::run(asked, &mut out).map(|()| ExitCode::SUCCESS),
        Command::Jar => jar::run(&mut out).map(|()| ExitCode::SUCCESS),
        Command::SparkSubmitArgs(asked) => {
            jar::submit_args(asked, &mut out).map(|()| ExitCode::SUCCESS)
        }
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Args::command(), "holdfast", &mut out);
            Ok(ExitCode::SUCCESS)
        }
    };
    let result = result.and_then(|code| Ok(out.flush().map(|()| code)?));
    result.unwrap_or_else(|failure| ExitCode::from(say(failure)))
}

/// Tells the user; returns the exit code.
fn say(failure: Failure) -> u8 {
    let (message, code) = match failure {
        Failure::Output(e) if e.kind() == ErrorKind::BrokenPipe => return 0,
        Failure::Output(e) => (format!("cannot write: {e}"), 3),
        Failure::Usage(message) => (message, 2),
        Failure::Input(message) => (message, 3),
    };
    screen::fail(message);
    code
}

type Log = Reader<BufReader<Parts>>;

fn open(path: &Path) -> Result<Log, Failure> {
    let parts = Parts::open(path).map_err(Failure::Input)?;
    Reader::new(BufReader::with_capacity(1 << 16, parts)).map_err(|e| match e.problem {
        Problem::NotALog => meant_otherwise(path, Kind::DecisionLog)
            .map_or_else(|| damaged(path, &e), Failure::from),
        _ => damaged(path, &e),
    })
}

fn damaged(path: &Path, error: &ReadError) -> Failure {
    let ReadError { offset, records, problem } = error;
    let what = match problem {
        Problem::Header(why) => format!("damaged header: {}", said(why)),
        problem => shown(&problem.to_string()),
    };
    let good = count(*records, "good record");
    Failure::Input(format!("{}: byte {offset}: {what} ({good} before)", shown_path(path)))
}

/// Says that a log stops early, where that does not disturb the output.
fn note_early_end(path: &Path, ended: bool, full: bool) {
    let why = match (ended, full) {
        (false, _) => "has no end: its application still runs, or was killed",
        (true, true) => "was full (spark.holdfast.log.max.size): its application went on",
        (true, false) => return,
    };
    screen::note(format_args!("{} {why}", shown_path(path)));
}
