//! Capacity in every resource, which hold a launch consumes, and which one it overrides.

mod common;

use common::{Host, P, ended, held, literal};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Decision, EndCause, Engine, Event, ExecutorId, JobId, Outcome, PoolId,
    ProfileId, Reason, Resources, SetId, StageId, StageKind, Time, Verdict, VetoReason, WorkflowId,
};

/// An executor with four of resource `which`; a task of workflow 1 has used two and holds them, one
/// more is busy: three are free, two of them held. Returns what an ask of `size` of a later one gets.
fn ask_in(which: usize, size: u32) -> Verdict {
    let amount = |units: u32| {
        // Everything else is plentiful.
        let mut all = [1_u32; 4];
        all[which] = units * 100;
        Resources(all)
    };
    let mut engine = Engine::new(literal());
    let mut say = |event| {
        engine.step(Time(0), &event, &mut Vec::new()).expect("a valid event");
    };
    for (profile, units) in [(0, 2), (1, 1), (2, size)] {
        let demand = amount(units);
        say(Event::ProfileDefined {
            profile: ProfileId(profile),
            runs_on: ProfileId(profile),
            demand,
        });
    }
    let mut capacity = [100; 4];
    capacity[which] = 400;
    let (executor, capacity) = (ExecutorId(0), Resources(capacity));
    say(Event::ExecutorAdded { executor, profile: P, capacity });
    for (id, priority) in [(0, 1), (1, 0), (2, 0)] {
        let (workflow, job) = (WorkflowId(id), JobId(id));
        say(Event::WorkflowOpened {
            workflow,
            priority,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        });
        say(Event::JobSubmitted { job, workflow, continues: false });
        let stage = StageId(id);
        say(Event::StagePlanned {
            job,
            stage,
            tasks: 1,
            next: 1,
            next_profile: ProfileId(id),
            signature: 0,
        });
        let (set, profile) = (SetId(id), ProfileId(id));
        say(Event::SetSubmitted {
            set,
            job,
            stage,
            tasks: 1,
            profile,
            fills_cache: false,
            kind: StageKind::Result,
        });
    }
    for id in [0, 1] {
        let (attempt, set) = (AttemptId(id), SetId(id));
        say(Event::Launched { attempt, set, task: 0, executor, local: true });
    }
    say(Event::SlotFreed { attempt: AttemptId(0), outcome: Outcome::Finished });
    assert_eq!(engine.holds().len(), 1);
    let view = engine.executors()[0];
    let free = view.capacity.minus(view.running);
    assert_eq!(free.0[which], 300);
    engine.verdict(SetId(2), executor, &free).expect("both are known")
}

#[test]
fn four_cores_three_free_two_held_two_are_refused_and_one_is_allowed() {
    for which in 0..4 {
        assert_eq!(ask_in(which, 2), Verdict::Veto(VetoReason::Held), "resource {which}");
        assert_eq!(ask_in(which, 1), Verdict::Allow, "resource {which}");
    }
}

/// Workflows 1 (priority 2) and 2 (priority 1) hold one slot each of the two of executor 0.
fn two_holders() -> Host {
    let mut host = Host::new(literal(), &[2]);
    host.simple(1, 2, 1, 1);
    host.simple(2, 1, 1, 1);
    host.launch(0, 1, 0, 0);
    host.launch(1, 2, 0, 0);
    host.free(0);
    host.free(1);
    assert_eq!(host.held(), 2);
    host
}

#[test]
fn r7_an_override_ends_exactly_one_hold_the_least_important() {
    let mut host = two_holders();
    host.simple(3, 9, 2, 0);
    assert_eq!(host.launch(5, 3, 0, 0), [ended(1, EndCause::Overridden), Decision::Reoffer]);
    assert_eq!(host.held(), 1);
    assert_eq!(host.launch(6, 3, 1, 0), [ended(0, EndCause::Overridden)]);
    assert_eq!(host.held(), 0);
}

#[test]
fn r7_a_launch_against_the_verdict_ends_one_hold_all_the_same() {
    let mut host = two_holders();
    host.simple(3, 0, 1, 0);
    assert_eq!(host.ask(3, 0, 2), Verdict::Veto(VetoReason::Held));
    assert_eq!(host.launch(5, 3, 0, 0), [ended(1, EndCause::Overridden)]);
}

#[test]
fn facts_win_over_capacity() {
    let mut host = Host::new(literal(), &[1]);
    host.simple(1, 0, 2, 0);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    assert_eq!(host.engine.executors()[0].capacity, Resources::cpu(2_000));
}

#[test]
fn a_barrier_set_gets_what_is_not_held_before_it() {
    let mut host = two_holders();
    host.simple(3, 1, 2, 0);
    let free = Resources::cpu(2_000);
    let room = |set| host.engine.barrier_room(SetId(set), ExecutorId(0), &free);
    assert_eq!((room(1), room(2), room(3)), (Ok(2), Ok(1), Ok(0)));
}

