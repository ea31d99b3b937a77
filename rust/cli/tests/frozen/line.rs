//! One line of the file.

use std::fmt;

/// An answer: its name, what stands for its bytes, and how many things it holds.
pub struct Line {
    name: String,
    value: String,
    count: u64,
}

impl Line {
    /// Takes a value that stands for all bytes already, such as a run's fingerprint.
    pub fn new(name: impl Into<String>, value: impl Into<String>, count: u64) -> Self {
        Self { name: name.into(), value: value.into(), count }
    }

    /// Takes the checksum (CRC-32) of the bytes; the name says which.
    pub fn of_sum(name: impl Into<String>, crc: u32, count: u64) -> Self {
        Self::new(name, format!("{crc:08x}"), count)
    }

    /// Takes the checksum of a text, and counts its lines.
    pub fn of_text(name: impl Into<String>, text: &str) -> Self {
        Self::of_sum(name, crc32fast::hash(text.as_bytes()), text.lines().count() as u64)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<72} {:<16} {}", self.name, self.value, self.count)
    }
}
