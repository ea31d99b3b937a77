//! Time of one simulation: the paper's world, and one that grows at equal load. `cargo bench -p holdfast-sim`.
//!
//! Counted are the events of the simulation; the engine's decisions are part of each.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Options, simulate};

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    divan::main();
}

fn run(bencher: Bencher, setting: &Setting, variant: Variant) {
    let world = variant.of(&world(setting));
    let events = simulate(&world, &Options::default()).map_or(0, |outcome| outcome.events);
    bencher
        .counter(ItemsCount::new(events))
        .bench_local(|| black_box(simulate(&world, &Options::default())));
}

const VARIANTS: [Variant; 4] =
    [Variant::Spark, Variant::Priority, Variant::Literal, Variant::Lookahead];

#[divan::bench(args = VARIANTS, sample_count = 5, sample_size = 1)]
fn paper(bencher: Bencher, variant: Variant) {
    run(bencher, &Setting { foreground: Foreground::Mllib, ..Setting::default() }, variant);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn paper_sql(bencher: Bencher) {
    let setting = Setting { foreground: Foreground::Sql, ..Setting::default() };
    run(bencher, &setting, Variant::Lookahead);
}

/// So many jobs for 1,000 nodes, as in the table of `docs/measurements/2026-11-26-simulator-speed.md`.
const JOBS: u32 = 500;

#[divan::bench(args = [1_000, 3_000, 10_000, 30_000], sample_count = 3, sample_size = 1)]
fn growth(bencher: Bencher, nodes: u32) {
    let setting = Setting { nodes, jobs: JOBS, foreground: Foreground::Sql, ..Setting::default() };
    run(bencher, &setting, Variant::Lookahead);
}
