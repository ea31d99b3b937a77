//! Rounds that look only where something can change launch what rounds do that ask every set about every offer.
//!
//! `HOLDFAST_SEED` (default 1) is the first world and `HOLDFAST_WORLDS` (default 400) the number.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod common;
mod invariants;

use holdfast_engine::Policy;
use holdfast_sim::world::Preference;
use holdfast_sim::{Options, Outcome, World, simulate};

/// Fewer need not reach everything.
const MANY: u64 = 400;
/// Of how many the engine's invariants are checked, which takes much longer.
const CHECKED: usize = 100;

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

fn seeds() -> std::ops::Range<u64> {
    let first = number("HOLDFAST_SEED", 1);
    first..first + number("HOLDFAST_WORLDS", MANY)
}

fn run(world: &World, exhaustive: bool) -> Outcome {
    let options =
        Options { placements: true, exhaustive, most_ns: common::DAY, ..Options::default() };
    let seed = world.seed;
    simulate(world, &options)
        .unwrap_or_else(|why| panic!("seed {seed}, exhaustive {exhaustive}: {why}"))
}

/// The outcome, and where the quick way parts from the exhaustive one.
fn compare(world: &World) -> (Outcome, Option<String>) {
    let (quick, exhaustive) = (run(world, false), run(world, true));
    let pairs = quick.placements.iter().zip(&exhaustive.placements);
    let differs = pairs.enumerate().find(|(_, (a, b))| a != b).map(|(number, (a, b))| {
        format!("seed {}: launch {number} is\n{a:?} instead of\n{b:?}", world.seed)
    });
    let ends = || format!("seed {}: ends differ", world.seed);
    let differs = differs.or_else(|| (quick.workflows != exhaustive.workflows).then(ends));
    (quick, differs)
}

fn report(differences: &[String]) {
    let number = differences.len();
    assert!(differences.is_empty(), "{number} worlds:\n{}", differences.join("\n"));
}

#[test]
fn without_the_engine() {
    let (mut any, mut near, mut copies) = (0, 0, 0);
    let mut differences = Vec::new();
    for seed in seeds() {
        let (outcome, differs) = compare(&common::world(seed));
        differences.extend(differs);
        any += outcome.locality[0].any + outcome.locality[1].any;
        near += outcome.locality[0].process + outcome.locality[1].process;
        copies += outcome.copies.won;
    }
    report(&differences);
    if seeds().count() < MANY as usize {
        return;
    }
    assert!(any > 0 && near > 0 && copies > 0, "{any} {near} {copies}");
}

#[test]
fn with_the_engine() {
    let (mut vetoes, mut used, mut won, mut expired) = ([0; 3], 0, 0, 0);
    let mut differences = Vec::new();
    let checked = Options { log: true, most_ns: common::DAY, ..Options::default() };
    for (number, seed) in seeds().enumerate() {
        let config = common::config(seed);
        let policy = config.policy;
        let world = common::world(seed).with_engine(config);
        let (outcome, differs) = compare(&world);
        differences.extend(differs);
        if number < CHECKED {
            invariants::check(&world, &simulate(&world, &checked).unwrap());
        }
        let totals = outcome.totals.unwrap();
        vetoes
            [usize::from(policy == Policy::Static) + 2 * usize::from(policy == Policy::Timeout)] +=
            outcome.asks.1;
        expired += if policy == Policy::Timeout { totals.expired } else { 0 };
        used += totals.used;
        won += totals.copies_won;
    }
    report(&differences);
    if seeds().count() < MANY as usize {
        return;
    }
    assert!(!vetoes.contains(&0), "vetoes by policy: {vetoes:?}");
    assert!(used > 0 && won > 0 && expired > 0, "{used} {won} {expired}");
}

/// The same world, in which tasks want an executor that has a part of their input instead of the one before theirs.
fn near_output(mut world: World) -> World {
    let stages =
        world.workflows.iter_mut().flat_map(|w| &mut w.jobs).flat_map(|job| &mut job.stages);
    for stage in stages.filter(|stage| stage.preference == Preference::Before) {
        stage.preference = Preference::Output;
    }
    world
}

#[test]
fn near_their_input() {
    let mut differences = Vec::new();
    for seed in seeds() {
        let world = near_output(common::world(seed));
        differences.extend(compare(&world).1);
        differences.extend(compare(&world.with_engine(common::config(seed))).1);
    }
    report(&differences);
}

/// Worlds that were found to differ once, by what the quick way overlooked.
fn same(seeds: &[u64], engine: bool) {
    for &seed in seeds {
        let world = common::world(seed);
        let world = if engine { world.with_engine(common::config(seed)) } else { world };
        assert_eq!(compare(&world).1, None);
    }
}

/// It forgot executors and hosts without pending tasks where Spark does not look, so that levels were others when an
/// executor was lost.
#[test]
fn what_is_looked_for_is_not_forgotten() {
    same(&[588, 736, 852, 931, 1194, 1514, 2743, 2796, 2942, 4647], false);
    same(&[931, 1194, 2796, 3820], true);
}

/// Spark's timer for slow tasks took a set that waited for the next round of all executors for one that waits for ever.
#[test]
fn who_waits_for_a_round_is_not_stuck() {
    same(&[55609], true);
}

/// A task that has got its copy stays in the lists of its places, and gets another one there when an executor is lost.
#[test]
fn copies_are_found_in_the_lists_of_places() {
    same(&[4277], false);
    same(&[2082, 4277], true);
}

/// A set that any executor's offer may change missed one in a round that left out all sets like it, and waited for
/// locality from then on.
#[test]
fn who_was_left_out_is_owed_a_look() {
    same(&[2241], true);
}

/// A set that sat out a round before it had launched everything was never let in again.
#[test]
fn who_sat_out_is_asked_for_again() {
    same(&[3359, 4289], true);
}

/// A task was counted off twice with its executor, and never launched again.
#[test]
fn no_task_has_less_than_no_attempt() {
    same(&[175296], false);
}

/// With its last task launched at the last offer, a set came upon its empty lists and moved its level at once; Spark does
/// so at the next offer.
#[test]
fn lists_are_looked_at_with_an_offer() {
    same(&[9437, 31883], false);
    same(&[23191, 26860, 50796, 56027, 57354], true);
}

/// Offers behind the last launch of a pass that left something waiting were not refused if the next pass launched that.
#[test]
fn who_still_waits_refuses_what_is_behind() {
    same(&[17832, 44579, 53814], true);
}

/// Offers that were passed over for copies only counted as refused.
#[test]
fn who_waits_for_nothing_refuses_nothing() {
    same(&[147542, 211100], true);
}
