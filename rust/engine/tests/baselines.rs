//! The baselines of ICDCS'17, section III-A: static and timeout reservation.

mod common;

use common::{Host, SECOND, ended, held, holds};
use holdfast_engine::{
    Config, Decision, EndCause, Event, ExecutorId, JobId, Policy, Reason, Resources, SetId,
    Verdict, VetoReason, WorkflowId,
};

const CAP: u64 = 10 * SECOND;

fn timeout() -> Config {
    Config { policy: Policy::Timeout, hold_max_ns: CAP, ..Config::default() }
}

/// Workflow 1 is important and has a set of `tasks` that nothing follows.
fn final_stage(config: Config, tasks: u32) -> Host {
    let mut host = Host::new(config, &[2]);
    host.workflow(1, 1);
    host.job(1, 1, true, &[(1, tasks, 0)]);
    host.set(1, 1, tasks);
    host
}

#[test]
fn timeout_holds_whatever_follows_each_for_a_time_of_its_own() {
    let mut host = final_stage(timeout(), 2);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    assert_eq!(host.free(0), [held(0, 1, 0, Reason::Barrier, CAP)]);
    host.now = 3 * SECOND;
    assert_eq!(host.free(1), [held(1, 1, 0, Reason::Barrier, 3 * SECOND + CAP)]);
    host.end(1);
    assert_eq!(host.held(), 2, "the end of its job ends no hold");
    host.say(Event::JobEnded { job: JobId(1), succeeded: true });
    assert_eq!(host.say(Event::RunEnded { workflow: WorkflowId(1) }), [], "nor that of its run");
    assert_eq!(host.at(CAP), [ended(0, EndCause::Expired)]);
    assert_eq!(host.at(3 * SECOND + CAP), [ended(1, EndCause::Expired)]);
}

#[test]
fn timeout_holds_again_after_one_has_expired_and_a_job_prolongs_none() {
    let mut host = final_stage(timeout(), 2);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    host.free(0);
    host.at(CAP);
    assert_eq!(host.free(1), [held(1, 1, 0, Reason::Barrier, 2 * CAP)]);
    host.end(1);
    host.now = CAP + SECOND;
    host.job(2, 1, true, &[(2, 1, 0)]);
    host.set(2, 2, 1);
    assert_eq!(host.engine.holds()[0].deadline.0, 2 * CAP);
}

#[test]
fn timeout_claims_nothing() {
    let mut host = Host::new(timeout(), &[2]);
    host.simple(2, 0, 2, 0);
    host.launch(0, 2, 0, 0);
    host.simple(1, 1, 2, 2);
    assert_eq!(host.free(0), [], "what others release is not for it");
    assert_eq!(host.held(), 0);
}

/// Two executors of two slots, three of them set aside; sets 1 (important) and 2 (not).
fn set_aside() -> Host {
    let config = Config { policy: Policy::Static, static_slots: 3, ..Config::default() };
    let mut host = Host::new(config, &[2, 2]);
    host.simple(1, 1, 4, 4);
    host.simple(2, 0, 4, 0);
    host
}

#[test]
fn static_keeps_its_slots_from_everybody_else_and_holds_nothing() {
    let mut host = set_aside();
    assert!(host.engine.restricts());
    assert_eq!(host.ask(2, 0, 2), Verdict::Veto(VetoReason::Aside));
    assert_eq!(host.ask(2, 1, 2), Verdict::Allow);
    host.launch(0, 2, 0, 1);
    assert_eq!(host.ask(2, 1, 1), Verdict::Veto(VetoReason::Aside));
    assert_eq!(host.ask(1, 1, 1), Verdict::Allow);
    let free = Resources::cpu(2_000);
    assert_eq!(host.engine.barrier_room(SetId(2), ExecutorId(0), &free), Ok(0));
    assert_eq!(host.engine.barrier_room(SetId(1), ExecutorId(0), &free), Ok(2));
    host.launch(1, 1, 0, 0);
    assert!(!holds(&host.free(1)));
}

#[test]
fn static_counts_what_the_important_run_on_them() {
    let mut host = set_aside();
    host.launch(0, 1, 0, 1);
    assert_eq!(host.ask(2, 1, 1), Verdict::Allow, "its one slot is taken, the other is anybody's");
    assert_eq!(host.ask(2, 0, 2), Verdict::Veto(VetoReason::Aside));
}

#[test]
fn static_sets_others_aside_when_an_executor_is_lost_and_says_so() {
    let mut host = set_aside();
    assert_eq!(host.ask(2, 1, 2), Verdict::Allow);
    let lost = host.say(Event::ExecutorLost { executor: ExecutorId(0) });
    assert_eq!(lost, [Decision::Reoffer]);
    assert_eq!(host.ask(2, 1, 2), Verdict::Veto(VetoReason::Aside));
    assert_eq!(host.engine.admits(SetId(1)), Ok(true));
}
