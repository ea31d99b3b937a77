//! Which compression a file has, by its first bytes: names of files get lost.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use crate::TraceError;
use crate::input::{Lz4Blocks, Lz4Frames};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Not at all.
    Plain,
    /// zstd frames, one after the other (Spark's `ZStdCompressionCodec`).
    Zstd,
    /// lz4-java's own blocks (Spark's `LZ4CompressionCodec`, `LZ4BlockOutputStream`).
    Lz4Blocks,
    /// The usual lz4 frames, of the `lz4` program.
    Lz4Frames,
    /// gzip, of traces and of what people pack by hand.
    Gzip,
}

/// How many bytes tell the codec.
const HEAD: usize = 8;

/// First bytes of what is not read, and what to say of it.
const FOREIGN: [(&[u8], &str); 5] = [
    (
        b"\x82SNAPPY\0",
        "is compressed with snappy, which is not supported: have Spark write logs with \
         spark.eventLog.compression.codec=zstd, or lz4, or none",
    ),
    (
        b"ZV",
        "is compressed with lzf, which is not supported: have Spark write logs with \
         spark.eventLog.compression.codec=zstd, or lz4, or none",
    ),
    (b"PK\x03\x04", "is a zip archive, as a history server gives it: unpack it first"),
    (b"PAR1", "is a Parquet file"),
    (b"\x89HFLOG\r\n", "is a decision log of Holdfast: `holdfast explain FILE` tells it"),
];

impl Codec {
    /// Returns the codec of what begins with these bytes (eight are enough).
    ///
    /// # Errors
    ///
    /// What to tell the user of a format that is known and not supported.
    pub fn of(head: &[u8]) -> Result<Self, &'static str> {
        if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Err(what);
        }
        let skippable = head.len() >= 4 && head[0] & 0xf0 == 0x50 && head[1..4] == *b"\x2a\x4d\x18";
        Ok(match head {
            _ if skippable || head.starts_with(b"\x28\xb5\x2f\xfd") => Self::Zstd,
            _ if head.starts_with(b"LZ4Block") => Self::Lz4Blocks,
            _ if head.starts_with(b"\x04\x22\x4d\x18") => Self::Lz4Frames,
            _ if head.starts_with(b"\x1f\x8b") => Self::Gzip,
            _ => Self::Plain,
        })
    }

    /// Decodes `raw`.
    ///
    /// # Errors
    ///
    /// When a decoder cannot be set up.
    pub fn decode<R: Read + Send + 'static>(self, raw: R) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::Plain => Box::new(raw),
            Self::Zstd => Box::new(zstd::stream::read::Decoder::new(raw)?),
            Self::Lz4Blocks => Box::new(Lz4Blocks::new(io::BufReader::new(raw))),
            Self::Lz4Frames => Box::new(Lz4Frames::new(io::BufReader::new(raw))),
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
        })
    }
}

/// Returns the decoded bytes of a file.
///
/// # Errors
///
/// When the file cannot be opened, or has a format that is not supported.
pub fn decoder(path: &Path) -> Result<Box<dyn Read + Send>, TraceError> {
    let cannot = |error: io::Error| TraceError::cannot_open(path, &error);
    let mut file = File::open(path).map_err(cannot)?;
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(cannot)?;
    let codec = Codec::of(&head).map_err(|what| TraceError::of_file(path, what))?;
    codec.decode(Cursor::new(head).chain(file)).map_err(cannot)
}
