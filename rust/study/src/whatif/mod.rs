//! Where the time of each workflow went, and what Holdfast would have given.

pub mod grass;
mod html;
pub mod rows;
pub mod sentences;
pub mod ssr;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use holdfast_trace::input::{LogFiles, logs_in};
use holdfast_trace::notes::{Note, NoteKind};
use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_trace::{Options, whatif, whatif_recorded};
use holdfast_words::{fits, shown, shown_path};
use serde::Serialize;

use crate::Failure;
use crate::workload::{self, Kind};
use grass::Grass;
pub use html::page;
use ssr::Ssr;

/// Version of the JSON: a field that goes or changes its meaning makes a new one.
const FORMAT: u32 = 1;

/// Which event logs, and what to say of them.
pub struct Request {
    /// Files, folders of rolling logs, or folders of logs.
    pub logs: Vec<PathBuf>,
    /// Only workflows that fit this pattern.
    pub workflow: Option<String>,
    /// Spark configuration in addition to the logs' own.
    pub conf: Vec<(String, String)>,
    /// How long a named workflow may be without a Spark job and still be the same run.
    pub linger: Duration,
    /// Whether each SQL execution is a workflow of its own, whatever else names its jobs.
    pub by_execution: bool,
    /// The most workflows of each application that are simulated, those that lost most first.
    pub simulate: usize,
    /// The priority that each of them has there.
    pub priority: i32,
    /// Whether to say what stragglers cost, too.
    pub stragglers: bool,
    /// No application of more tasks is simulated.
    pub most_tasks: u64,
}

/// What is said of all applications, as a document.
#[derive(Serialize)]
pub struct Document<'a> {
    format: &'static str,
    version: u32,
    applications: &'a [Application],
    /// Logs that could not be read, and why.
    unread: &'a [String],
}

impl<'a> Document<'a> {
    /// Returns the document about these applications, and logs that could not be read.
    pub const fn new(applications: &'a [Application], unread: &'a [String]) -> Self {
        Self { format: "holdfast-whatif", version: FORMAT, applications, unread }
    }
}

/// What is said of an application.
#[derive(Serialize)]
pub struct Application {
    /// Where the time went.
    #[serde(flatten)]
    pub report: ApplicationReport,
    /// What Holdfast would give.
    pub ssr: Ssr,
    /// What stragglers cost, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grass: Option<Grass>,
}

/// Returns what is said of each log, and why others could not be read: one that is damaged among many does not hide the
/// rest.
///
/// # Errors
/// The only one cannot be read, or what was asked for is in none of them.
pub fn analyse(asked: &Request) -> Result<(Vec<Application>, Vec<String>), Failure> {
    let linger = u64::try_from(asked.linger.as_millis()).unwrap_or(u64::MAX);
    let spark = asked.conf.iter().cloned().collect();
    let options = Options { linger, spark, by_execution: asked.by_execution };
    let (mut applications, mut unread) = (Vec::new(), Vec::new());
    for path in &asked.logs {
        for log in logs_in(path).unwrap_or_else(|why| vec![Err(why)]) {
            match log.map_err(Failure::from).and_then(|log| read(&log, &options, asked)) {
                Ok(application) => applications.push(application),
                Err(Failure::Input(why)) => unread.push(why),
                Err(other) => return Err(other),
            }
        }
    }
    if applications.is_empty()
        && let [why] = unread.as_slice()
    {
        return Err(Failure::Input(why.clone()));
    }
    if let Some(glob) = &asked.workflow {
        for application in &mut applications {
            application.report.runs.retain(|run| fits(glob, &run.workflow));
        }
        let none = applications.iter().all(|application| application.report.runs.is_empty());
        if none && unread.is_empty() {
            return Err(Failure::Usage(format!("no workflow fits {}", shown(glob))));
        }
        // Of an application that has none it would say that no job ran.
        if !none {
            applications.retain(|application| !application.report.runs.is_empty());
        }
    }
    Ok((applications, unread))
}

/// Returns what is said of a log; of another kind of file, which command takes it.
fn read(log: &LogFiles, options: &Options, asked: &Request) -> Result<Application, Failure> {
    application(log, options, asked).map_err(|failure| match (failure, log.files.as_slice()) {
        (Failure::Input(why), [file]) => {
            workload::meant_otherwise(file, Kind::EventLog).unwrap_or(Failure::Input(why))
        }
        (failure, _) => failure,
    })
}

fn application(log: &LogFiles, options: &Options, asked: &Request) -> Result<Application, Failure> {
    let (mut report, recorded) = if asked.simulate == 0 {
        (whatif(log, options)?, None)
    } else {
        let (report, recorded) = whatif_recorded(log, options, asked.most_tasks)?;
        (report, Some(recorded))
    };
    if let Some(run) = report.runs.iter().find(|run| !run.adds_up()) {
        return Err(Failure::Input(format!(
            "{}: the terms of {} add up to {} µs and its time is {} µs: this is a defect of this program, please report it",
            shown_path(&log.path),
            shown(&run.workflow),
            run.terms.sum(),
            run.jct_us
        )));
    }
    number_runs(&mut report.runs);
    let (ssr, grass) = ssr::ssr(&report, recorded, asked);
    if let Some(file) = &ssr.lacks_pools {
        report.notes.push(Note::new(NoteKind::Unread, workload::pools_unknown(file)));
    }
    Ok(Application { report, ssr, grass })
}

/// Numbers the runs of each name in the order of their arrivals: numbers of SQL executions and jobs come again where an
/// application has several contexts.
fn number_runs(runs: &mut [RunReport]) {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&place| (runs[place].arrival_ms, runs[place].run, place));
    for place in order {
        let run = &mut runs[place];
        let number = numbers.entry(run.workflow.clone()).or_default();
        *number += 1;
        run.run = *number;
    }
}
