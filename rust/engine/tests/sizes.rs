//! Slot sizes (SSR-7): what is held is as large as what comes next.

mod common;

use common::{Host, P};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    Config, Decision, EndCause, Engine, Event, ExecutorId, JobId, PoolId, ProfileId, Reason,
    Resources, SetId, StageId, StageKind, Verdict, VetoReason, WorkflowId,
};

const OTHER: ProfileId = ProfileId(1);

/// Two executors of four cores; tasks of the second profile ask for `cores` of them.
fn host(cores: u32, runs_on: ProfileId) -> Host {
    let mut host = Host::new(Config::default(), &[4, 4]);
    let demand = Resources::cpu(1_000 * cores);
    host.say(Event::ProfileDefined { profile: OTHER, runs_on, demand });
    host
}

/// An important job of eight tasks of one core, and then `next` of the other profile, with a crowd that waits.
fn narrowing(host: &mut Host, next: u32) {
    let (workflow, priority, isolation, parallelism) = (WorkflowId(1), 1, STRICT, 0);
    let pool = PoolId::ROOT;
    host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool });
    host.say(Event::JobSubmitted { job: JobId(1), workflow, continues: false });
    for (stage, tasks, next) in [(1, 8, next), (2, next, 0)] {
        let (job, stage, signature) = (JobId(1), StageId(stage), stage);
        let next_profile = OTHER;
        host.say(Event::StagePlanned { job, stage, tasks, next, next_profile, signature });
    }
    host.set(1, 1, 8);
    host.simple(2, 0, 100, 0);
    (0..8).for_each(|task| drop(host.launch(task, 1, task, task / 4)));
}

fn sizes(host: &Host) -> Vec<u32> {
    host.engine.holds().iter().map(|hold| hold.size.0[0] / 1_000).collect()
}

#[test]
fn ssr_7_half_a_core_is_held_as_half_a_core() {
    let mut host = Host::new(Config::default(), &[1]);
    let demand = Resources::cpu(500);
    host.say(Event::ProfileDefined { profile: P, runs_on: P, demand });
    host.simple(1, 1, 2, 2);
    host.simple(2, 0, 2, 0);
    (0..2).for_each(|task| drop(host.launch(task, 1, task, 0)));
    host.free(0);
    let held: Vec<Resources> = host.engine.holds().iter().map(|hold| hold.size).collect();
    assert_eq!(held, [demand]);
    let ask = |set, free| host.engine.verdict(SetId(set), ExecutorId(0), &Resources::cpu(free));
    assert_eq!(ask(2, 500), Ok(Verdict::Veto(VetoReason::Held)));
    assert_eq!(ask(2, 1_000), Ok(Verdict::Allow), "the other half is nobody's");
    assert!(matches!(ask(1, 500), Ok(Verdict::Allow | Verdict::AllowHeld)));
}

#[test]
fn ssr_7_a_slot_that_is_too_small_is_released_and_the_right_size_claimed() {
    let mut host = host(2, P);
    narrowing(&mut host, 3);
    // Three slots of two cores come next; eight cores run.
    host.free(0);
    assert_eq!(sizes(&host), []);
    host.free(1);
    // Six cores will be left by what runs: three slots. Nothing has to be claimed yet.
    assert_eq!(sizes(&host), []);
    host.free(2);
    // Five cores: two slots. The two free cores are one of the right size.
    assert_eq!(sizes(&host), [2]);
    let reason = host.engine.holds()[0].reason;
    assert!(matches!(reason, Reason::Barrier | Reason::Grow));
    (3..8).for_each(|task| drop(host.free(task)));
    assert_eq!(sizes(&host), [2, 2, 2]);
}

