//! The lines of a log, across its files, in one buffer.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::TraceError;
use crate::input::{LogFiles, decoder};

/// What is read at once.
const CHUNK: usize = 256 << 10;
/// So much of a line is enough to decide whether it is wanted.
const HEAD: usize = 256;
/// A line that is wanted may be so long: plans with thousands of stages have tens of megabytes.
const LONGEST: usize = 256 << 20;

/// What is said of a log that ends early.
pub const CUT_OFF: &str =
    "the log is cut off here. If its application died, let the name of the file end in .inprogress";

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its number in its file, from 1.
    pub number: u64,
    /// Whether its file ends before the line does.
    pub cut: bool,
}

/// Reads line by line; holds one line at a time, and nothing of a line that is not wanted.
pub struct Lines {
    files: VecDeque<PathBuf>,
    reader: Option<BufReader<Box<dyn Read + Send>>>,
    path: PathBuf,
    /// Where the log begins.
    first: PathBuf,
    number: u64,
    bytes: u64,
    buffer: Vec<u8>,
    /// Whether the last file may end anywhere.
    in_progress: bool,
    /// Whether it begins with its application.
    complete: bool,
    cut_off: bool,
}

enum Got {
    Line { cut: bool },
    Unwanted,
    End,
}

impl Lines {
    /// Returns the lines of a log's files, in their order.
    pub fn new(log: &LogFiles) -> Self {
        Self {
            files: log.files.iter().cloned().collect(),
            reader: None,
            path: log.path.clone(),
            first: log.files.first().unwrap_or(&log.path).clone(),
            number: 0,
            bytes: 0,
            buffer: Vec::new(),
            in_progress: log.in_progress,
            complete: log.complete,
            cut_off: false,
        }
    }

    /// Lines of something that is no file; `name` stands for it in messages.
    pub fn of_reader(name: &Path, reader: Box<dyn Read + Send>, in_progress: bool) -> Self {
        let log =
            LogFiles { path: name.to_owned(), files: Vec::new(), in_progress, complete: true };
        Self { reader: Some(BufReader::with_capacity(CHUNK, reader)), ..Self::new(&log) }
    }

    /// Returns the file that the last line was in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Decoded bytes so far.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns whether the log stops in the middle of a line or of a compressed block, as a dead application leaves it.
    pub const fn cut_off(&self) -> bool {
        self.cut_off
    }

    /// Returns an error in the last line.
    pub fn error(&self, what: impl Into<String>) -> TraceError {
        TraceError::in_line(&self.path, self.number, what)
    }

    /// Checks whether what is wrong with the last line is that the application died while it wrote: then the log ends
    /// here.
    ///
    /// # Errors
    ///
    /// When the log says that it is complete.
    pub fn ends_here(&mut self) -> Result<(), TraceError> {
        if !self.in_progress || !self.files.is_empty() {
            return Err(self.error(CUT_OFF));
        }
        self.cut_off = true;
        self.reader = None;
        Ok(())
    }

    /// Returns whether the application's first events have to be in the log: not if they were compacted, or none is
    /// written yet.
    pub(crate) const fn has_begin(&self) -> bool {
        self.complete && !(self.in_progress && (self.bytes == 0 || self.cut_off))
    }

    /// Returns an error where the log begins.
    pub(crate) fn error_at_begin(&self, what: impl Into<String>) -> TraceError {
        TraceError::in_line(&self.first, 1, what)
    }

    /// Checks whether the last file, at its end, is one that may be empty.
    fn check_not_empty(&self) -> Result<(), TraceError> {
        let may_be = self.in_progress && self.files.is_empty();
        if self.number > 1 || may_be {
            return Ok(());
        }
        Err(self.error(
            "nothing is in this file; only the last one of an event log that ends in .inprogress may be empty",
        ))
    }

    /// Returns the next line for which `wanted` says yes. It is asked with the first 256 bytes at least, or the whole
    /// line.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or decoded, or ends early although the log is complete.
    pub fn next(&mut self, wanted: impl Fn(&[u8]) -> bool) -> Result<Option<Line<'_>>, TraceError> {
        loop {
            if self.reader.is_none() {
                let Some(path) = self.files.pop_front() else { return Ok(None) };
                self.reader = Some(BufReader::with_capacity(CHUNK, decoder(&path)?));
                self.path = path;
                self.number = 0;
            }
            match self.line(&wanted)? {
                Got::Line { cut } => {
                    return Ok(Some(Line { bytes: &self.buffer, number: self.number, cut }));
                }
                Got::Unwanted => {}
                Got::End => {
                    self.reader = None;
                    self.check_not_empty()?;
                }
            }
        }
    }

    fn line(&mut self, wanted: &impl Fn(&[u8]) -> bool) -> Result<Got, TraceError> {
        let Some(reader) = &mut self.reader else { return Ok(Got::End) };
        self.buffer.clear();
        self.number += 1;
        let mut keep = None;
        loop {
            let chunk = match reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                    self.ends_here()?;
                    return Ok(Got::End);
                }
                Err(e) => return Err(self.error(format!("cannot be read: {e}"))),
            };
            if chunk.is_empty() {
                let nothing = self.buffer.is_empty() && keep.is_none();
                let unwanted = keep == Some(false) || (keep.is_none() && !wanted(&self.buffer));
                return Ok(match (nothing, unwanted) {
                    (true, _) => Got::End,
                    (_, true) => Got::Unwanted,
                    _ => Got::Line { cut: true },
                });
            }
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let used = part.len() + usize::from(end.is_some());
            if keep != Some(false) {
                self.buffer.extend_from_slice(part);
            }
            reader.consume(used);
            self.bytes += used as u64;
            if keep.is_none() && (end.is_some() || self.buffer.len() >= HEAD) {
                keep = Some(wanted(&self.buffer));
            }
            if end.is_some() {
                return Ok(match keep {
                    Some(false) => Got::Unwanted,
                    _ => Got::Line { cut: false },
                });
            }
            if self.buffer.len() > LONGEST {
                return Err(self.error("the line is longer than 256 MiB"));
            }
        }
    }
}
