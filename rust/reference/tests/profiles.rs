//! More resource profiles than are kept: engine and twin forget the same ones.

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Engine, EngineError, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId,
    Resources, SetId, StageId, StageKind, Time, WorkflowId,
};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Pair, Reached, Timed};

type World = Pair<Engine, Reference>;

fn say(world: &mut World, event: Event) {
    let now = world.first().now().after(1_000_000);
    if let Err(failure) = world.step(Timed { now, event }, &mut Reached::default()) {
        panic!("{event:?}: {:?}: {}", failure.rule, failure.seen);
    }
}

/// A demand in thousandths of a core.
fn define(world: &mut World, profile: ProfileId, runs_on: ProfileId, cpu: u32) {
    say(world, Event::ProfileDefined { profile, runs_on, demand: Resources::cpu(cpu) });
}

fn submit(world: &mut World, id: u32, profile: ProfileId) {
    let (job, set, stage) = (JobId(id), SetId(id), StageId(id));
    let plan = Event::StagePlanned {
        job,
        stage,
        tasks: 2,
        next: 2,
        next_profile: ProfileId(profile.0 + 1),
        signature: id % 5,
    };
    say(world, Event::JobSubmitted { job, workflow: WorkflowId(id % 2), continues: true });
    say(world, plan);
    let (fills_cache, kind) = (false, StageKind::ShuffleMap);
    say(world, Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache, kind });
}

#[test]
fn what_nobody_names_is_forgotten_and_may_come_again() {
    let config = Config::default();
    let mut world = World::new(Engine::new(config.clone()), Reference::new(config), Checks::ALL);
    let default = ProfileId(0);
    define(&mut world, default, default, 1_000);
    for id in 0..3 {
        let (executor, capacity) = (ExecutorId(id), Resources::cpu(4_000));
        say(&mut world, Event::ExecutorAdded { executor, profile: default, capacity });
    }
    for id in 0..2 {
        let (workflow, pool) = (WorkflowId(id), PoolId::ROOT);
        let priority = id.cast_signed();
        let opened =
            Event::WorkflowOpened { workflow, priority, isolation: STRICT, parallelism: 0, pool };
        say(&mut world, opened);
    }
    // Profile 1 stays in use, by a set that waits and by an attempt of one that is over; the others come and go, with
    // demands of their own.
    define(&mut world, ProfileId(1), default, 1_999);
    submit(&mut world, 0, ProfileId(1));
    let (set, executor) = (SetId(0), ExecutorId(2));
    let outlives = Event::Launched { attempt: AttemptId(0), set, task: 0, executor, local: true };
    say(&mut world, outlives);
    for id in 1..250 {
        let profile = ProfileId(2 * id);
        define(&mut world, ProfileId(profile.0 + 1), default, 500 + id);
        define(&mut world, profile, default, 1_000 + id);
        submit(&mut world, id, profile);
        let set = SetId(id);
        for (task, executor) in [(0, id % 3), (1, (id + 1) % 3)] {
            let (attempt, executor) = (AttemptId(2 * id + task), ExecutorId(executor));
            say(&mut world, Event::Launched { attempt, set, task, executor, local: true });
        }
        for task in 0..2 {
            let attempt = AttemptId(2 * id + task);
            say(&mut world, Event::SlotFreed { attempt, outcome: Outcome::Finished });
        }
        say(&mut world, Event::SetEnded { set });
        say(&mut world, Event::JobEnded { job: JobId(id), succeeded: true });
    }
    let known = |world: &World, profile| {
        let mut engine = world.first().clone();
        let (job, set, stage) = (JobId(0), SetId(9_999), StageId(9_999));
        let (tasks, fills_cache, kind) = (1, false, StageKind::Result);
        let event = Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind };
        let said = engine.step(Time(u64::MAX / 2), &event, &mut Vec::new());
        said != Err(EngineError::UnknownProfile)
    };
    assert!(known(&world, ProfileId(1)) && known(&world, default));
    assert!(!known(&world, ProfileId(4)), "the second one is long forgotten");
    say(&mut world, Event::SetEnded { set: SetId(0) });
    for id in 1_000..1_200 {
        define(&mut world, ProfileId(id), default, id);
    }
    let outcome = Outcome::Finished;
    say(&mut world, Event::SlotFreed { attempt: AttemptId(0), outcome });
    assert!(!known(&world, ProfileId(1)), "an attempt names no profile");
    define(&mut world, ProfileId(4), default, 1_000);
    assert!(known(&world, ProfileId(4)));
}
