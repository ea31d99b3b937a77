//! Worlds worked out by hand, exact finish times: what executors have, how fast they are, and Spark's own copies of slow
//! tasks. Executors are offered in the order of their numbers.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod hand;
mod invariants;

use hand::{constant, jcts, one_job, recorded, run, world};
use holdfast_engine::Resources;
use holdfast_sim::World;
use holdfast_sim::world::{NodesSpec, Speculation, StageSpec, WarmUp};

/// An executor of one slot, alone on its host, that is so fast.
fn of_speed(speed: f64) -> NodesSpec {
    NodesSpec { speed, ..NodesSpec::new(1, 1) }
}

/// Tasks of 1 s take 1 s, 2.5 s and 0.5 s on the three executors.
///
/// ```text
///         e0          e1          e2
/// task 0  0.0-1.0
/// task 1              0.0-2.5
/// task 2                          0.0-0.5
/// task 3                          0.5-1.0
/// task 4  1.0-2.0                              e0 and e2 are free at 1.0 s,
/// task 5                          1.0-1.5      the last two tasks have one each
/// ```
///
/// The stage ends at 2.5 s. Spark does not know who is fast: two tasks that follow go to e0 and e1, until 3.5 and 5.0 s.
#[test]
fn a_stage_ends_with_its_slowest_executor() {
    let stages = |next: &[u32]| {
        let next = next.iter().map(|&tasks| constant(tasks, 1_000));
        vec![one_job(0, 0, [constant(6, 1_000)].into_iter().chain(next).collect())]
    };
    let cluster = vec![of_speed(1.0), of_speed(0.4), of_speed(2.0)];
    let build = |next: &[u32]| World { cluster: cluster.clone(), ..world(1, 1, stages(next)) };
    assert_eq!(jcts(&build(&[])), [2_500]);
    assert_eq!(jcts(&build(&[1])), [3_500]);
    assert_eq!(jcts(&build(&[2])), [5_000]);
}

/// The first two attempts of a workflow on an executor take three times as long.
///
/// Two slots of one executor: the first stage's two tasks are both cold, 0 to 3 s; the four tasks of the second stage are
/// not, 3 to 4 and 4 to 5 s. To another workflow the executor is cold again: of three tasks from 10 s on two are cold, to
/// 13 s, and the third is not, to 14 s.
///
/// Two executors of one slot warm up each by itself: of six tasks each has three, 3 + 3 + 1 s.
#[test]
fn executors_are_cold_at_first() {
    let warm_up = Some(WarmUp { attempts: 2, factor: 3.0 });
    let first = one_job(0, 0, vec![constant(2, 1_000), constant(4, 1_000)]);
    let mut one = world(1, 2, vec![first, one_job(0, 10_000, vec![constant(3, 1_000)])]);
    one.spark.warm_up = warm_up;
    assert_eq!(jcts(&one), [5_000, 4_000]);
    let mut two = world(2, 1, vec![one_job(0, 0, vec![constant(6, 1_000)])]);
    two.spark.warm_up = warm_up;
    assert_eq!(jcts(&two), [7_000]);
}

