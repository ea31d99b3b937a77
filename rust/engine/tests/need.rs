//! Need with look-ahead and without, growing, and what a retry keeps.

mod common;

use common::{Host, ended, held, holds, literal};
use holdfast_engine::{Config, Decision, EndCause, NeedRule, Reason, Verdict, VetoReason};

const CAP: u64 = 60 * common::SECOND;
const CHAIN: [(u32, u32, u32); 4] = [(1, 8, 2), (2, 2, 1), (3, 1, 8), (4, 8, 0)];

/// Runs the chain 8 -> 2 -> 1 -> 8 on eight slots; slots owned at the end of each stage.
fn owned_along_the_chain(need: NeedRule) -> Vec<u32> {
    let mut host = Host::new(Config { need, grow: false, ..Config::default() }, &[2; 4]);
    host.workflow(1, 1);
    host.job(1, 1, false, &CHAIN);
    let mut owned = Vec::new();
    let mut attempt = 0;
    for (stage, tasks, _) in CHAIN {
        host.set(stage, 1, tasks);
        for task in 0..tasks {
            let held = host.engine.holds().first().map(|hold| hold.executor.0);
            host.launch(attempt + task, stage, task, held.unwrap_or(task / 2));
        }
        for task in 0..tasks {
            host.free(attempt + task);
        }
        attempt += tasks;
        host.end(stage);
        owned.push(u32::try_from(host.held()).expect("few"));
    }
    owned
}

#[test]
fn look_ahead_keeps_what_will_be_wanted_back() {
    assert_eq!(owned_along_the_chain(NeedRule::Lookahead), [8, 8, 8, 0]);
}

#[test]
fn literal_sees_one_stage_ahead() {
    // Of the last stage of one task the one slot stays; nothing can be claimed back without "grow".
    assert_eq!(owned_along_the_chain(NeedRule::Literal), [2, 1, 1, 0]);
}

#[test]
fn ssr_3_what_the_next_stage_does_not_need_is_given_back_newest_first() {
    let mut host = Host::new(literal(), &[3]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, 3, 3)]);
    host.set(1, 1, 3);
    (0..3).for_each(|task| drop(host.launch(task, 1, task, 0)));
    (0..3).for_each(|task| drop(host.free(task)));
    host.end(1);
    assert_eq!(host.held(), 3);
    let [newest, older] = [2, 1].map(|hold| ended(hold, EndCause::NotNeeded));
    assert_eq!(host.set(2, 1, 1), [newest, older, Decision::Reoffer]);
}

#[test]
fn a_failed_task_keeps_its_slot_even_in_the_final_stage() {
    let mut host = Host::new(literal(), &[1]);
    host.simple(1, 1, 1, 0);
    host.launch(0, 1, 0, 0);
    assert_eq!(host.fail(0), [held(0, 1, 0, Reason::Waiting, CAP)]);
}

#[test]
fn a_stage_that_ends_early_is_planned_again() {
    let mut host = Host::new(literal(), &[2]);
    host.simple(1, 1, 2, 0);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    host.fail(0);
    host.fail(1);
    host.end(1);
    assert_eq!(host.held(), 2, "the retry will want both");
    assert_eq!(host.engine.workflows()[0].need, 2);
}

#[test]
fn a_zombie_has_no_tasks_left() {
    let mut host = Host::new(literal(), &[4]);
    host.simple(1, 1, 4, 0);
    host.set_of_stage(2, 1, 1, 1);
    let sets = host.engine.sets();
    assert_eq!((sets[0].zombie, sets[0].unfinished, sets[0].pending), (true, 0, 0));
    assert_eq!(host.engine.workflows()[0].need, 1);
}

/// Background fills two executors of two slots; then an important workflow of three tasks comes.
fn busy(grow: bool) -> Host {
    let mut host = Host::new(Config { grow, ..Config::default() }, &[2, 2]);
    host.simple(1, 0, 9, 0);
    (0..4).for_each(|task| drop(host.launch(task, 1, task, task / 2)));
    host.simple(2, 1, 3, 3);
    host
}

#[test]
fn grow_claims_what_others_release() {
    let mut host = busy(true);
    assert_eq!(host.free(0), [held(0, 2, 0, Reason::Grow, CAP)]);
    assert_eq!(host.ask(1, 0, 1), Verdict::Veto(VetoReason::Held));
    assert_eq!(host.free(2), [held(1, 2, 1, Reason::Grow, CAP)]);
    assert_eq!(host.free(1), [held(2, 2, 0, Reason::Grow, CAP)]);
    assert!(!holds(&host.free(3)), "three are owned, three are needed");
}

