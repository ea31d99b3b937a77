//! Widening locality on own held slots, as far as it pays (docs/mechanisms/ssr/locality.md).

mod common;

use common::{Host, SECOND};
use holdfast_engine::{AttemptId, Config, Event, ExecutorId, ProfileId, Resources, SetId, Verdict};

/// An executor of two slots, and a workflow of two tasks a stage, all slots of which are held in between.
fn host() -> Host {
    let mut host = Host::new(Config::default(), &[2]);
    host.workflow(1, 1);
    host.job(1, 1, true, &[(1, 2, 2), (2, 2, 2), (3, 2, 2), (4, 2, 0)]);
    host
}

/// A stage of one task next to its input, which takes a second, and one away from it that takes `remote` seconds;
/// what the next stage is told that asks for their slots.
fn stage(host: &mut Host, id: u32, remote: u64) -> Verdict {
    host.set(id, 1, 2);
    let (set, executor) = (SetId(id), ExecutorId(0));
    for (task, local) in [(0, true), (1, false)] {
        let attempt = AttemptId(10 * id + task);
        host.say(Event::Launched { attempt, set, task, executor, local });
    }
    host.now += SECOND;
    host.free(10 * id);
    host.now += (remote - 1) * SECOND;
    host.free(10 * id + 1);
    let answer = host.ask(id, 0, 2);
    host.end(id);
    answer
}

/// After a first stage on an executor that was new to such tasks, and a second one.
fn after_a_remote_task(remote: u64) -> Verdict {
    let mut host = host();
    assert_eq!(stage(&mut host, 1, 1), Verdict::AllowHeld, "who does not know tries");
    stage(&mut host, 2, remote);
    host.set(3, 1, 2);
    // One task has a slot next to its input, and the other one waits for it.
    host.launch(30, 3, 0, 0);
    host.ask(3, 0, 1)
}

#[test]
fn the_more_tasks_wait_for_a_slot_the_dearer_is_waiting() {
    for (tasks, answer) in [(4, Verdict::AllowHeld), (3, Verdict::AllowHeld), (2, Verdict::Allow)] {
        let mut host = host();
        stage(&mut host, 1, 1);
        stage(&mut host, 2, 3);
        host.set(3, 1, tasks);
        host.launch(30, 3, 0, 0);
        assert_eq!(host.ask(3, 0, 1), answer, "{tasks} tasks, three times as long from afar");
    }
}

#[test]
fn nobody_waits_for_locality_while_a_second_wave_would_take_longer() {
    assert_eq!(after_a_remote_task(2), Verdict::AllowHeld);
}

#[test]
fn who_reads_from_afar_for_longer_than_a_second_wave_takes_waits_as_spark_does() {
    assert_eq!(after_a_remote_task(3), Verdict::Allow);
}

#[test]
fn what_an_executor_costs_that_is_new_counts_for_the_stage_only() {
    let mut host = host();
    assert_eq!(stage(&mut host, 1, 9), Verdict::Allow);
    host.set(2, 1, 2);
    assert_eq!(host.ask(2, 0, 2), Verdict::AllowHeld, "it is tried once more");
    host.end(2);
    assert_eq!(stage(&mut host, 3, 3), Verdict::Allow);
    host.set(4, 1, 2);
    host.launch(40, 4, 0, 0);
    assert_eq!(host.ask(4, 0, 1), Verdict::Allow, "an executor that is known teaches for good");
}

#[test]
fn an_executor_that_was_lost_is_new_when_it_comes_again() {
    let mut host = host();
    assert_eq!(stage(&mut host, 1, 1), Verdict::AllowHeld);
    let (executor, profile) = (ExecutorId(0), ProfileId(0));
    host.say(Event::ExecutorLost { executor });
    host.say(Event::ExecutorAdded { executor, profile, capacity: Resources([2000, 0, 0, 0]) });
    stage(&mut host, 2, 3);
    host.set(3, 1, 2);
    host.launch(30, 3, 0, 0);
    assert_eq!(host.ask(3, 0, 1), Verdict::AllowHeld, "its first task taught for its stage only");
}

#[test]
fn without_grow_spark_decides() {
    let mut host = Host::new(Config { grow: false, ..Config::default() }, &[2]);
    host.simple(1, 1, 2, 2);
    host.launch(1, 1, 0, 0);
    host.free(1);
    assert_eq!(host.ask(1, 0, 2), Verdict::Allow);
}
