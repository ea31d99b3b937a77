//! Any bytes as an event log: a report whose terms add up, or an error.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use holdfast_trace::input::Lines;
use holdfast_trace::{Options, whatif_of_lines};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lines = || Lines::of_reader(Path::new("fuzz"), Box::new(Cursor::new(bytes.to_vec())), true);
    if let Ok(report) = whatif_of_lines(lines, &Options::default()) {
        assert!(report.runs.iter().all(|run| run.adds_up()));
        assert!(report.busy_slot_ms <= report.all_slot_ms);
    }
});
