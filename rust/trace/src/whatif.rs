//! The analysis of a log.

use std::collections::BTreeMap;

use crate::TraceError;
use crate::event::{EventReader, Millis};
use crate::input::{Lines, LogFiles};
use crate::order::Order;
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
    let mut report = whatif_of_lines(Lines::new(log), options)?;
    report.log.clone_from(&log.path);
    report.complete = log.complete;
    Ok(report)
}

/// The same for lines from anywhere.
///
/// # Errors
///
/// As [`whatif`].
pub fn whatif_of_lines(lines: Lines, options: &Options) -> Result<ApplicationReport, TraceError> {
    let mut events = EventReader::of_lines(lines);
    let mut order = Order::default();
    let mut sweep = Sweep::new(options.linger, options.spark.clone());
    while let Some(timed) = events.read()? {
        order.push(timed);
        while let Some((at, event)) = order.pop() {
            sweep.apply(at, event);
        }
    }
    while let Some((at, event)) = order.drain() {
        sweep.apply(at, event);
    }
    let mut report = sweep.finish();
    events.path().clone_into(&mut report.log);
    report.complete = true;
    report.cut_off = events.cut_off();
    report.bytes = events.bytes();
    report.set_late(order.late());
    Ok(report)
}
