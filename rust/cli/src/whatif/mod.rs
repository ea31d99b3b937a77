//! `holdfast whatif`: where the time of each workflow went.

mod html;
mod rows;
mod ssr;
mod text;

use std::fs;
use std::io::{self, Write};

use holdfast_trace::input::logs_at;
use holdfast_trace::report::ApplicationReport;
use holdfast_trace::{Options, TraceError, whatif};
use serde::Serialize;

use crate::Failure;
use crate::args::Whatif;
use crate::words::fits;
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
    let applications = analyse(asked)?;
    for application in &applications {
        note(&application.report);
    }
    if let Some(path) = &asked.html {
        let page = html::page(&applications, asked.limit);
        fs::write(path, page)
            .map_err(|e| Failure::Input(format!("cannot write {}: {e}", path.display())))?;
    }
    if asked.json {
        let applications = applications.as_slice();
        let json = Json { format: "holdfast-whatif", version: FORMAT, applications };
        serde_json::to_writer_pretty(&mut *out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    for (i, Application { report, ssr }) in applications.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        text::show(report, &Rows::of(report, asked.limit), out)?;
        if !report.runs.is_empty() {
            ssr::show(ssr, out)?;
        }
    }
    Ok(())
}

fn analyse(asked: &Whatif) -> Result<Vec<Application>, Failure> {
    let linger = u64::try_from(asked.linger.as_millis()).unwrap_or(u64::MAX);
    let options = Options { linger, spark: asked.conf.iter().cloned().collect() };
    let mut applications = Vec::new();
    for path in &asked.logs {
        for log in logs_at(path)? {
            let report = whatif(&log, &options)?;
            let ssr = ssr::ssr(&log, &report, &options, asked)?;
            applications.push(Application { report, ssr });
        }
    }
    let runs = applications.iter().flat_map(|application| &application.report.runs);
    if let Some(run) = runs.into_iter().find(|run| !run.adds_up()) {
        return Err(Failure::Input(format!(
            "the terms of {} add up to {} µs and its time is {} µs: this is a defect of this program, please report it",
            run.workflow,
            run.terms.sum(),
            run.jct_us
        )));
    }
    if let Some(glob) = &asked.workflow {
        for application in &mut applications {
            application.report.runs.retain(|run| fits(glob, &run.workflow));
        }
        if applications.iter().all(|application| application.report.runs.is_empty()) {
            return Err(Failure::Usage(format!("no workflow fits {glob}")));
        }
    }
    Ok(applications)
}

/// Says what limits the trust in a report, where that does not disturb the output.
fn note(report: &ApplicationReport) {
    let say = |text: String| {
        let _ = writeln!(anstream::stderr(), "note: {}: {text}", report.log.display());
    };
    if report.cut_off {
        say("the log stops in the middle of an event: its application died, or still runs"
            .to_owned());
    } else if !report.ended {
        say("the log has no end: its application still runs, or was killed".to_owned());
    }
    if !report.complete {
        say("early events have been compacted away: what they told is missing".to_owned());
    }
    if report.late_events > 0 {
        say(format!(
            "{} events are up to {} s too late in the log: they count from there",
            report.late_events,
            report.latest_ms / 1_000
        ));
    }
}
