//! Widening locality on own held slots, as far as it pays (docs/mechanisms/locality.md).

mod common;

use common::{Host, SECOND};
use holdfast_engine::{AttemptId, Config, Event, ExecutorId, SetId, Verdict};

/// Two tasks on an executor of three slots, the first next to its input, which takes a second; the second one takes
/// `remote` seconds, its slot is held. Then a task of the next stage asks for it.
fn after_a_remote_task(config: Config, remote: u64) -> Verdict {
    let mut host = Host::new(config, &[3]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, 3, 3), (2, 3, 0)]);
    host.set(1, 1, 3);
    for (task, local) in [(0, true), (1, false), (2, true)] {
        let (attempt, set, executor) = (AttemptId(task), SetId(1), ExecutorId(0));
        host.say(Event::Launched { attempt, set, task, executor, local });
    }
    host.now = SECOND;
    host.free(0);
    assert_eq!(host.ask(1, 0, 1), Verdict::AllowHeld, "who does not know tries");
    host.now = remote * SECOND;
    host.free(1);
    host.free(2);
    host.end(1);
    host.set(2, 1, 3);
    host.ask(2, 0, 3)
}

#[test]
fn nobody_waits_for_locality_while_a_second_wave_would_take_longer() {
    assert_eq!(after_a_remote_task(Config::default(), 2), Verdict::AllowHeld);
}

#[test]
fn who_reads_from_afar_for_longer_than_a_second_wave_takes_waits_as_spark_does() {
    assert_eq!(after_a_remote_task(Config::default(), 3), Verdict::Allow);
}

#[test]
fn without_grow_spark_decides() {
    let mut host = Host::new(Config { grow: false, ..Config::default() }, &[2]);
    host.simple(1, 1, 2, 2);
    host.launch(1, 1, 0, 0);
    host.free(1);
    assert_eq!(host.ask(1, 0, 2), Verdict::Allow);
}
