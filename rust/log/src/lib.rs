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
mod numbers;
mod reader;
mod replay;
mod wire;
mod writer;

pub use error::{Problem, ReadError};
pub use header::{FORMAT, Header, REVISION, VERSION};
pub use numbers::NameKind;
pub use reader::{Entry, Reader, Record};
pub use replay::{Along, Difference, Replayed, Step, replay};
pub use wire::{ARGUMENTS, MOST, event_from_wire, event_to_wire};
pub use writer::LogWriter;

/// Longest name in a log, in bytes; longer ones are cut.
pub const MAX_NAME: usize = 1024;