#[test]
fn what_is_too_small_for_any_task_is_no_room() {
    let (profile, demand) = (OTHER, Resources::cpu(2_000));
    let mut host = Host { engine: Engine::new(Config::default()), now: 0 };
    host.say(Event::ProfileDefined { profile, runs_on: profile, demand });
    let executor = |id, cores: u32| Event::ExecutorAdded {
        executor: ExecutorId(id),
        profile,
        capacity: Resources::cpu(1_000 * cores),
    };
    host.say(executor(1, 5));
    assert!(host.engine.has_room());
    host.workflow(1, 1);
    host.say(Event::JobSubmitted { job: JobId(1), workflow: WorkflowId(1), continues: false });
    let (set, job, stage, kind) = (SetId(1), JobId(1), StageId(1), StageKind::Result);
    host.say(Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache: false, kind });
    host.launch(0, 1, 0, 1);
    assert!(host.engine.has_room(), "one of its two slots");
    host.launch(1, 1, 1, 1);
    assert!(!host.engine.has_room(), "one core is left");
    host.say(executor(2, 1));
    assert!(!host.engine.has_room(), "too small for every task");
    host.say(executor(0, 2));
    assert!(host.engine.has_room());
    let barred = |barred| Event::ExecutorBarred { executor: ExecutorId(0), barred };
    host.say(barred(true));
    assert!(!host.engine.has_room(), "nobody may use it");
    host.say(barred(false));
    assert!(host.engine.has_room());
    host.say(Event::ExecutorLost { executor: ExecutorId(0) });
    assert!(!host.engine.has_room());
    host.free(0);
    assert!(host.engine.has_room());
    let (profile, runs_on, demand) = (P, OTHER, Resources::cpu(500));
    host.launch(2, 1, 0, 1);
    host.say(Event::ProfileDefined { profile, runs_on, demand });
    assert!(host.engine.has_room(), "half a core is room for tasks of this profile");
}

#[test]
fn who_was_submitted_before_its_profile_changed_claims_where_that_runs_now() {
    let mut host = Host::new(Config::default(), &[]);
    let other = |runs_on, cores: u32| {
        let demand = Resources::cpu(1_000 * cores);
        Event::ProfileDefined { profile: OTHER, runs_on, demand }
    };
    host.say(other(OTHER, 2));
    host.declared(1, 2);
    host.say(Event::JobSubmitted { job: JobId(1), workflow: WorkflowId(1), continues: true });
    let (set, job, stage, kind) = (SetId(1), JobId(1), StageId(1), StageKind::Result);
    let (profile, fills_cache) = (OTHER, false);
    host.say(Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache, kind });
    host.simple(2, 0, 100, 0);
    host.say(other(P, 3));
    let decisions = host.executor(0, 6);
    assert_eq!(sizes(&host), [2, 2], "{decisions:?}");
}

#[test]
fn a_large_slot_makes_several_small_ones() {
    let mut host = host(2, P);
    let (workflow, job) = (WorkflowId(1), JobId(1));
    host.workflow(1, 1);
    host.say(Event::JobSubmitted { job, workflow, continues: false });
    for (stage, tasks, next) in [(1, 2, 3), (2, 3, 0)] {
        let (stage, next_profile, signature) = (StageId(stage), P, stage);
        host.say(Event::StagePlanned { job, stage, tasks, next, next_profile, signature });
    }
    let (set, stage, tasks, profile) = (SetId(1), StageId(1), 2, OTHER);
    let (fills_cache, kind) = (false, StageKind::ShuffleMap);
    host.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 1);
    assert_eq!(sizes(&host), []);
    host.free(0);
    // The other one will leave two.
    assert_eq!(sizes(&host), [1]);
    host.free(1);
    assert_eq!(sizes(&host), [1, 1, 1]);
}

#[test]
fn what_runs_elsewhere_is_held_there() {
    let mut host = host(1, OTHER);
    let (profile, capacity) = (OTHER, Resources::cpu(4_000));
    narrowing(&mut host, 3);
    let executor = ExecutorId(7);
    // Executors of the next stage's profile join: claimed there, and nothing is kept here.
    let joined = host.say(Event::ExecutorAdded { executor, profile, capacity });
    (0..8).for_each(|task| drop(host.free(task)));
    assert!(host.engine.holds().iter().all(|hold| hold.executor == executor));
    assert_eq!(host.held(), 3, "{joined:?}");
}

#[test]
fn a_failed_task_gets_its_own_size_back() {
    let mut host = host(2, P);
    narrowing(&mut host, 4);
    (0..4).for_each(|task| drop(host.free(task)));
    assert_eq!(sizes(&host), [2, 2]);
    let decisions = host.fail(4);
    let ended = |d: &&Decision| matches!(d, Decision::HoldEnded { cause: EndCause::NotNeeded, .. });
    assert_eq!(decisions.iter().filter(ended).count(), 2);
    assert!(sizes(&host).iter().all(|size| *size == 1));
}