/// One executor; A has four tasks of a core and 4 GiB for 2 s each, B from 0.5 s on two of a core and 1 GiB for 1 s each.
///
/// * 4 cores, 8 GiB: two of A fill the memory from 0 to 2 s. Two cores are free, and no use to B. At 2 s the next two of A
///   are before B, to 4 s. B has 4 to 5 s.
/// * 4 cores, 10 GiB: 2 GiB are left beside two of A, so that B has 0.5 to 1.5 s.
/// * 2 cores, 10 GiB: two of A fill the cores, B has 4 to 5 s again.
/// * 4 cores, 9 GiB: 1 GiB is left: one task of B from 0.5 to 1.5 s, the other one from 1.5 to 2.5 s. At 2 s each task of A
///   that ends makes room for the next one, whatever B does: 4 + 4 + 1 GiB.
#[test]
fn a_task_needs_all_that_it_asks_for() {
    let build = |cores: u32, memory: u32| {
        let profile = |stage: StageSpec, profile| StageSpec { profile, ..stage };
        let a = one_job(0, 0, vec![profile(constant(4, 2_000), 1)]);
        let b = one_job(0, 500, vec![profile(constant(2, 1_000), 0)]);
        let mut world = world(1, 1, vec![a, b]);
        world.profiles = vec![Resources([1_000, 1_024, 0, 0]), Resources([1_000, 4_096, 0, 0])];
        world.cluster[0].capacity = Resources([cores * 1_000, memory * 1_024, 0, 0]);
        world
    };
    assert_eq!(jcts(&build(4, 8)), [4_000, 4_500]);
    assert_eq!(jcts(&build(4, 10)), [4_000, 1_000]);
    assert_eq!(jcts(&build(2, 10)), [4_000, 4_500]);
    assert_eq!(jcts(&build(4, 9)), [4_000, 2_000]);
}

/// Ten executors, the last of which take ten times as long, and one task of 1 s on each; Spark 4.1's speculation: when nine of
/// ten have ended, a task gets a copy once it is older than three times the median.
///
/// One is slow: nine have ended at 1 s, the median is 1 s. At 3 s the tenth is as old as 3 s and not older; at the next look,
/// at 3.1 s, its copy begins on e0 and ends at 4.1 s.
///
/// Two are slow: eight have ended, which are not nine. Nobody gets a copy, and both end at 10 s.
#[test]
fn copies_wait_for_nine_of_ten() {
    let slow = |slow: u32| {
        let mut world = world(10 - slow, 1, vec![one_job(0, 0, vec![constant(10, 1_000)])]);
        world.cluster.push(NodesSpec { speed: 0.1, ..NodesSpec::new(slow, 1) });
        world.spark.speculation = Some(Speculation::default());
        world
    };
    assert_eq!(jcts(&slow(1)), [4_100]);
    assert_eq!(run(&slow(1)).copies.won, 1);
    assert_eq!(jcts(&slow(2)), [10_000]);
    assert_eq!(run(&slow(2)).copies.launched, 0);
}

/// The last task takes 9 s wherever it runs. Its copy begins at 3.1 s, too, and would take until 12.1 s: the original is
/// first at 9 s, and the copy's 5.9 s are wasted.
#[test]
fn a_copy_that_is_not_first_gains_nothing() {
    let mut tasks = [1_000; 10];
    tasks[9] = 9_000;
    let mut world = world(10, 1, vec![one_job(0, 0, vec![recorded(&tasks)])]);
    world.spark.speculation = Some(Speculation::default());
    assert_eq!(jcts(&world), [9_000]);
    let outcome = run(&world);
    assert_eq!((outcome.copies.launched, outcome.copies.won, outcome.wasted), (1, 0, 1));
    // 9 * 1 s, 9 s and 5.9 s.
    assert_eq!(outcome.usage.busy_ns, 23_900_000_000);
}

/// e0 and a slow e1 are on one host, e2 on another. A's two tasks begin at 0 s on e0 and e1, B's one at 0.1 s on e2, where it
/// ends at 5.1 s. A's first task ends at 1 s; at 1.6 s the other one is older than 1.5 times that. e0 is free, and on the
/// host where the task runs already: its copy begins when e2 is free, 5.1 to 6.1 s.
#[test]
fn a_copy_runs_on_another_host() {
    let a = one_job(0, 0, vec![constant(2, 1_000)]);
    let b = one_job(0, 100, vec![constant(1, 5_000)]);
    let mut world = world(1, 1, vec![a, b]);
    let on = |host, speed| NodesSpec { first_host: Some(host), ..of_speed(speed) };
    world.cluster = vec![on(0, 1.0), on(0, 0.1), on(1, 1.0)];
    world.spark.speculation =
        Some(Speculation { quantile: 0.5, multiplier: 1.5, ..Speculation::default() });
    assert_eq!(jcts(&world), [6_100, 5_000]);
}
