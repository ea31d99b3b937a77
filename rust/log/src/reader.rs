//! Reads a log that nobody vouches for.

use std::io::{ErrorKind, Read};

use holdfast_engine::{Decision, Event, Time};

use crate::codec::{Cursor, Decoded, UNKNOWN_KIND, kind_of};
use crate::header::{FIXED, MAGIC, MAX_HEADER, checksum};
use crate::writer::FRAME_HEAD;
use crate::{FORMAT, Header, NameKind, Problem, ReadError};

/// Longest frame: far above what one step of a huge cluster takes, far below what hurts.
const MAX_FRAME: u32 = 64 << 20;

/// One record, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number, from 0.
    pub number: u64,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// The host's time; that of the event before it for a name.
    pub now: Time,
    /// What it says.
    pub entry: Entry,
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The engine was told something.
    Event {
        /// What.
        event: Event,
        /// What it decided.
        decisions: Vec<Decision>,
        /// The code of its error, if it refused the event.
        error: Option<i32>,
    },
    /// The user's word for an id.
    Name {
        /// What it names.
        kind: NameKind,
        /// Its id.
        id: u32,
        /// Its name.
        name: String,
    },
}

/// Iterates over the records of a log. After an error it is exhausted.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    crc: u32,
    /// Payload of the current frame, and its offset in the file.
    frame: Vec<u8>,
    frame_at: u64,
    at: usize,
    raw: std::ops::Range<usize>,
    previous: Time,
    records: u64,
    ended: bool,
    full: bool,
    failed: bool,
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header.
    ///
    /// # Errors
    /// The input is not a log, of another version, or damaged.
    pub fn new(mut input: R) -> Result<Self, ReadError> {
        let fail = |offset, problem| ReadError { offset, records: 0, problem };
        let mut fixed = Vec::with_capacity(FIXED);
        fill(&mut input, FIXED, &mut fixed).map_err(|p| fail(0, p))?;
        if !fixed.starts_with(&MAGIC[..MAGIC.len().min(fixed.len())]) || fixed.is_empty() {
            return Err(fail(0, Problem::NotALog));
        }
        if fixed.len() < FIXED {
            return Err(fail(fixed.len() as u64, Problem::Truncated));
        }
        let version = u16::from_le_bytes([fixed[8], fixed[9]]);
        if version != FORMAT {
            return Err(fail(8, Problem::Version(version)));
        }
        let length = word(&fixed, 10);
        if length > MAX_HEADER {
            return Err(fail(10, Problem::Length(length)));
        }
        let mut json = Vec::new();
        fill(&mut input, length as usize, &mut json).map_err(|p| fail(FIXED as u64, p))?;
        if json.len() < length as usize {
            return Err(fail((FIXED + json.len()) as u64, Problem::Truncated));
        }
        let crc = checksum(&fixed[..14], &json);
        if crc != word(&fixed, 14) {
            return Err(fail(0, Problem::Checksum));
        }
        let damaged = |why| fail(FIXED as u64, Problem::Header(why));
        let header = Header::decode(&json).map_err(|p| fail(FIXED as u64, p))?;
        if header.format != version {
            return Err(damaged(format!("it says format {}", header.format)));
        }
        Ok(Self {
            input,
            header,
            crc,
            frame: Vec::new(),
            frame_at: (FIXED + json.len()) as u64,
            at: 0,
            raw: 0..0,
            previous: Time(0),
            records: 0,
            ended: false,
            full: false,
            failed: false,
        })
    }

    /// What the log says about itself.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the end record has been read. A log without one was still being written, or its writer was killed.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the log has ended since its space was used up: its application went on.
    #[must_use]
    pub const fn full(&self) -> bool {
        self.full
    }

    /// Number of records read so far.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// The bytes of the record read last.
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        &self.frame[self.raw.clone()]
    }

    fn fail(&self, offset: u64, problem: Problem) -> ReadError {
        ReadError { offset, records: self.records, problem }
    }

    /// Reads the next frame; `false` at the end of the file.
    fn next_frame(&mut self) -> Result<bool, ReadError> {
        let start = self.frame_at + self.frame.len() as u64;
        let mut head = Vec::with_capacity(FRAME_HEAD);
        fill(&mut self.input, FRAME_HEAD, &mut head).map_err(|p| self.fail(start, p))?;
        if head.is_empty() {
            return Ok(false);
        }
        if self.ended {
            return Err(self.fail(start, Problem::AfterEnd));
        }
        if head.len() < FRAME_HEAD {
            return Err(self.fail(start + head.len() as u64, Problem::Truncated));
        }
        let length = word(&head, 0);
        if length == 0 || length > MAX_FRAME {
            return Err(self.fail(start, Problem::Length(length)));
        }
        self.frame.clear();
        self.at = 0;
        self.raw = 0..0;
        self.frame_at = start + FRAME_HEAD as u64;
        let read = fill(&mut self.input, length as usize, &mut self.frame);
        read.map_err(|p| self.fail(start, p))?;
        if self.frame.len() < length as usize {
            let end = self.frame_at + self.frame.len() as u64;
            return Err(self.fail(end, Problem::Truncated));
        }
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(&head[..4]);
        hasher.update(&self.frame);
        self.crc = hasher.finalize();
        if self.crc != word(&head, 4) {
            return Err(self.fail(start, Problem::Checksum));
        }
        Ok(true)
    }

    fn read(&mut self) -> Result<Option<Record>, ReadError> {
        loop {
            if self.at == self.frame.len() && !self.next_frame()? {
                return Ok(None);
            }
            let offset = self.frame_at + self.at as u64;
            if self.ended {
                return Err(self.fail(offset, Problem::AfterEnd));
            }
            let mut cursor = Cursor::new(&self.frame, self.at);
            let decoded = cursor.record(self.previous);
            let end = cursor.position();
            let decoded = decoded.map_err(|why| {
                let problem = match why {
                    UNKNOWN_KIND => Problem::Kind {
                        version: self.header.engine.clone(),
                        kind: kind_of(self.frame[self.at]),
                    },
                    why => Problem::Value(why),
                };
                self.fail(self.frame_at + end as u64, problem)
            })?;
            self.raw = self.at..end;
            self.at = end;
            let entry = match decoded {
                Decoded::Event { now, event, decisions, error } => {
                    self.previous = now;
                    Entry::Event { event, decisions, error }
                }
                Decoded::Name { kind, id, name } => Entry::Name { kind, id, name },
                Decoded::End { records, full } if records == self.records => {
                    (self.ended, self.full) = (true, full);
                    continue;
                }
                Decoded::End { records, .. } => {
                    return Err(self.fail(offset, Problem::Count { recorded: records }));
                }
            };
            let number = self.records;
            self.records += 1;
            return Ok(Some(Record { number, offset, now: self.previous, entry }));
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let result = self.read().transpose();
        self.failed = !matches!(result, Some(Ok(_)));
        result
    }
}

/// Reads up to `length` bytes, fewer only at the end of the input. Memory grows with what is really there.
fn fill(input: &mut impl Read, length: usize, out: &mut Vec<u8>) -> Result<(), Problem> {
    loop {
        match input.by_ref().take((length - out.len()) as u64).read_to_end(out) {
            Ok(_) => return Ok(()),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Problem::Io(e)),
        }
    }
}

/// The little-endian number at `at`; 0 beyond the end.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}
