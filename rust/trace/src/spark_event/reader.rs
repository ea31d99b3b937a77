//! The events of a log, one by one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use log::{Level, log_enabled};
use rustc_hash::FxHashMap;

use super::{SparkEvent, Timed, parse, wanted};
use crate::TraceError;
use crate::input::{Lines, LogFiles};
use crate::notes::count;

/// Reads events in the order of the log.
pub struct EventReader {
    lines: Lines,
    executors: FxHashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
    events: u64,
    /// Whether something has said that this is a log of Spark's.
    begun: bool,
    skipped: Skipped,
}

/// Lines that are not read, by the kind they name; counted only while diagnostics are on.
#[derive(Default)]
struct Skipped(RefCell<BTreeMap<String, u64>>);

impl Skipped {
    fn add(&self, line: &[u8]) {
        if log_enabled!(Level::Info) {
            let kind = parse::name(line).unwrap_or("of another form").to_owned();
            *self.0.borrow_mut().entry(kind).or_default() += 1;
        }
    }

    /// Says what was skipped since it was last told.
    fn tell(&self, path: &Path, events: u64) {
        let (skipped, path) = (self.0.take(), path.display());
        let lines: u64 = skipped.values().sum();
        log::info!(
            "{path}: {events} events read; {} skipped, of kinds that say nothing here",
            count(lines, "line")
        );
        for (kind, lines) in skipped {
            log::debug!("{path}: {lines} x {kind} skipped");
        }
    }
}

impl EventReader {
    /// Reads a log's files.
    pub fn new(log: &LogFiles) -> Self {
        Self::of_lines(Lines::new(log))
    }

    /// Reads lines from anywhere.
    pub fn of_lines(lines: Lines) -> Self {
        Self {
            lines,
            executors: FxHashMap::default(),
            names: Vec::new(),
            events: 0,
            begun: false,
            skipped: Skipped::default(),
        }
    }

    /// Spark's name of an executor, by the number that events have for it.
    pub fn executor_name(&self, executor: u32) -> &str {
        self.names.get(executor as usize).map_or("", |name| name)
    }

    /// Decoded bytes so far.
    pub const fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Returns whether the log stops in the middle of an event.
    pub const fn cut_off(&self) -> bool {
        self.lines.cut_off()
    }

    /// Returns the file that the last event was in.
    pub fn path(&self) -> &Path {
        self.lines.path()
    }

    /// Returns the next event that is read.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn read(&mut self) -> Result<Option<Timed>, TraceError> {
        let (executors, names) = (&mut self.executors, &mut self.names);
        let mut number = |name: &str| {
            if let Some(&number) = executors.get(name) {
                return number;
            }
            let number = u32::try_from(names.len()).unwrap_or(u32::MAX);
            executors.insert(name.into(), number);
            names.push(name.into());
            number
        };
        let skipped = &self.skipped;
        let wanted = |head: &[u8]| {
            let wanted = wanted(head);
            if !wanted {
                skipped.add(head);
            }
            wanted
        };
        loop {
            let Some(line) = self.lines.next(wanted)? else { return self.end() };
            if line.bytes.trim_ascii().is_empty() {
                continue;
            }
            let cut = line.cut;
            match parse(line.bytes, &mut number) {
                Ok(Some(event)) => {
                    self.events += 1;
                    self.begun |= matches!(
                        event.event,
                        SparkEvent::LogStart { .. } | SparkEvent::Application { .. }
                    );
                    return Ok(Some(event));
                }
                Ok(None) => skipped.add(line.bytes),
                Err(_) if cut && self.events > 0 => {
                    self.lines.ends_here()?;
                    return self.end();
                }
                Err(what) => return Err(self.lines.error(what)),
            }
        }
    }

    /// Returns what has lines, and none that Spark begins a log with, would pass for an application that did nothing.
    fn end(&self) -> Result<Option<Timed>, TraceError> {
        self.skipped.tell(self.lines.path(), self.events);
        if self.begun || !self.lines.has_begin() {
            return Ok(None);
        }
        Err(self.lines.error_at_begin(
            "no Spark event log begins here: it has neither SparkListenerLogStart nor SparkListenerApplicationStart. Of a rolling log name the folder",
        ))
    }
}
