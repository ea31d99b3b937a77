//! The analysis of a log.

use std::collections::BTreeMap;

use crate::TraceError;
use crate::feed::Feed;
use crate::input::{Lines, LogFiles};
use crate::notes::{self, Note};
use crate::rebuild::Rebuilt;
use crate::recording::{Recorded, Recorder};
use crate::report::ApplicationReport;
use crate::runs::Runs;
use crate::spark_event::Millis;
use crate::sweep::Sweep;

/// What the user may say about the analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long a named workflow without a Spark job is still the same run, in milliseconds.
    pub linger: Millis,
    /// Spark configuration in addition to the log's own: which pools have a priority.
    pub spark: BTreeMap<String, String>,
    /// Whether each SQL execution is a workflow of its own, whatever else names its jobs.
    pub by_execution: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { linger: Runs::LINGER, spark: BTreeMap::new(), by_execution: false }
    }
}

/// Says where the time of every workflow of a log went.
///
/// # Errors
///
/// File and line of what cannot be read or understood.
pub fn whatif(log: &LogFiles, options: &Options) -> Result<ApplicationReport, TraceError> {
    let analysed = analyse(&|| Lines::new(log), log.can_be_read_again(), options, None)?;
    Ok(of_log(log, analysed).0)
}

/// Returns the same, and the log in memory for simulation if it has at most so many tasks, all in one pass.
///
/// # Errors
///
/// As [`whatif`].
pub fn whatif_recorded(
    log: &LogFiles,
    options: &Options,
    most_tasks: u64,
) -> Result<(ApplicationReport, Recorded), TraceError> {
    let most = Some(most_tasks);
    let analysed = analyse(&|| Lines::new(log), log.can_be_read_again(), options, most)?;
    let (report, recorder) = of_log(log, analysed);
    Ok((report, recorder.map_or(Recorded::TooMany, Recorder::finish)))
}

/// Returns what [`whatif`] says of lines from anywhere, which are asked for again if something in them is lost.
///
/// # Errors
///
/// As [`whatif`].
pub fn whatif_of_lines(
    lines: impl Fn() -> Lines,
    options: &Options,
) -> Result<ApplicationReport, TraceError> {
    let mut analysed = analyse(&lines, true, options, None)?;
    analysed.note();
    Ok(analysed.report)
}

/// What came of reading a log, and what it has lost.
struct Analysed {
    report: ApplicationReport,
    recorder: Option<Recorder>,
    lost: Rebuilt,
    /// Notes of what was lost.
    notes: Vec<Note>,
}

impl Analysed {
    fn note(&mut self) {
        self.report.notes = notes::of(&self.report);
        self.report.notes.append(&mut self.notes);
    }
}

fn of_log(log: &LogFiles, mut analysed: Analysed) -> (ApplicationReport, Option<Recorder>) {
    analysed.report.log.clone_from(&log.path);
    analysed.report.complete = log.complete;
    analysed.note();
    (analysed.report, analysed.recorder)
}

/// Reads a log, and again if that can put back what it has lost.
fn analyse(
    lines: &dyn Fn() -> Lines,
    again: bool,
    options: &Options,
    most_tasks: Option<u64>,
) -> Result<Analysed, TraceError> {
    let mut first = pass(lines(), Rebuilt::default(), options, most_tasks)?;
    let notes = first.lost.notes(again);
    if again && !first.lost.is_empty() {
        first = pass(lines(), std::mem::take(&mut first.lost), options, most_tasks)?;
    }
    Ok(Analysed { notes, ..first })
}

fn pass(
    lines: Lines,
    lost: Rebuilt,
    options: &Options,
    most_tasks: Option<u64>,
) -> Result<Analysed, TraceError> {
    let mut feed = Feed::new(lines, lost);
    let mut recorder = most_tasks.map(|most| Recorder::new(options, most));
    let mut sweep = Sweep::new(options);
    while let Some((at, event)) = feed.read()? {
        if let Some(recorder) = &mut recorder {
            recorder.apply(at, &event);
        }
        sweep.apply(at, event);
    }
    let mut report = sweep.finish();
    feed.path().clone_into(&mut report.log);
    report.complete = true;
    report.cut_off = feed.cut_off();
    report.bytes = feed.bytes();
    report.set_late(feed.late());
    Ok(Analysed { report, recorder, lost: feed.lost(), notes: Vec::new() })
}
