//! Fair sharing (SSR-12, Fig. 13): holds count as usage, a tie keeps the hold, names mean nothing.

mod common;

use common::{Host, ended, literal};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    Config, Decision, EndCause, Event, ExecutorId, HoldFor, JobId, PoolId, Resources, SetId,
    StageKind, Verdict, VetoReason, WorkflowId,
};

const REFUSED: Verdict = Verdict::Veto(VetoReason::Held);

/// Fair pools of the given weights and minimum shares, numbered from 1; a cluster of two executors of four slots.
fn host(pools: &[(u32, u32)]) -> Host {
    host_with(true, pools)
}

fn host_with(grow: bool, pools: &[(u32, u32)]) -> Host {
    let config = Config { hold_for: HoldFor::All, grow, ..Config::default() };
    let mut host = Host::new(config, &[4, 4]);
    let root = (PoolId::ROOT, true, 1, 0);
    let named = (1..).zip(pools).map(|(id, &(weight, min))| (PoolId(id), false, weight, min));
    for (pool, fair, weight, min_share) in std::iter::once(root).chain(named) {
        host.say(Event::PoolDefined { pool, fair, weight, min_share });
    }
    host
}

fn open(host: &mut Host, id: u32, pool: u32) {
    let (workflow, priority, isolation, parallelism) = (WorkflowId(id), 0, STRICT, 0);
    let pool = PoolId(pool);
    host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool });
}

/// Job 1 of `staged` tasks in stages, job 2 of many: both run on as many slots as given.
fn beside_each_other(host: &mut Host, pools: (u32, u32), staged: u32, many: u32) {
    open(host, 1, pools.0);
    host.job(1, 1, false, &[(1, staged, staged), (2, staged, 0)]);
    host.set(1, 1, staged);
    open(host, 2, pools.1);
    host.job(2, 2, false, &[(9, 100, 0)]);
    host.set(9, 2, 100);
    (0..staged).for_each(|task| drop(host.launch(task, 1, task, task / 4)));
    (0..many).for_each(|task| drop(host.launch(100 + task, 9, task, (staged + task) / 4)));
}

#[test]
fn ssr_12_a_staged_job_keeps_its_half_whatever_its_pool_is_called() {
    for pools in [(1, 2), (2, 1)] {
        let mut host = host(&[(1, 0), (1, 0)]);
        beside_each_other(&mut host, pools, 4, 4);
        (0..4).for_each(|task| drop(host.free(task)));
        assert_eq!(host.held(), 4);
        assert_eq!(host.ask(9, 0, 4), REFUSED);
        host.end(1);
        host.set(2, 1, 4);
        assert_eq!(host.ask(9, 0, 4), REFUSED);
        assert_eq!(host.ask(2, 0, 4), Verdict::AllowHeld);
    }
}

#[test]
fn what_is_more_than_its_share_goes_to_whose_turn_it_is() {
    let mut host = host(&[(1, 0), (1, 0)]);
    // Alone at first: six slots. Nobody is killed, and no more than a half is held.
    beside_each_other(&mut host, (1, 2), 6, 2);
    (0..6).for_each(|task| drop(host.free(task)));
    assert_eq!(host.held(), 4);
    assert_eq!(host.ask(9, 0, 4), Verdict::Allow);
}

/// Workflow 1 alone on four slots: one task runs, and three slots are held for its next stage.
fn alone(fair: bool) -> Host {
    let mut host = Host::new(Config { hold_for: HoldFor::All, ..literal() }, &[4]);
    let (pool, weight, min_share) = (PoolId::ROOT, 1, 0);
    host.say(Event::PoolDefined { pool, fair, weight, min_share });
    open(&mut host, 1, 1);
    host.job(1, 1, false, &[(1, 4, 4), (9, 4, 0)]);
    host.set(1, 1, 4);
    (0..4).for_each(|task| drop(host.launch(task, 1, task, 0)));
    (0..3).for_each(|task| drop(host.free(task)));
    assert_eq!(host.held(), 3);
    host
}

