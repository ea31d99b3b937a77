//! The record of what the engine was told and what it decided, and its replay.
//!
//! ```text
//! file    = magic "\x89HFLOG\r\n"  version u16  length u32  crc u32  header (JSON)  frame*
//! frame   = length u32  crc u32  record*          all fixed-size numbers are little-endian
//! record  = tag u8      time (zigzag varint, difference to the record before)  ids and numbers (varints)
//!           [number of decisions (varint)  decision*]  [error code (varint)]       by the tag's flags
//!         | name        kind u8  id  length  UTF-8
//!         | end         number of records before
//!         | full        number of records before; the application went on
//! ```
//!
//! Each checksum (CRC-32) goes on from the one before, so that a missing or swapped frame is noticed as well.
//! Every value has one encoding only: equal bytes and equal meaning are the same thing.
//!
//! Architecture invariant: writing is in memory; only whoever owns a file does I/O, a block at a time.
//! Architecture invariant: the reader trusts no length and no value, and never panics.

mod codec;
mod error;
mod header;
mod reader;
mod replay;
mod wire;
mod writer;

pub use error::{Problem, ReadError};
pub use header::{FORMAT, Header, REVISION, VERSION};
pub use reader::{Entry, Reader, Record};
pub use replay::{Along, Difference, Replayed, Step, replay};
pub use wire::{ARGUMENTS, event_from_wire, event_to_wire};
pub use writer::LogWriter;

use serde::{Deserialize, Serialize};

/// What a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    /// An executor.
    Executor,
    /// A workflow.
    Workflow,
    /// Whose latest job a workflow's was: the id is the workflow's; an empty name takes it back.
    User,
    /// What a client chose that gave a workflow something: the id is the workflow's; an empty name takes it back.
    Claim,
}

impl NameKind {
    /// Its number in logs and in the host's calls.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Executor => 0,
            Self::Workflow => 1,
            Self::User => 2,
            Self::Claim => 3,
        }
    }

    /// The kind of that number.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Executor),
            1 => Some(Self::Workflow),
            2 => Some(Self::User),
            3 => Some(Self::Claim),
            _ => None,
        }
    }
}

/// Longest name in a log, in bytes; longer ones are cut.
pub const MAX_NAME: usize = 1024;
