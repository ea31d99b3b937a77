//! lz4 frames, one after the other, each with its end.
//!
//! The decoder takes the end of its input for the end of a frame, and stops after the first one. A log that was cut off
//! between two blocks would pass as whole.

use std::io::{self, ErrorKind, Read};

use lz4_flex::frame::FrameDecoder;

/// What a decoder reads, and whether it came to the end of that.
#[derive(Debug)]
struct Watched<R> {
    inner: R,
    bytes: u64,
    ended: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let size = self.inner.read(out)?;
        self.bytes += size as u64;
        self.ended |= size == 0 && !out.is_empty();
        Ok(size)
    }
}

/// Reads such frames.
#[derive(Debug)]
pub struct Lz4Frames<R: Read> {
    decoder: FrameDecoder<Watched<R>>,
    /// Where the last frame that is whole ends.
    whole: u64,
}

impl<R: Read> Lz4Frames<R> {
    /// Decodes `inner`; give it something buffered.
    pub fn new(inner: R) -> Self {
        let watched = Watched { inner, bytes: 0, ended: false };
        Self { decoder: FrameDecoder::new(watched), whole: 0 }
    }
}

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            let size = self.decoder.read(out)?;
            let &Watched { bytes, ended, .. } = self.decoder.get_ref();
            match (size, ended) {
                (0, true) if bytes == self.whole => return Ok(0),
                (0, true) => return Err(ErrorKind::UnexpectedEof.into()),
                // The frame's end mark: another one may follow.
                (0, false) => self.whole = bytes,
                _ => return Ok(size),
            }
        }
    }
}
