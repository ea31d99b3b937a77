//! Why a log is refused.

use std::{error, fmt, io};

use crate::{ARGUMENTS, VERSION};

/// What is wrong with a log.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// It does not begin as a decision log does.
    NotALog,
    /// It is of a format version that this program does not read.
    Version(u16),
    /// Its header is not what a header must be.
    Header(String),
    /// Its configuration has a key or a word that this program lacks, such as another version's policy.
    Config {
        /// Version of the engine that wrote the log.
        version: String,
        /// What is unknown, and what would be known.
        why: String,
    },
    /// It holds an event of a kind that this program lacks.
    Kind {
        /// Version of the engine that wrote the log.
        version: String,
        /// The kind.
        kind: u8,
    },
    /// It ends in the middle of something.
    Truncated,
    /// A length is impossible.
    Length(u32),
    /// The bytes are not those that were written.
    Checksum,
    /// A checked frame holds an impossible value.
    Value(&'static str),
    /// The number of records is not the one the end record gives.
    Count {
        /// The number in the end record.
        recorded: u64,
    },
    /// Something follows the end record.
    AfterEnd,
    /// The file cannot be read.
    Io(io::Error),
}

/// A refusal: what, where, and how much was good before.
#[derive(Debug)]
pub struct ReadError {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Number of good records before it.
    pub records: u64,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = if self.records == 1 { "record" } else { "records" };
        write!(f, "byte {}: {} ({} good {records} before)", self.offset, self.problem, self.records)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALog => f.write_str("this is not a Holdfast decision log"),
            Self::Version(found) => {
                write!(
                    f,
                    "the log has format version {found}, this program reads {}",
                    crate::FORMAT
                )
            }
            Self::Header(why) => write!(f, "the header is damaged: {why}"),
            Self::Config { version, why } => write!(
                f,
                "Holdfast {version} wrote the log, and this program ({VERSION}) does not know its configuration: {why}"
            ),
            Self::Kind { version, kind } => write!(
                f,
                "Holdfast {version} wrote an event of kind {kind}, and this program ({VERSION}) knows 0 to {}",
                ARGUMENTS.len() - 1
            ),
            Self::Truncated => f.write_str("the log is cut off here"),
            Self::Length(length) => write!(f, "the length {length} is impossible"),
            Self::Checksum => f.write_str("the checksum is wrong: the log is damaged here"),
            Self::Value(why) => f.write_str(why),
            Self::Count { recorded } => {
                write!(f, "the end record's count of records is {recorded}")
            }
            Self::AfterEnd => f.write_str("something follows the end record"),
            Self::Io(error) => write!(f, "cannot read: {error}"),
        }
    }
}

impl error::Error for ReadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}
