//! Pre-reservation (SSR-4; ICDCS'17, section III-B): slots for a wider stage are claimed once enough of this one is done.

mod common;

use common::{Host, holds};
use holdfast_engine::{Config, Decision, EndCause, Event, HoldFor, JobId, ProfileId, StageId};

/// Workflow 1 runs two tasks, of which eight follow; the other six slots run tasks of workflow 9, of which more wait.
fn narrow_before_wide(config: Config, priority: i32) -> Host {
    let mut host = Host::new(config, &[8]);
    host.simple(9, 0, 20, 0);
    for task in 0..6 {
        host.launch(90 + task, 9, task, 0);
    }
    host.workflow(1, priority);
    host.job(1, 1, false, &[(1, 2, 8), (2, 8, 0)]);
    host.set(1, 1, 2);
    host.launch(1, 1, 0, 0);
    host.launch(2, 1, 1, 0);
    host
}

#[test]
fn ssr_4_from_the_finished_fraction_on_what_others_release_is_claimed() {
    let mut host = narrow_before_wide(Config::default(), 1);
    assert!(!holds(&host.free(90)), "nothing of the stage is done");
    host.launch(96, 9, 6, 0);
    assert!(holds(&host.free(1)), "its own slot is kept");
    for (number, attempt) in (2..).zip([91, 92, 93, 94, 95, 96]) {
        assert!(holds(&host.free(attempt)));
        assert_eq!(host.held(), number);
    }
}

#[test]
fn ssr_4_the_threshold_is_the_users() {
    let at_once = Config { prereserve_ppm: 0, ..Config::default() };
    assert!(holds(&narrow_before_wide(at_once, 1).free(90)));
    let when_done = Config { prereserve_ppm: 1_000_000, ..Config::default() };
    let mut host = narrow_before_wide(when_done, 1);
    host.free(1);
    assert!(!holds(&host.free(91)));
    host.free(2);
    assert!(holds(&host.free(92)));
}

#[test]
fn ssr_4_who_may_not_hold_claims_nothing() {
    let mut host = narrow_before_wide(Config::default(), 0);
    host.free(1);
    assert!(!holds(&host.free(90)));
}

/// 100 slots, half of them of workflow 1, whose next stage has 200 partitions, half of workflow 2, an equal with 500 tasks.
fn wide_beside_an_equal(config: Config, priority: i32) -> Host {
    let mut host = Host::new(config, &[10; 10]);
    host.workflow(1, priority);
    host.job(1, 1, false, &[(1, 50, 200), (3, 200, 0)]);
    host.set(1, 1, 50);
    host.simple(2, priority, 500, 0);
    for task in 0..50 {
        host.launch(task, 1, task, task / 10);
        host.launch(100 + task, 2, task, 5 + task / 10);
    }
    host
}

#[test]
fn ssr_4_two_hundred_partitions_take_no_slot_from_an_equal() {
    let all = Config { hold_for: HoldFor::All, ..Config::default() };
    for (config, priority) in [(Config::default(), 1), (all, 0)] {
        let mut host = wide_beside_an_equal(config, priority);
        // From the finished fraction on, and with all of it done.
        (0..30).for_each(|task| drop(host.free(task)));
        for task in 0..50 {
            host.free(100 + task);
        }
        (30..50).for_each(|task| drop(host.free(task)));
        let owners = host.engine.holds();
        assert_eq!(owners.iter().filter(|hold| hold.workflow.0 == 1).count(), 50, "its own");
        assert!(owners.iter().all(|hold| (hold.workflow.0 == 1) == (hold.executor.0 < 5)));
    }
}

#[test]
fn ssr_4_what_a_changed_plan_does_not_need_is_given_back() {
    let mut host = narrow_before_wide(Config::default(), 1);
    host.free(1);
    for attempt in 90..96 {
        host.free(attempt);
    }
    assert_eq!(host.held(), 7);
    // Adaptive execution coalesces the next stage to three.
    host.say(Event::StagePlanned {
        job: JobId(1),
        stage: StageId(2),
        tasks: 3,
        next: 0,
        next_profile: ProfileId(0),
        signature: 2,
    });
    host.free(2);
    host.end(1);
    let decisions = host.set(2, 1, 3);
    let not_needed =
        |d: &&Decision| matches!(d, Decision::HoldEnded { cause: EndCause::NotNeeded, .. });
    assert!(decisions.iter().any(|d| not_needed(&d)));
    assert_eq!(host.held(), 3);
}
