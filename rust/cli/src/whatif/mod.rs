//! `holdfast whatif`: where the time of each workflow went.

mod html;
mod rows;
mod ssr;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use holdfast_trace::input::{LogFiles, logs_in};
use holdfast_trace::notes::{Note, NoteKind};
use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_trace::{Options, TraceError, whatif, whatif_recorded};
use holdfast_words::{count, shown, shown_path};
use serde::Serialize;

use crate::Failure;
use crate::args::Whatif;
use crate::outputs::{self, Output};
use crate::screen;
use crate::words::fits;
use crate::workload::{self, Kind};
use rows::Rows;
use ssr::Ssr;

/// Version of the JSON: a field that goes or changes its meaning makes a new one.
const FORMAT: u32 = 1;

/// What `--json` writes.
#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    applications: &'a [Application],
    /// Logs that could not be read, and why.
    unread: &'a [String],
}

/// What is said of an application.
#[derive(Serialize)]
struct Application {
    /// Where the time went.
    #[serde(flatten)]
    report: ApplicationReport,
    /// What Holdfast would give.
    ssr: Ssr,
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Input(error.to_string())
    }
}

pub(crate) fn run(asked: &Whatif, out: &mut dyn Write) -> Result<(), Failure> {
    workload::check(&asked.conf)?;
    let conf = asked.conf.iter().cloned().collect();
    let pools = workload::pools_file(&conf);
    let read: Vec<&Path> = asked.logs.iter().map(PathBuf::as_path).chain(pools).collect();
    let page = asked.html.iter().map(|path| Output::new("--html", path));
    outputs::check(&read, &page.collect::<Vec<_>>())?;
    let (applications, unread) = analyse(asked)?;
    for application in &applications {
        tell_notes(&application.report);
    }
    if let Some(path) = &asked.html {
        let page = html::page(&applications, &unread, asked.limit);
        fs::write(path, page)
            .map_err(|e| Failure::Input(format!("cannot write {}: {e}", shown_path(path))))?;
    }
    if asked.json {
        let (applications, unread) = (applications.as_slice(), unread.as_slice());
        let json = Json { format: "holdfast-whatif", version: FORMAT, applications, unread };
        writeln!(out, "{}", holdfast_words::json(&json).map_err(io::Error::from)?)?;
    } else {
        show(&applications, asked.limit, out)?;
    }
    if unread.is_empty() {
        return Ok(());
    }
    out.flush()?;
    let all = count((applications.len() + unread.len()) as u64, "log");
    Err(Failure::Input(format!(
        "{} of {all} cannot be read:\n  {}",
        unread.len(),
        unread.join("\n  ")
    )))
}

fn show(applications: &[Application], limit: usize, out: &mut dyn Write) -> io::Result<()> {
    for (i, Application { report, ssr }) in applications.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        text::show(report, &Rows::of(report, limit), out)?;
        if !report.runs.is_empty() {
            ssr::show(ssr, out)?;
        }
    }
    Ok(())
}

/// What is said of each log, and why others could not be read: one that is damaged among many does not hide the rest.
///
/// # Errors
/// The only one cannot be read, or what was asked for is in none of them.
fn analyse(asked: &Whatif) -> Result<(Vec<Application>, Vec<String>), Failure> {
    let linger = u64::try_from(asked.linger.as_millis()).unwrap_or(u64::MAX);
    let options = Options { linger, spark: asked.conf.iter().cloned().collect() };
    let (mut applications, mut unread) = (Vec::new(), Vec::new());
    for path in &asked.logs {
        for log in logs_in(path).unwrap_or_else(|why| vec![Err(why)]) {
            match log.map_err(Failure::from).and_then(|log| told(&log, &options, asked)) {
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

/// What is said of a log; of another kind of file, which command takes it.
fn told(log: &LogFiles, options: &Options, asked: &Whatif) -> Result<Application, Failure> {
    application(log, options, asked).map_err(|failure| match (failure, log.files.as_slice()) {
        (Failure::Input(why), [file]) => {
            workload::meant_otherwise(file, Kind::EventLog).unwrap_or(Failure::Input(why))
        }
        (failure, _) => failure,
    })
}

fn application(log: &LogFiles, options: &Options, asked: &Whatif) -> Result<Application, Failure> {
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
    let ssr = ssr::ssr(&report, recorded, asked)?;
    if let Some(file) = &ssr.lacks_pools {
        report.notes.push(Note::new(NoteKind::Unread, workload::pools_unknown(file)));
    }
    Ok(Application { report, ssr })
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

/// Says what limits the trust in a report, where that does not disturb the output.
fn tell_notes(report: &ApplicationReport) {
    for Note { text, .. } in &report.notes {
        screen::note(format_args!("{}: {}", shown_path(&report.log), shown(text)));
    }
}