#[test]
fn whoever_arrives_is_given_its_share_in_the_same_step() {
    for fair in [false, true] {
        let mut host = alone(fair);
        open(&mut host, 2, 2);
        let arrived = host.say(Event::JobSubmitted {
            job: JobId(2),
            workflow: WorkflowId(2),
            continues: false,
        });
        let given = [2, 1].map(|hold| ended(hold, EndCause::NotNeeded));
        assert_eq!(arrived, given, "newest first, and nobody waits yet");
        host.set(2, 2, 4);
        assert_eq!(host.ask(2, 0, 3), Verdict::Allow);
    }
}

#[test]
fn whoever_changes_its_pool_changes_the_shares_of_others() {
    let mut host = alone(true);
    // Two of four, beside the other in its pool; with a pool of its own that one may have half of all.
    host.say(Event::PoolDefined { pool: PoolId(2), fair: false, weight: 3, min_share: 0 });
    open(&mut host, 2, 1);
    host.simple(3, 0, 1, 0);
    host.job(2, 2, false, &[(2, 4, 0)]);
    let shares = |host: &Host| host.engine.workflows()[0].need;
    let (before, held) = (shares(&host), host.held());
    open(&mut host, 2, 2);
    assert!(shares(&host) < before, "{} {before}", shares(&host));
    assert!(host.held() < held);
}

#[test]
fn weights_and_minimum_shares_count() {
    // Of eight slots a weight of 3 against 1 makes six.
    let mut heavy = host(&[(3, 0), (1, 0)]);
    beside_each_other(&mut heavy, (1, 2), 6, 2);
    (0..6).for_each(|task| drop(heavy.free(task)));
    assert_eq!(heavy.held(), 6);
    assert_eq!(heavy.ask(9, 0, 4), REFUSED);
    // A minimum that is not met goes first.
    let mut needy = host(&[(1, 0), (1, 6)]);
    beside_each_other(&mut needy, (1, 2), 4, 4);
    (0..4).for_each(|task| drop(needy.free(task)));
    assert_eq!(needy.ask(9, 0, 4), Verdict::Allow);
}

#[test]
fn a_turn_that_has_come_is_offered() {
    let mut host = host_with(false, &[(1, 0), (1, 0)]);
    beside_each_other(&mut host, (1, 2), 4, 4);
    (0..4).for_each(|task| drop(host.free(task)));
    // The first pool gets more elsewhere. With one slot less for it and one more for the other: 4 to 5, 5 to 5, 6 to 5.
    host.executor(2, 4);
    open(&mut host, 3, 1);
    host.job(3, 3, false, &[(30, 4, 0)]);
    host.set(30, 3, 4);
    for (task, turn) in [(0, false), (1, false), (2, true)] {
        let decisions = host.launch(300 + task, 30, task, 2);
        assert_eq!(decisions.contains(&Decision::Reoffer), turn);
        assert_eq!(host.ask(9, 0, 4) == Verdict::Allow, turn);
    }
}

#[test]
fn barrier_sets_of_two_pools_go_by_rank_so_that_neither_waits_for_ever() {
    for first in [true, false] {
        let mut host = host(&[(1, 0), (1, 0)]);
        let barrier = |host: &mut Host| {
            open(host, 3, 2);
            host.job(3, 3, false, &[(20, 4, 0)]);
        };
        if first {
            barrier(&mut host);
        }
        beside_each_other(&mut host, (1, 2), 4, 4);
        if !first {
            barrier(&mut host);
        }
        host.set_of(StageKind::Barrier, 20, 3, 4);
        (0..4).for_each(|task| drop(host.free(task)));
        let free = Resources::cpu(4_000);
        let room = host.engine.barrier_room(SetId(20), ExecutorId(0), &free);
        assert_eq!(room.expect("both are known"), if first { 4 } else { 0 });
    }
}
