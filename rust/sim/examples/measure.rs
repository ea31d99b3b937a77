//! Runs the paper's world once and says what came of it and how long it took:
//! `cargo run --release -p holdfast-sim --example measure -- VARIANT NODES JOBS FOREGROUND [slow|- [LOAD]]`,
//! JOBS for 1,000 nodes.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for measuring")]

use std::time::Instant;

use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Options, simulate, slowdown};

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let variant = match args[1].as_str() {
        "spark" => Variant::Spark,
        "priority" => Variant::Priority,
        "literal" => Variant::Literal,
        "static" => Variant::Static,
        "timeout" => Variant::Timeout,
        "copies" => Variant::LiteralCopies,
        _ => Variant::Lookahead,
    };
    let foreground = match args[4].as_str() {
        "sql" => Foreground::Sql,
        "wide" => Foreground::MllibWide,
        _ => Foreground::Mllib,
    };
    let (nodes, jobs) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let load = args.get(6).map_or(Setting::default().load, |load| load.parse().unwrap());
    let world =
        variant.of(&world(&Setting { nodes, jobs, foreground, load, ..Setting::default() }));
    let begin = Instant::now();
    let outcome = simulate(&world, &Options::default()).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let memory = std::fs::read_to_string("/proc/self/status").unwrap();
    let memory = memory.lines().find(|l| l.starts_with("VmHWM")).unwrap().to_owned();
    println!(
        "{variant:?} {nodes} nodes {jobs} jobs: {} events, {} steps, {} attempts, {} asks in {seconds:.3} s: {:.2} M events/s, {memory}",
        outcome.events,
        outcome.steps,
        outcome.attempts,
        outcome.asks.0,
        outcome.events as f64 / seconds / 1e6,
    );
    println!(
        "  {:?} {:?} {:?} end {} s",
        outcome.usage.shares(),
        outcome.locality,
        outcome.barriers,
        outcome.end_ns / 1_000_000_000
    );
    if args.get(5).is_some_and(|a| a == "slow") {
        let slow = slowdown::slowdowns(&world, &outcome).unwrap();
        let mean = slow.iter().map(|(_, s)| s).sum::<f64>() / slow.len() as f64;
        println!(
            "  mean slowdown {mean:.3}, worst {:.3}",
            slow.iter().map(|(_, s)| *s).fold(0.0, f64::max)
        );
    }
}
