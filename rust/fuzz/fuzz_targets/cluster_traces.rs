//! Any bytes as SWIM's and Google's tables: workflows in order, or an error.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use holdfast_trace::clusterdata::ClusterDataReader;
use holdfast_trace::format::TraceWriter;
use holdfast_trace::input::Lines;
use holdfast_trace::swim::{SwimModel, SwimReader};
use libfuzzer_sys::fuzz_target;

fn lines(bytes: &[u8]) -> Lines {
    Lines::of_reader(Path::new("fuzz"), Box::new(Cursor::new(bytes.to_vec())), false)
}

fuzz_target!(|bytes: &[u8]| {
    let model = SwimModel { most_tasks: 50, ..SwimModel::default() };
    let mut swim = SwimReader::new(lines(bytes), model);
    let mut writer = TraceWriter::new(Vec::new(), &swim.header()).expect("memory");
    while let Ok(Some(workflow)) = swim.read() {
        writer.write(&workflow).expect("in order and valid");
    }
    let mut google = ClusterDataReader::new(lines(bytes));
    let header = ClusterDataReader::header();
    let mut writer = TraceWriter::new(Vec::new(), &header).expect("memory");
    while let Ok(Some(workflow)) = google.read() {
        writer.write(&workflow).expect("in order and valid");
    }
});
