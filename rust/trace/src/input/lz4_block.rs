//! lz4-java's block stream: what Spark's lz4 codec writes (`LZ4BlockOutputStream`).
//!
//! Each block has a head of 21 bytes: `LZ4Block`, a token (method 0x10 raw or 0x20 lz4, and the binary logarithm of
//! the largest block less 10), three little-endian 32-bit numbers: compressed and original length, and the lower 28
//! bits of the XXH32 of the original bytes. A block of length 0 ends a stream; another stream may follow.

use std::io::{self, ErrorKind, Read};

use twox_hash::XxHash32;

const MAGIC: &[u8; 8] = b"LZ4Block";
const HEAD: usize = 21;
const SEED: u32 = 0x9747_b28c;
const CHECK_BITS: u32 = 0x0fff_ffff;
const RAW: u8 = 0x10;
const LZ4: u8 = 0x20;

/// Reads such a stream.
#[derive(Debug)]
pub struct Lz4Blocks<R> {
    inner: R,
    packed: Vec<u8>,
    block: Vec<u8>,
    given: usize,
    /// Whether a stream has begun whose end has not come.
    open: bool,
}

struct Head {
    method: u8,
    packed: usize,
    original: usize,
    check: u32,
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("damaged lz4 block: {what}"))
}

impl Head {
    fn parse(bytes: &[u8; HEAD]) -> io::Result<Self> {
        let number = |at: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&bytes[at..at + 4]);
            u32::from_le_bytes(four)
        };
        if bytes[..8] != *MAGIC {
            return Err(damaged("no block begins here"));
        }
        let (token, packed, original) = (bytes[8], number(9), number(13));
        let largest = 1u32 << (10 + u32::from(token & 0x0f));
        // A block that does not shrink is kept raw; lz4's own bound is a little above the original.
        let fits = original <= largest && packed <= largest + largest / 255 + 16;
        if !fits || (original == 0) != (packed == 0) {
            return Err(damaged("impossible length"));
        }
        let head = Self {
            method: token & 0xf0,
            packed: packed as usize,
            original: original as usize,
            check: number(17),
        };
        match head.method {
            RAW if packed != original => Err(damaged("impossible length")),
            RAW | LZ4 => Ok(head),
            _ => Err(damaged("unknown method")),
        }
    }
}

impl<R: Read> Lz4Blocks<R> {
    /// Decodes `inner`; give it something buffered.
    pub const fn new(inner: R) -> Self {
        Self { inner, packed: Vec::new(), block: Vec::new(), given: 0, open: false }
    }

    /// Returns the next block's head; none at the end of the input, which comes after that of a stream.
    fn head(&mut self) -> io::Result<Option<Head>> {
        let mut bytes = [0; HEAD];
        let mut got = 0;
        while got < HEAD {
            match self.inner.read(&mut bytes[got..]) {
                Ok(0) if got == 0 && !self.open => return Ok(None),
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => got += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Head::parse(&bytes).map(Some)
    }

    /// Decodes the next block that is not empty; whether there is one.
    fn refill(&mut self) -> io::Result<bool> {
        loop {
            let Some(head) = self.head()? else { return Ok(false) };
            self.open = head.original > 0;
            if !self.open {
                continue;
            }
            self.given = 0;
            self.block.clear();
            self.block.resize(head.original, 0);
            if let Err(error) = self.unpack(&head) {
                self.block.clear();
                return Err(error);
            }
            return Ok(true);
        }
    }

    fn unpack(&mut self, head: &Head) -> io::Result<()> {
        if head.method == RAW {
            self.inner.read_exact(&mut self.block)?;
        } else {
            self.packed.resize(head.packed, 0);
            self.inner.read_exact(&mut self.packed)?;
            let size = lz4_flex::block::decompress_into(&self.packed, &mut self.block)
                .map_err(|e| damaged(&e.to_string()))?;
            if size != head.original {
                return Err(damaged("another length than its head says"));
            }
        }
        if XxHash32::oneshot(SEED, &self.block) & CHECK_BITS != head.check & CHECK_BITS {
            return Err(damaged("its checksum differs"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Lz4Blocks<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || (self.given == self.block.len() && !self.refill()?) {
            return Ok(0);
        }
        let size = out.len().min(self.block.len() - self.given);
        out[..size].copy_from_slice(&self.block[self.given..self.given + size]);
        self.given += size;
        Ok(size)
    }
}
