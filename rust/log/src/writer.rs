//! Writes a log into memory, and hands it out block by block.

use std::collections::VecDeque;
use std::io::{self, Write};

use holdfast_engine::{Decision, Event, Time};

use crate::codec;
use crate::{Header, NameKind};

/// A frame is closed when it has grown beyond this.
const FRAME: usize = 32 * 1024;
/// Length and checksum.
pub(crate) const FRAME_HEAD: usize = 8;
/// Blocks kept for reuse.
const SPARE: usize = 4;

/// Gathers records in memory. It never does I/O: take the blocks and write them, in order, with no lock held.
///
/// Appending does not allocate once blocks come back by [`LogWriter::recycle`].
#[derive(Debug)]
pub struct LogWriter {
    frame: Vec<u8>,
    blocks: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    pending: usize,
    crc: u32,
    previous: Time,
    records: u64,
    /// The last record is written.
    over: bool,
}

impl LogWriter {
    /// A log that begins with `header`.
    ///
    /// # Errors
    /// The header is too large; the text says by how much.
    pub fn new(header: &Header) -> Result<Self, String> {
        let (bytes, crc) = header.encode()?;
        Ok(Self {
            frame: new_frame(None),
            pending: bytes.len(),
            blocks: VecDeque::from([bytes]),
            spare: Vec::with_capacity(SPARE),
            crc,
            previous: Time(0),
            records: 0,
            over: false,
        })
    }

    /// Records an event as it was given to the engine, what the engine decided, and the code of its error if it
    /// refused the event (1 to 99).
    pub fn event(&mut self, now: Time, event: &Event, decisions: &[Decision], error: Option<i32>) {
        if self.over {
            return;
        }
        codec::put_event(&mut self.frame, self.previous, now, event, decisions, error);
        self.previous = now;
        self.count();
    }

    /// Records the user's word for an id, cut to [`crate::MAX_NAME`] bytes.
    pub fn name(&mut self, kind: NameKind, id: u32, name: &str) {
        if !self.over {
            codec::put_name(&mut self.frame, kind, id, name);
            self.count();
        }
    }

    /// Records that nothing follows; what is told later is not recorded.
    pub fn end(&mut self) {
        self.finish(false);
    }

    /// Records that there is no room for more; what is told later is not recorded.
    pub fn fill(&mut self) {
        self.finish(true);
    }

    fn finish(&mut self, full: bool) {
        if !self.over {
            codec::put_end(&mut self.frame, self.records, full);
            self.seal();
        }
        self.over = true;
    }

    /// Closes the current frame, so that all records are in blocks.
    pub fn seal(&mut self) {
        if self.frame.len() == FRAME_HEAD {
            return;
        }
        let next = new_frame(self.spare.pop());
        let mut frame = std::mem::replace(&mut self.frame, next);
        let length = u32::try_from(frame.len() - FRAME_HEAD).unwrap_or(u32::MAX).to_le_bytes();
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(&length);
        hasher.update(&frame[FRAME_HEAD..]);
        self.crc = hasher.finalize();
        frame[..4].copy_from_slice(&length);
        frame[4..FRAME_HEAD].copy_from_slice(&self.crc.to_le_bytes());
        self.pending += frame.len();
        self.blocks.push_back(frame);
    }

    /// The next finished block, to be written after those before it.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        let block = self.blocks.pop_front()?;
        self.pending -= block.len();
        Some(block)
    }

    /// Gives a written block back for reuse.
    pub fn recycle(&mut self, block: Vec<u8>) {
        if self.spare.len() < SPARE {
            self.spare.push(block);
        }
    }

    /// Bytes in memory that have not been taken.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending + self.frame.len() - FRAME_HEAD
    }

    /// Takes all that there is, in one piece.
    pub fn rest(&mut self) -> Vec<u8> {
        self.seal();
        let mut rest = Vec::with_capacity(self.pending());
        while let Some(block) = self.take() {
            rest.extend_from_slice(&block);
        }
        rest
    }

    /// Writes all that there is so far: for callers that need no lock.
    ///
    /// # Errors
    /// Those of `sink`.
    pub fn write_to(&mut self, sink: &mut impl Write) -> io::Result<()> {
        self.seal();
        while let Some(block) = self.take() {
            sink.write_all(&block)?;
            self.recycle(block);
        }
        Ok(())
    }

    fn count(&mut self) {
        self.records += 1;
        if self.frame.len() >= FRAME {
            self.seal();
        }
    }
}

fn new_frame(reused: Option<Vec<u8>>) -> Vec<u8> {
    let mut frame = reused.unwrap_or_else(|| Vec::with_capacity(FRAME + FRAME / 8));
    frame.clear();
    frame.resize(FRAME_HEAD, 0);
    frame
}
