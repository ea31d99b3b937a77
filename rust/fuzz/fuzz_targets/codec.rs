//! Any bytes as a compressed file.
#![no_main]

use std::io::{Cursor, Read};

use holdfast_trace::input::Codec;
use libfuzzer_sys::fuzz_target;

/// A frame may say that it is large without being so.
const MOST: u64 = 64 << 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(codec) = Codec::of(&bytes[..bytes.len().min(8)]) else { return };
    let Ok(reader) = codec.decode(Cursor::new(bytes.to_vec())) else { return };
    let mut decoded = Vec::new();
    let _ = reader.take(MOST).read_to_end(&mut decoded);
});
