//! Writing a trace.

use std::fmt;
use std::io::{self, Write};

use super::{Header, Workflow};

/// Why a workflow cannot be written.
#[derive(Debug)]
pub enum WriteError {
    /// It arrives before the one written last.
    Order,
    /// Something is wrong with it.
    Invalid(String),
    /// The output.
    Io(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => f.write_str("a workflow arrives before the one written last"),
            Self::Invalid(what) => f.write_str(what),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes workflow by workflow.
pub struct TraceWriter<W> {
    out: W,
    latest: u64,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header; give it something buffered.
    ///
    /// # Errors
    ///
    /// When that cannot be written.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        serde_json::to_writer(&mut out, header)?;
        out.write_all(b"\n")?;
        Ok(Self { out, latest: 0 })
    }

    /// Writes a workflow.
    ///
    /// # Errors
    ///
    /// When it is out of order or invalid, or cannot be written.
    pub fn write(&mut self, workflow: &Workflow) -> Result<(), WriteError> {
        if workflow.arrival_ms < self.latest {
            return Err(WriteError::Order);
        }
        workflow.check().map_err(WriteError::Invalid)?;
        self.latest = workflow.arrival_ms;
        serde_json::to_writer(&mut self.out, workflow).map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Ends the trace and gives the output back.
    ///
    /// # Errors
    ///
    /// When the rest cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
