//! Checksums of decision logs.

use crc32fast::Hasher;
use holdfast_log::{Header, Reader};

use crate::line::Line;

/// Sums up decision logs: the headers without the build's version, and the records.
///
/// Apart, so that a new configuration key changes the headers alone. Checksums inside of a log go on from its header, so
/// they are left out.
#[derive(Default)]
pub struct Sums {
    headers: Hasher,
    records: Hasher,
    logs: u64,
    count: u64,
}

impl Sums {
    /// Adds the bytes of one log.
    pub fn add(&mut self, log: &[u8]) {
        let mut reader = Reader::new(log).unwrap();
        let empty = String::new;
        let header = Header { engine: empty(), revision: empty(), ..reader.header().clone() };
        self.headers.update(&serde_json::to_vec(&header).unwrap());
        while let Some(record) = reader.next() {
            record.unwrap();
            self.records.update(reader.raw());
        }
        assert!(reader.ended(), "a whole log");
        self.logs += 1;
        self.count += reader.records();
    }

    /// Answers one line for the headers and one for the records.
    pub fn lines(self, name: &str) -> [Line; 2] {
        [
            Line::of_sum(format!("{name}: headers"), self.headers.finalize(), self.logs),
            Line::of_sum(format!("{name}: records"), self.records.finalize(), self.count),
        ]
    }
}
