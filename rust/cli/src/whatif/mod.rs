//! `holdfast whatif`: where the time of each workflow went.

mod html;
mod rows;
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

/// Version of the JSON: a field that goes or changes its meaning makes a new one.
const FORMAT: u32 = 1;

/// What `--json` writes.
#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    version: u32,
    applications: &'a [ApplicationReport],
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::Input(error.to_string())
    }
}

pub(crate) fn run(asked: &Whatif, out: &mut dyn Write) -> Result<(), Failure> {
    let reports = analyse(asked)?;
    for report in &reports {
        note(report);
    }
    if let Some(path) = &asked.html {
        let page = html::page(&reports, asked.limit);
        fs::write(path, page)
            .map_err(|e| Failure::Input(format!("cannot write {}: {e}", path.display())))?;
    }
    if asked.json {
        let json = Json { format: "holdfast-whatif", version: FORMAT, applications: &reports };
        serde_json::to_writer_pretty(&mut *out, &json).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    for (i, report) in reports.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        text::show(report, &Rows::of(report, asked.limit), out)?;
    }
    Ok(())
}

fn analyse(asked: &Whatif) -> Result<Vec<ApplicationReport>, Failure> {
    let linger = u64::try_from(asked.linger.as_millis()).unwrap_or(u64::MAX);
    let options = Options { linger, spark: asked.conf.iter().cloned().collect() };
    let mut reports = Vec::new();
    for path in &asked.logs {
        for log in logs_at(path)? {
            reports.push(whatif(&log, &options)?);
        }
    }
    if let Some(run) = reports.iter().flat_map(|r| &r.runs).find(|run| !run.adds_up()) {
        return Err(Failure::Input(format!(
            "the terms of {} add up to {} µs and its time is {} µs: this is a defect of this program, please report it",
            run.workflow,
            run.terms.sum(),
            run.jct_us
        )));
    }
    if let Some(glob) = &asked.workflow {
        for report in &mut reports {
            report.runs.retain(|run| fits(glob, &run.workflow));
        }
        if reports.iter().all(|report| report.runs.is_empty()) {
            return Err(Failure::Usage(format!("no workflow fits {glob}")));
        }
    }
    Ok(reports)
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
