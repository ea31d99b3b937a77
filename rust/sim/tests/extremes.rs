//! Worlds with one number that nobody would write: they are refused, or simulated, or come to no end, and nothing overflows
//! (tests are compiled with overflow checks).
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod common;
mod invariants;

use common::Random;
use holdfast_sim::{Failure, Options, World, simulate};
use serde_json::{Value, json};

const SEEDS: u64 = 4_000;
/// What is simulated at most: an hour, and so many tasks and slots.
const HOUR_NS: u64 = 3_600 * 1_000_000_000;
const LARGE: u64 = 10_000;

/// Where the numbers of a document are.
fn numbers(at: &Value, path: &str, found: &mut Vec<String>) {
    match at {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                numbers(item, &format!("{path}/{i}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                numbers(field, &format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// The world of a seed with another number somewhere, and where; none if JSON has no such world.
fn changed(seed: u64) -> Option<(String, World)> {
    let mut r = Random::new(seed ^ 0xe7);
    let mut world = common::world(seed);
    if r.chance(0.6) {
        world.engine = Some(common::config(seed));
    }
    let mut document = serde_json::to_value(&world).unwrap();
    let mut found = Vec::new();
    numbers(&document, "", &mut found);
    let place = &found[r.between(0, found.len() as u32 - 1) as usize];
    let fractions = [json!(0.0), json!(1e-300), json!(1e300), json!(-1.5), json!(0.5)];
    let whole = [
        json!(0),
        json!(1),
        json!(u16::MAX),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(u64::MAX / 1_000_000),
        json!(i32::MIN),
        json!(holdfast_sim::world::LONGEST_MS),
    ];
    let number = document.pointer_mut(place).unwrap();
    let from = if number.is_f64() { &fractions[..] } else { &whole[..] };
    *number = from[r.between(0, from.len() as u32 - 1) as usize].clone();
    let told = format!("seed {seed}: {place} = {number}");
    Some((told, serde_json::from_value(document).ok()?))
}

fn is_small(world: &World) -> bool {
    let stages = world.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    let tasks: u64 = stages.map(|stage| u64::from(stage.tasks)).sum();
    tasks <= LARGE && world.slots() <= LARGE
}

#[test]
fn one_number_that_nobody_would_write() {
    let options = Options { most_ns: HOUR_NS, log: true, ..Options::default() };
    let (mut refused, mut simulated, mut endless) = (0, 0, 0);
    for (told, world) in (1..=SEEDS).filter_map(changed) {
        if world.check().is_ok() && !is_small(&world) {
            continue;
        }
        match simulate(&world, &options) {
            Ok(outcome) => {
                simulated += 1;
                invariants::check(&world, &outcome);
            }
            Err(Failure::World(_)) => refused += 1,
            Err(Failure::TooLong(..) | Failure::Stuck(..)) => endless += 1,
            Err(why) => panic!("{told}: {why}"),
        }
    }
    assert!(refused > 30 && simulated > 100 && endless > 10, "{refused} {simulated} {endless}");
}
