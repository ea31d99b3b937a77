//! Every line of the paper's Algorithm 1, and its approval rule, by mechanism id.

mod common;

use common::{Host, SECOND, ended, held, holds, literal};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    Config, Decision, EndCause, Event, HoldFor, JobId, Policy, PoolId, Reason, Verdict, VetoReason,
};

const CAP: u64 = 60 * SECOND;

/// One workflow with a set of `m` tasks running on executors of two slots; the freed slots that are
/// held, in the order of finishing.
fn freed(m: u32, next: u32, continues: bool) -> Vec<bool> {
    let mut host = Host::new(literal(), &vec![2; m.div_ceil(2) as usize]);
    host.workflow(1, 1);
    host.job(1, 1, continues, &[(1, m, next)]);
    host.set(1, 1, m);
    for task in 0..m {
        host.launch(task, 1, task, task / 2);
    }
    (0..m).map(|task| holds(&host.free(task))).collect()
}

#[test]
fn ssr_1_final_phase_releases() {
    assert_eq!(freed(4, 0, false), [false; 4]);
}

#[test]
fn ssr_1_other_phases_reserve() {
    assert_eq!(freed(4, 4, false), [true; 4]);
}

#[test]
fn ssr_1_a_hold_is_a_decision_with_reason_and_deadline() {
    let mut host = Host::new(literal(), &[2]);
    host.simple(1, 1, 2, 2);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    assert_eq!(host.free(0), [held(0, 1, 0, Reason::Barrier, CAP)]);
    host.now = SECOND;
    assert_eq!(host.free(1), [held(1, 1, 0, Reason::Barrier, CAP)]);
}

#[test]
fn ssr_2_unknown_n_is_taken_for_m() {
    assert_eq!(freed(5, 0, true), [true; 5]);
}

#[test]
fn ssr_3_golden_m_8_n_3_releases_the_first_five() {
    let expected = [false, false, false, false, false, true, true, true];
    assert_eq!(freed(8, 3, false), expected);
}

#[test]
fn ssr_3_wider_successor_reserves_all() {
    assert_eq!(freed(4, 9, false), [true; 4]);
}

#[test]
fn ssr_5_n_is_what_the_plan_says() {
    for n in 0..=6 {
        let kept = freed(6, n, true).into_iter().filter(|held| *held).count();
        // Nothing follows in the plan, but a job does: n is unknown, so it is m.
        let expected = if n == 0 { 6 } else { n };
        assert_eq!(u32::try_from(kept), Ok(expected), "n = {n}");
    }
}

#[test]
fn ssr_5_a_known_final_stage_of_a_job_without_successor_is_known() {
    let mut host = Host::new(literal(), &[2]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[]);
    host.set(1, 1, 1);
    host.launch(0, 1, 0, 0);
    assert_eq!(host.free(0), []);
}

/// Workflow 1 of priority 5 holds the only slot.
fn one_slot_held() -> Host {
    let mut host = Host::new(literal(), &[1]);
    host.simple(1, 5, 1, 1);
    host.launch(0, 1, 0, 0);
    host.free(0);
    assert_eq!(host.held(), 1);
    host
}

#[test]
fn ssr_6_lower_and_equal_priorities_are_refused() {
    let mut host = one_slot_held();
    host.simple(2, 0, 1, 0);
    host.simple(3, 5, 1, 0);
    assert_eq!(host.ask(2, 0, 1), Verdict::Veto(VetoReason::Held));
    assert_eq!(host.ask(3, 0, 1), Verdict::Veto(VetoReason::Held));
}

#[test]
fn ssr_6_a_higher_priority_overrides() {
    let mut host = one_slot_held();
    host.simple(2, 6, 1, 0);
    assert_eq!(host.ask(2, 0, 1), Verdict::Allow);
    assert_eq!(host.launch(9, 2, 0, 0), [ended(0, EndCause::Overridden)]);
}

#[test]
fn ssr_6_the_owner_always_gets_its_slot() {
    let mut host = one_slot_held();
    host.end(1);
    host.job(7, 1, false, &[]);
    host.set(7, 7, 1);
    assert_eq!(host.ask(7, 0, 1), Verdict::Allow);
    assert_eq!(host.launch(9, 7, 0, 0), [ended(0, EndCause::Used)]);
}

#[test]
fn ssr_6_the_owner_is_told_that_the_slot_is_its_own() {
    let mut host = Host::new(Config::default(), &[1]);
    host.simple(1, 5, 2, 1);
    host.launch(0, 1, 0, 0);
    assert_eq!(host.free(0), [held(0, 1, 0, Reason::Waiting, CAP)]);
    assert_eq!(host.ask(1, 0, 1), Verdict::AllowHeld);
}

#[test]
fn ssr_6_rank_is_total_an_earlier_job_is_never_refused_for_a_later_one() {
    let mut host = Host::new(literal(), &[1, 1]);
    host.simple(1, 3, 2, 2);
    host.simple(2, 3, 1, 1);
    host.launch(0, 2, 0, 0);
    assert!(holds(&host.free(0)));
    assert_eq!(host.ask(1, 0, 1), Verdict::Allow, "1 came first");
    host.launch(1, 1, 0, 1);
    assert!(holds(&host.free(1)));
    assert_eq!(host.ask(2, 1, 1), Verdict::Veto(VetoReason::Held), "2 came later");
}

#[test]
fn stock_never_holds_and_never_refuses() {
    let mut host = Host::new(Config { policy: Policy::Stock, ..Config::default() }, &[1]);
    host.simple(1, 5, 1, 1);
    host.launch(0, 1, 0, 0);
    assert_eq!(host.free(0), []);
    assert_eq!(host.ask(1, 0, 0), Verdict::Allow);
}

#[test]
fn nobody_without_priority_holds_unless_all_do() {
    for (hold_for, expected) in [(HoldFor::Prioritised, false), (HoldFor::All, true)] {
        let mut host = Host::new(Config { hold_for, ..literal() }, &[1]);
        host.simple(1, 0, 1, 1);
        host.launch(0, 1, 0, 0);
        assert_eq!(holds(&host.free(0)), expected);
    }
}

#[test]
fn a_failed_job_keeps_nothing_for_a_successor() {
    let mut host = one_slot_held();
    host.say(Event::WorkflowOpened {
        workflow: holdfast_engine::WorkflowId(1),
        priority: 5,
        isolation: STRICT,
        parallelism: 0,
        pool: PoolId::ROOT,
    });
    let decisions = host.say(Event::JobEnded { job: JobId(1), succeeded: false });
    assert_eq!(decisions, [ended(0, EndCause::WorkflowOver)]);
    assert!(!decisions.contains(&Decision::Reoffer), "nobody waits");
}
