//! Any bytes as a scenario file: a world that is simulated or comes to no end, or a refusal with its place.
#![no_main]

use holdfast_sim::{Options, World, scenario, simulate};
use libfuzzer_sys::fuzz_target;

/// What is simulated at most: a minute, and so many tasks and slots.
const MINUTE_NS: u64 = 60 * 1_000_000_000;
const LARGE: u64 = 1_000;

fn is_small(world: &World) -> bool {
    let stages = world.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    let tasks = stages.fold(0_u64, |sum, stage| sum.saturating_add(u64::from(stage.tasks)));
    tasks <= LARGE && world.slots() <= LARGE
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match scenario::parse(text) {
        Ok(world) if is_small(&world) => {
            let _ = simulate(&world, &Options { most_ns: MINUTE_NS, ..Options::default() });
        }
        Ok(_) => {}
        Err(wrong) => assert!(wrong.to_string().contains(": "), "{wrong}"),
    }
});
