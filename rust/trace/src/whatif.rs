//! The analysis of a log.

use std::collections::BTreeMap;

use crate::TraceError;
use crate::event::{Event, EventReader, Millis};
use crate::input::{Lines, LogFiles};
use crate::notes;
use crate::order::Order;
use crate::recording::{Recorded, Recorder};
use crate::report::ApplicationReport;
use crate::runs::Runs;
use crate::sweep::Sweep;

/// What the user may say about the analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long a named workflow without a Spark job is still the same run, in milliseconds.
    pub linger: Millis,
    /// Spark configuration beside the log's own: which pools have a priority.
    pub spark: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { linger: Runs::LINGER, spark: BTreeMap::new() }
    }
}

/// Says where the time of every workflow of a log went.
///
/// # Errors
///
/// File and line of what cannot be read or understood.
pub fn whatif(log: &LogFiles, options: &Options) -> Result<ApplicationReport, TraceError> {
    Ok(of_log(log, analyse(Lines::new(log), options, None)?.0))
}

/// The same, and the log in memory for simulation if it has at most so many tasks, all in one pass.
///
/// # Errors
///
/// As [`whatif`].
pub fn whatif_recorded(
    log: &LogFiles,
    options: &Options,
    most_tasks: u64,
) -> Result<(ApplicationReport, Recorded), TraceError> {
    let recorder = Recorder::new(options, most_tasks);
    let (report, recorder) = analyse(Lines::new(log), options, Some(recorder))?;
    Ok((of_log(log, report), recorder.map_or(Recorded::TooMany, Recorder::finish)))
}

/// What [`whatif`] says of lines from anywhere.
///
/// # Errors
///
/// As [`whatif`].
pub fn whatif_of_lines(lines: Lines, options: &Options) -> Result<ApplicationReport, TraceError> {
    Ok(noted(analyse(lines, options, None)?.0))
}

fn noted(mut report: ApplicationReport) -> ApplicationReport {
    report.notes = notes::of(&report);
    report
}

fn of_log(log: &LogFiles, mut report: ApplicationReport) -> ApplicationReport {
    report.log.clone_from(&log.path);
    report.complete = log.complete;
    noted(report)
}

fn analyse(
    lines: Lines,
    options: &Options,
    mut recorder: Option<Recorder>,
) -> Result<(ApplicationReport, Option<Recorder>), TraceError> {
    let mut events = EventReader::of_lines(lines);
    let mut order = Order::default();
    let mut sweep = Sweep::new(options.linger, options.spark.clone());
    let mut tell = |at, event: Event| {
        if let Some(recorder) = &mut recorder {
            recorder.apply(at, &event);
        }
        sweep.apply(at, event);
    };
    while let Some(timed) = events.read()? {
        order.push(timed);
        while let Some((at, event)) = order.pop() {
            tell(at, event);
        }
    }
    while let Some((at, event)) = order.drain() {
        tell(at, event);
    }
    let mut report = sweep.finish();
    events.path().clone_into(&mut report.log);
    report.complete = true;
    report.cut_off = events.cut_off();
    report.bytes = events.bytes();
    report.set_late(order.late());
    Ok((report, recorder))
}
