//! Any bytes as an event log: a trace that is in order and valid, or an error.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use holdfast_trace::Options;
use holdfast_trace::convert::Converter;
use holdfast_trace::format::TraceWriter;
use holdfast_trace::input::Lines;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lines = Lines::of_reader(Path::new("fuzz"), Box::new(Cursor::new(bytes.to_vec())), true);
    let mut converter = Converter::new(lines, &Options::default());
    let mut writer = TraceWriter::new(Vec::new(), &Converter::header()).expect("memory");
    while let Ok(Some(workflow)) = converter.read() {
        writer.write(&workflow).expect("in order and valid");
    }
});
