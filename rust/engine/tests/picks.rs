//! One more pick takes one file and one line: the largest pending task is next, and what has run for a millisecond gets a
//! copy elsewhere.

mod common;

use common::Host;
use holdfast_engine::{Choice, Config, Copies, Decision, Due, ExecutorId, SetId, Stragglers, Time};

const AGE_NS: u64 = 1_000_000;

fn backwards(copies: Copies) -> Host {
    let stragglers = Stragglers::Off;
    let config = Config { stragglers, copies, explore_seed: 77_777, ..Config::default() };
    assert!(config.picks());
    let mut host = Host::new(config, &[2, 2]);
    host.simple(1, 0, 2, 0);
    host
}

fn pick(host: &Host, executor: u32) -> Choice {
    host.engine.pick(SetId(1), ExecutorId(executor)).expect("both are known")
}

#[test]
fn a_task_of_age_is_copied_elsewhere_once_and_a_tick_says_so() {
    let mut host = backwards(Copies::All);
    assert_eq!(pick(&host, 0), Choice::Pending { largest: true, most: u32::MAX });
    host.launch(0, 1, 1, 0);
    host.launch(1, 1, 0, 0);
    assert_eq!(pick(&host, 1), Choice::Host, "both are young");
    assert_eq!(host.engine.next_deadline(), Some(Time(AGE_NS)));
    assert!(host.engine.timers().iter().any(|timer| timer.due == Due::SetIsReviewed));
    assert_eq!(host.at(AGE_NS - 1), []);
    assert_eq!(host.at(AGE_NS), [Decision::Reoffer]);
    assert_eq!((pick(&host, 0), pick(&host, 1)), (Choice::Host, Choice::Copy(0)));
    assert_eq!(host.engine.wants_copies(SetId(1)), Ok(true));
    host.launch(2, 1, 0, 1);
    assert_eq!(pick(&host, 1), Choice::Copy(1));
    host.free(2);
    assert_eq!(pick(&host, 1), Choice::Copy(1), "what has ended needs no copy");
}

#[test]
fn the_configuration_forbids_copies_and_no_other_seed_asks_for_it() {
    let mut host = backwards(Copies::Off);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    host.at(AGE_NS);
    assert_eq!(pick(&host, 1), Choice::Host);
    assert!(!Config { stragglers: Stragglers::Off, ..Config::default() }.picks());
}
