//! What a variant makes of a world.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod common;
mod invariants;

use holdfast_engine::{Copies, NeedRule, Policy};
use holdfast_sim::paper::{Setting, world};
use holdfast_sim::variant::Variant;
use holdfast_sim::world::PoolSpec;
use holdfast_sim::{Options, World, simulate};

fn small() -> World {
    world(&Setting { nodes: 20, ..Setting::default() })
}

fn fair() -> World {
    let mut world = small();
    world.spark.fair = true;
    world.pools = vec![PoolSpec { name: "own".into(), fair: true, weight: 3, min_share: 2 }];
    world.workflows.iter_mut().for_each(|w| w.pool = Some(0));
    world
}

/// Spark alone is FIFO in one of these worlds and FAIR in the other; no two variants are the same in both.
#[test]
fn no_two_are_configured_alike() {
    let made = Variant::ALL.map(|variant| [small(), fair()].map(|world| variant.of(&world)));
    for (i, one) in made.iter().enumerate() {
        for (j, other) in made.iter().enumerate().skip(i + 1) {
            assert!(one != other, "{:?} and {:?}", Variant::ALL[i], Variant::ALL[j]);
        }
    }
}

#[test]
fn names_are_names_of_one() {
    for variant in Variant::ALL {
        assert_eq!(Variant::named(variant.name()), Some(variant));
    }
    assert_eq!(Variant::named("stock"), None);
}

#[test]
fn copies_and_pre_reservation_go_one_by_one() {
    let of = |variant: Variant| {
        let config = variant.config().unwrap();
        (config.need, config.copies, config.prereserve_ppm <= 1_000_000)
    };
    let (literal, ahead) = (NeedRule::Literal, NeedRule::Lookahead);
    assert_eq!(of(Variant::Literal), (literal, Copies::Off, true));
    assert_eq!(of(Variant::LiteralCopies), (literal, Copies::All, true));
    assert_eq!(of(Variant::LiteralNoPrereserve), (literal, Copies::Off, false));
    assert_eq!(of(Variant::LiteralCopiesNoPrereserve), (literal, Copies::All, false));
    assert_eq!(of(Variant::Lookahead), (ahead, Copies::Shuffle, true));
    assert_eq!(of(Variant::LookaheadNoCopies), (ahead, Copies::Off, true));
    assert_eq!(of(Variant::LookaheadNoPrereserve), (ahead, Copies::Shuffle, false));
    assert_eq!(of(Variant::LookaheadPlain), (ahead, Copies::Off, false));
}

#[test]
fn those_that_go_by_isolation_hold() {
    for variant in Variant::ALL.into_iter().filter(|v| v.holds_by_isolation()) {
        assert_eq!(variant.config().unwrap().policy, Policy::Ssr, "{variant:?}");
        let world = variant.of(&small());
        assert!(world.workflows.iter().all(|w| w.isolation_ppm.is_none()), "{variant:?}");
    }
    assert!(Variant::Priority.of(&small()).workflows.iter().all(|w| w.isolation_ppm == Some(0)));
}

#[test]
fn fair_keeps_the_worlds_pools_and_gives_it_two_if_it_has_none() {
    assert_eq!(Variant::Fair.of(&fair()), fair());
    assert!(!Variant::Fifo.of(&fair()).spark.fair);
    let made = Variant::Fair.of(&small());
    assert!(made.spark.fair);
    let names: Vec<&str> = made.pools.iter().map(|pool| pool.name.as_str()).collect();
    assert_eq!(names, ["important", "others"]);
    for workflow in &made.workflows {
        assert_eq!(workflow.pool, Some(usize::from(workflow.priority == 0)));
    }
}

/// Nobody else decides like this: who is launched where and when differs in each of them but for those without a
/// difference in this world.
#[test]
fn each_is_simulated() {
    let base = small();
    let of = |variant: Variant| simulate(&variant.of(&base), &Options::default()).unwrap();
    let [spark, fifo, fair] = [Variant::Spark, Variant::Fifo, Variant::Fair].map(of);
    assert_eq!(spark.fingerprint, fifo.fingerprint, "the world is FIFO");
    assert!(spark.fingerprint != fair.fingerprint);
    assert_eq!((spark.barriers.held, of(Variant::Priority).barriers.held), (0, 0));
    assert!(of(Variant::Literal).barriers.held > 0);
    assert_eq!(of(Variant::Literal).copies.launched, 0);
    assert!(of(Variant::LiteralCopies).copies.launched > 0);
    assert_eq!(of(Variant::LookaheadNoCopies).copies.launched, 0);
}

/// R1 to R11, R16, R17, R19, R20, after every step, by the naive twin: in small worlds, as it is slow.
#[test]
fn all_invariants_hold_in_each_of_them() {
    let options = Options { log: true, most_ns: common::DAY, ..Options::default() };
    for variant in Variant::ALL {
        let mut ended = 0;
        for seed in 1..=20 {
            let world = variant.of(&common::world(seed));
            // What is set aside may be all there is.
            if let Ok(outcome) = simulate(&world, &options) {
                invariants::check(&world, &outcome);
                ended += 1;
            }
        }
        assert!(ended > 10, "{variant:?}: {ended}");
    }
}
