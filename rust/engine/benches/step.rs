//! Time of one step and one ask: at 1,000 executors x 4 slots, at 30,000 with everything switched on, and at 30,000
//! with cores too few for a slot.
//! `cargo bench -p holdfast-engine`.

mod cluster;

use cluster::{BACKGROUND, IMPORTANT, SIZES, SLOTS, Size, full_cluster};
use divan::{Bencher, black_box};
use holdfast_engine::{ExecutorId, Outcome, Resources};

fn main() {
    divan::main();
}

/// A task ends, its slot is held; a task starts there, the hold is used: two steps.
#[divan::bench(args = SIZES, sample_count = 1000, sample_size = 100)]
fn free_hold_launch(bencher: Bencher, size: Size) {
    let mut host = full_cluster(size);
    let mut slot = 0;
    bencher.bench_local(move || {
        slot = (slot + 2) % size.slots();
        host.free(slot, Outcome::NotFinished);
        host.launch(slot, IMPORTANT, slot / 2);
    });
}

/// The background's part: a task ends, another starts in the same slot: two steps.
#[divan::bench(args = SIZES, sample_count = 1000, sample_size = 100)]
fn free_launch_background(bencher: Bencher, size: Size) {
    let mut host = full_cluster(size);
    let mut slot = 1;
    bencher.bench_local(move || {
        slot = (slot + 2) % size.slots();
        host.free(slot, Outcome::NotFinished);
        host.launch(slot, BACKGROUND, slot / 2);
    });
}

/// An ask of the background where all that is free is held.
#[divan::bench(args = SIZES, sample_count = 1000, sample_size = 1000)]
fn verdict_refused(bencher: Bencher, size: Size) {
    let mut host = full_cluster(size);
    (0..size.executors()).for_each(|e| host.free(e * SLOTS, Outcome::Finished));
    let free = Resources::cpu(1_000);
    let mut e = 0;
    bencher.bench_local(move || {
        e = (e + 1) % size.executors();
        black_box(host.engine.verdict(BACKGROUND, ExecutorId(e), &free))
    });
}

/// Whether the background could use anything at all, with a hold on each executor.
#[divan::bench(args = SIZES, sample_count = 1000, sample_size = 1000)]
fn admits_refused(bencher: Bencher, size: Size) {
    let mut host = full_cluster(size);
    (0..size.executors()).for_each(|e| host.free(e * SLOTS, Outcome::Finished));
    bencher.bench_local(move || black_box(host.engine.admits(BACKGROUND)));
}