#[test]
fn admits_is_false_only_when_all_is_held_before_the_asker() {
    let mut host = two_holders();
    host.simple(3, 0, 1, 0);
    host.simple(4, 3, 1, 0);
    let admits = |set| host.engine.admits(SetId(set));
    assert_eq!(
        (admits(1), admits(2), admits(3), admits(4)),
        (Ok(true), Ok(true), Ok(false), Ok(true))
    );
}

#[test]
fn a_launch_elsewhere_moves_the_newest_hold() {
    let mut host = Host::new(literal(), &[2, 1]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, 2, 2)]);
    host.set(1, 1, 2);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    host.free(0);
    host.free(1);
    host.end(1);
    host.set(2, 1, 2);
    assert_eq!(host.launch(2, 2, 0, 1), [ended(1, EndCause::Moved), Decision::Reoffer]);
    assert_eq!(host.launch(3, 2, 1, 0), [ended(0, EndCause::Used)]);
}

#[test]
fn a_launch_uses_the_hold_with_the_earliest_deadline() {
    let mut host = Host::new(literal(), &[3]);
    host.workflow(1, 1);
    host.job(1, 1, true, &[(1, 2, 2), (2, 2, 2)]);
    host.set(1, 1, 2);
    host.launch(0, 1, 0, 0);
    host.free(0);
    host.now = common::SECOND;
    host.set(2, 1, 2);
    host.launch(1, 2, 0, 0);
    assert_eq!(host.held(), 0, "the first hold was used");
    let deadline = 61 * common::SECOND;
    assert_eq!(host.free(1), [held(1, 1, 0, Reason::Waiting, deadline)]);
}

#[test]
fn r3_barred_and_lost_executors_keep_no_hold() {
    for lost in [false, true] {
        let mut host = two_holders();
        let executor = ExecutorId(0);
        let gone = match lost {
            true => Event::ExecutorLost { executor },
            false => Event::ExecutorBarred { executor, barred: true },
        };
        let gone = host.say(gone);
        assert_eq!(gone, [ended(0, EndCause::ExecutorGone), ended(1, EndCause::ExecutorGone)]);
    }
}

#[test]
fn r5_whatever_ends_a_hold_unused_wakes_those_who_wait() {
    let mut host = two_holders();
    host.simple(3, 0, 1, 0);
    assert_eq!(host.ask(3, 0, 2), Verdict::Veto(VetoReason::Held));
    let woken = host.at(60 * common::SECOND);
    assert_eq!(woken.last(), Some(&Decision::Reoffer));
    assert_eq!(host.ask(3, 0, 2), Verdict::Allow);
}

#[test]
fn r18_nobody_is_woken_where_nobody_was_refused() {
    let mut host = Host::new(Config { grow: false, ..Config::default() }, &[1]);
    host.simple(1, 0, 2, 0);
    host.simple(2, 3, 4, 0);
    assert_eq!(host.executor(1, 2), []);
    let executor = ExecutorId(1);
    for barred in [true, false] {
        assert_eq!(host.say(Event::ExecutorBarred { executor, barred }), []);
    }
    assert_eq!(host.workflow(1, 5), []);
    assert!(!host.engine.restricts(), "every ask has been answered with yes");
}

#[test]
fn r7_a_barrier_set_finds_the_slots_that_it_was_promised() {
    let mut host = Host::new(Config { grow: true, ..literal() }, &[1, 1, 1, 1]);
    // Executor 3 is held for workflow 3, 0 and 1 for 1; 2 wants another slot, for which 4 waits, too.
    host.workflow(3, 1);
    host.job(3, 3, false, &[(31, 1, 1), (32, 1, 0)]);
    host.set(31, 3, 1);
    host.launch(30, 31, 0, 3);
    host.free(30);
    host.workflow(1, 5);
    host.job(1, 1, false, &[(11, 2, 2), (12, 2, 0)]);
    host.set(11, 1, 2);
    (0..2).for_each(|i| drop(host.launch(10 + i, 11, i, i)));
    (0..2).for_each(|i| drop(host.free(10 + i)));
    host.simple(2, 10, 2, 0);
    host.launch(20, 2, 0, 2);
    host.simple(4, 0, 1, 0);
    host.set_of(StageKind::Barrier, 12, 1, 2);
    let first = host.launch(12, 12, 0, 3);
    let ends = [ended(2, EndCause::Moved), ended(0, EndCause::Overridden)];
    assert_eq!(first[..2], ends, "{first:?}");
    assert!(!common::holds(&first), "executor 1 is free, and promised: {first:?}");
    let second = host.launch(13, 12, 1, 1);
    assert_eq!(second[0], ended(1, EndCause::Moved));
    assert_eq!(second[1], held(3, 2, 0, Reason::Grow, 60 * common::SECOND));
}
