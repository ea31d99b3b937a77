//! One error for every reader: which file, which line, what is wrong.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use holdfast_words::shown_path;

/// Why a log or trace cannot be read.
#[derive(Debug)]
pub struct TraceError {
    /// The file.
    pub path: PathBuf,
    /// The line in it, from 1; none when the file as a whole is meant.
    pub line: Option<u64>,
    /// What is wrong, and where possible what to do.
    pub what: String,
}

impl TraceError {
    /// Returns an error that concerns a whole file or folder.
    pub fn of_file(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, what: what.into() }
    }

    /// Returns an error in a line, counted from 1.
    pub fn in_line(path: &Path, line: u64, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(line), what: what.into() }
    }

    pub(crate) fn cannot_open(path: &Path, error: &io::Error) -> Self {
        Self::of_file(path, format!("cannot be opened: {error}"))
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", shown_path(&self.path))?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for TraceError {}
