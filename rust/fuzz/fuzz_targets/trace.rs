//! Any bytes as a trace: what is read can be written again.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use holdfast_trace::format::{TraceReader, TraceWriter};
use holdfast_trace::input::Lines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lines = Lines::of_reader(Path::new("fuzz"), Box::new(Cursor::new(bytes.to_vec())), false);
    let Ok(mut reader) = TraceReader::of_lines(lines) else { return };
    let mut writer = TraceWriter::new(Vec::new(), reader.header()).expect("memory");
    while let Ok(Some(workflow)) = reader.read() {
        writer.write(&workflow).expect("in order and valid");
    }
});
