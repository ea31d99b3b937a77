//! The slow steps: how long single steps take at the median, at 99.9 % and at worst. `cargo bench -p holdfast-engine
//! --bench tail`.

#![allow(clippy::print_stdout, reason = "a benchmark says what it has measured")]

mod cluster;

use std::time::Instant;

use cluster::{BACKGROUND, IMPORTANT, SIZES, Size, full_cluster};
use holdfast_engine::Outcome;

const STEPS: usize = 1_000_000;

fn main() {
    println!("{:<12} {:>9} {:>9} {:>9} {:>9}", "ns per step", "median", "99 %", "99.9 %", "worst");
    for size in SIZES {
        let mut nanos = measure(size);
        nanos.sort_unstable();
        let at = |per_mille: usize| nanos[(nanos.len() - 1) * per_mille / 1_000];
        let [median, most, nearly] = [500, 990, 999].map(at);
        println!("{:<12} {median:>9} {most:>9} {nearly:>9} {:>9}", format!("{size:?}"), at(1_000));
    }
}

/// Tasks of both workflows end and start in turn; the clock's own time is part of what is measured.
fn measure(size: Size) -> Vec<u64> {
    let mut host = full_cluster(size);
    let mut nanos = Vec::with_capacity(STEPS);
    let mut slot = 0;
    while nanos.len() < STEPS {
        slot = (slot + 1) % size.slots();
        let set = if slot % 2 == 0 { IMPORTANT } else { BACKGROUND };
        for freed in [true, false] {
            let start = Instant::now();
            if freed {
                host.free(slot, Outcome::NotFinished);
            } else {
                host.launch(slot, set, slot / 2);
            }
            nanos.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
        }
    }
    nanos
}