#[test]
fn without_grow_nothing_is_claimed() {
    let mut host = busy(false);
    assert_eq!(host.free(0), []);
}

#[test]
fn grow_claims_nothing_while_nobody_else_waits() {
    let mut host = Host::new(Config::default(), &[2]);
    assert_eq!(host.executor(1, 2), []);
    host.simple(1, 1, 2, 2);
    assert_eq!(host.held(), 0);
}

#[test]
fn grow_takes_nothing_from_equals() {
    let mut host = Host::new(Config::default(), &[1]);
    host.simple(1, 3, 2, 2);
    host.launch(0, 1, 0, 0);
    host.simple(2, 3, 1, 1);
    assert_eq!(host.free(0), [held(0, 1, 0, Reason::Waiting, CAP)]);
}

#[test]
fn needs_of_jobs_at_once_add_up() {
    let mut host = Host::new(literal(), &[6]);
    host.workflow(1, 1);
    for job in [1, 2] {
        host.job(job, 1, false, &[(job, 3, 1), (10 + job, 1, 0)]);
        host.set(job, job, 3);
    }
    (0..6).for_each(|task| drop(host.launch(task, 1 + task / 3, task % 3, 0)));
    let held: Vec<bool> = (0..6).map(|task| holds(&host.free(task))).collect();
    assert_eq!(held, [false, false, true, false, false, true], "one for what follows in each");
}

#[test]
fn grow_takes_an_executor_that_joins() {
    let mut host = busy(true);
    let joined = host.executor(2, 4);
    let claims: Vec<Decision> = (0..3).map(|hold| held(hold, 2, 2, Reason::Grow, CAP)).collect();
    assert_eq!(joined, claims, "nobody was refused before, so the host's own offers are enough");
}

#[test]
fn ssr_5_what_the_user_declares_counts_where_the_plan_says_nothing() {
    let mut host = Host::new(literal(), &[4, 4]);
    host.declared(1, 3);
    host.job(1, 1, true, &[(1, 8, 0)]);
    host.set(1, 1, 8);
    (0..8).for_each(|task| drop(host.launch(task, 1, task, task / 4)));
    let held: usize = (0..8).filter(|&task| holds(&host.free(task))).count();
    assert_eq!(held, 3, "not the eight of the last stage");
    host.end(1);
    assert_eq!(host.held(), 3, "in the gap, too");
}

#[test]
fn ssr_5_the_plan_comes_before_the_users_declaration() {
    let mut host = Host::new(literal(), &[8]);
    host.declared(1, 8);
    host.job(1, 1, false, &[(1, 8, 2)]);
    host.set(1, 1, 8);
    (0..8).for_each(|task| drop(host.launch(task, 1, task, 0)));
    assert_eq!((0..8).filter(|&task| holds(&host.free(task))).count(), 2);
}

/// Workflow 1 has run eight tasks next to a rival's task of two seconds; two tasks come next, then eight again.
fn in_a_narrow_stage(need: NeedRule) -> Host {
    let mut host = Host::new(Config { need, grow: false, ..Config::default() }, &[2; 5]);
    host.simple(9, 0, 1, 0);
    host.launch(900, 9, 0, 4);
    host.workflow(1, 1);
    host.job(1, 1, false, &CHAIN);
    host.set(1, 1, 8);
    for task in 0..8 {
        host.launch(task, 1, task, task / 2);
    }
    host.now = 2 * common::SECOND;
    host.free(900);
    for task in 0..8 {
        host.free(task);
    }
    host.end(1);
    host.set(2, 1, 2);
    for task in 0..2 {
        host.launch(10 + task, 2, task, 0);
    }
    host
}

#[test]
fn what_a_later_stage_wants_is_kept_for_as_long_as_a_rivals_task_would_take() {
    let mut host = in_a_narrow_stage(NeedRule::Lookahead);
    assert_eq!(host.held(), 6);
    let rent = 4 * common::SECOND;
    assert_eq!(host.engine.next_deadline().map(|time| time.0), Some(rent));
    assert_eq!(host.at(rent - 1), []);
    let given_back = host.at(rent);
    let not_needed =
        |d: &&Decision| matches!(d, Decision::HoldEnded { cause: EndCause::NotNeeded, .. });
    assert_eq!(given_back.iter().filter(not_needed).count(), 6);
    assert_eq!(host.held(), 0, "two run, and one comes next");
}
