//! Reading a trace.

use std::path::Path;

use holdfast_words::{fault, shown};
use serde::de::DeserializeOwned;

use super::{Header, NAME, VERSION, Workflow};
use crate::TraceError;
use crate::input::{Lines, LogFiles};

/// Reads workflow by workflow.
pub struct TraceReader {
    lines: Lines,
    header: Header,
    latest: u64,
}

impl TraceReader {
    /// Opens a trace, compressed or not, and reads its header.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no trace of this version.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let files = vec![path.to_owned()];
        let log = LogFiles { path: path.to_owned(), files, in_progress: false, complete: true };
        Self::of_lines(Lines::new(&log))
    }

    /// Returns a trace from anywhere.
    ///
    /// # Errors
    ///
    /// As [`TraceReader::open`].
    pub fn of_lines(mut lines: Lines) -> Result<Self, TraceError> {
        let header = match lines.next(|_| true)? {
            Some(line) => parse::<Header>(line.bytes),
            None => return Err(lines.error("the trace is empty")),
        };
        let header =
            header.map_err(|what| lines.error(format!("this is no header of a trace: {what}")))?;
        if header.format != NAME || header.version != VERSION {
            return Err(lines.error(format!(
                "this is {} version {}; {NAME} version {VERSION} is read",
                shown(&header.format),
                header.version
            )));
        }
        Ok(Self { lines, header, latest: 0 })
    }

    /// Returns the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the next workflow; they arrive in order.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood, or is out of order.
    pub fn read(&mut self) -> Result<Option<Workflow>, TraceError> {
        let Some(line) = self.lines.next(|_| true)? else { return Ok(None) };
        let read = parse::<Workflow>(line.bytes);
        let workflow = read.map_err(|what| self.lines.error(what))?;
        workflow.check().map_err(|what| self.lines.error(what))?;
        if workflow.arrival_ms < self.latest {
            return Err(self.lines.error("it arrives before the workflow of the line before"));
        }
        self.latest = workflow.arrival_ms;
        Ok(Some(workflow))
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|_| fault::<T>(line))
}
