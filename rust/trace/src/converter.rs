//! From an event log to a trace, as a stream.

use crate::TraceError;
use crate::convert::Conversion;
use crate::feed::Feed;
use crate::format::{Header, Workflow};
use crate::input::{Lines, LogFiles};
use crate::rebuild::Rebuilt;
use crate::whatif::Options;

/// Turns a log's events into workflows, in the order of their arrivals. Memory is bounded by what lives, and by what
/// has ended since the earliest workflow that lives has arrived.
pub struct Converter {
    feed: Feed,
    conversion: Conversion,
    ended: bool,
}

impl Converter {
    /// Reads a log once for what it has lost, and then as it is asked; an application's begin is the origin of times.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn new(log: &LogFiles, options: &Options) -> Result<Self, TraceError> {
        let again = log.can_be_read_again();
        let lost = if again { Feed::scan(Lines::new(log))? } else { Rebuilt::default() };
        Ok(Self::with(Lines::new(log), lost, options))
    }

    /// Returns the same for lines from anywhere, which are asked for twice.
    ///
    /// # Errors
    ///
    /// As [`Converter::new`].
    pub fn of_lines(lines: impl Fn() -> Lines, options: &Options) -> Result<Self, TraceError> {
        Ok(Self::with(lines(), Feed::scan(lines())?, options))
    }

    fn with(lines: Lines, lost: Rebuilt, options: &Options) -> Self {
        Self { feed: Feed::new(lines, lost), conversion: Conversion::new(options), ended: false }
    }

    /// Returns the header of such a trace.
    pub fn header() -> Header {
        Header::new("spark-event-log")
    }

    /// Returns the next workflow.
    ///
    /// # Errors
    ///
    /// File and line of what cannot be read or understood.
    pub fn read(&mut self) -> Result<Option<Workflow>, TraceError> {
        loop {
            if let Some(workflow) = self.conversion.pop() {
                return Ok(Some(workflow));
            }
            if self.ended {
                return Ok(None);
            }
            if let Some((at, event)) = self.feed.read()? {
                self.conversion.apply(at, &event);
            } else {
                self.conversion.finish();
                self.ended = true;
            }
        }
    }
}
