//! Any bytes as an event log: a trace that is in order and valid, and a recording to simulate, or an error.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use holdfast_trace::Options;
use holdfast_trace::convert::Converter;
use holdfast_trace::format::TraceWriter;
use holdfast_trace::input::Lines;
use holdfast_trace::recording::{Recorded, Recording};
use libfuzzer_sys::fuzz_target;

fn lines(bytes: &[u8]) -> Lines {
    Lines::of_reader(Path::new("fuzz"), Box::new(Cursor::new(bytes.to_vec())), true)
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(Recorded::Whole(recording)) =
        Recording::of_lines(|| lines(bytes), &Options::default(), 1_000)
    {
        for executor in &recording.surroundings.executors {
            let (joined, left) = recording.life(executor);
            assert!(left.is_none_or(|left| left >= joined));
        }
    }
    let Ok(mut converter) = Converter::of_lines(|| lines(bytes), &Options::default()) else { return };
    let mut writer = TraceWriter::new(Vec::new(), &Converter::header()).expect("memory");
    while let Ok(Some(workflow)) = converter.read() {
        writer.write(&workflow).expect("in order and valid");
    }
});
