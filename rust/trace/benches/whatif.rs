//! How fast event logs are read and analysed: uncompressed bytes in a second, on one core.
#![allow(clippy::unwrap_used, reason = "benchmark")]

use std::io::{Cursor, Read};
use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use holdfast_trace::input::{Lines, decoder};
use holdfast_trace::spark_event::EventReader;
use holdfast_trace::{Options, whatif_of_lines};

const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stock-4.1.0.zstd");

fn main() {
    divan::main();
}

fn log() -> Vec<u8> {
    let mut bytes = Vec::new();
    decoder(Path::new(LOG)).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn lines(bytes: &[u8]) -> Lines {
    Lines::of_reader(Path::new("log"), Box::new(Cursor::new(bytes.to_vec())), false)
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let bytes = log();
    bencher.counter(BytesCount::new(bytes.len())).with_inputs(|| lines(&bytes)).bench_values(
        |lines| {
            let mut events = EventReader::of_lines(lines);
            let mut count = 0u64;
            while events.read().unwrap().is_some() {
                count += 1;
            }
            count
        },
    );
}

#[divan::bench]
fn analyse(bencher: Bencher<'_, '_>) {
    let bytes = log();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| whatif_of_lines(|| lines(&bytes), &Options::default()).unwrap());
}
