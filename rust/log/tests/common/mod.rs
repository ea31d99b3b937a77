//! A small real run: two executors of two slots, an important workflow of two stages, and somebody else.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

use holdfast_engine::pareto::STRICT;
use holdfast_engine::*;
use holdfast_log::{Header, LogWriter, NameKind};

pub const MILLIS: u64 = 1_000_000;

pub fn header() -> Header {
    let host = BTreeMap::from([("app".to_owned(), "app-1".to_owned())]);
    Header::new(Config::default(), host)
}

/// Events with their times; the one for set 9 is refused (its job is unknown).
pub fn events() -> Vec<(Time, Event)> {
    let (p, w, j) = (ProfileId(0), WorkflowId(3), JobId(70));
    let mut events =
        vec![Event::ProfileDefined { profile: p, runs_on: p, demand: Resources::cpu(1000) }];
    for e in 0..2 {
        let capacity = Resources::cpu(2000);
        events.push(Event::ExecutorAdded { executor: ExecutorId(e), profile: p, capacity });
    }
    events.extend([
        Event::WorkflowOpened {
            workflow: w,
            priority: 10,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        },
        Event::WorkflowOpened {
            workflow: WorkflowId(4),
            priority: 0,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        },
        Event::JobSubmitted { job: j, workflow: w, continues: true },
        Event::StagePlanned {
            job: j,
            stage: StageId(1),
            tasks: 4,
            next: 4,
            next_profile: ProfileId(0),
            signature: 7,
        },
        Event::StagePlanned {
            job: j,
            stage: StageId(2),
            tasks: 4,
            next: 0,
            next_profile: ProfileId(0),
            signature: 8,
        },
        Event::JobSubmitted { job: JobId(71), workflow: WorkflowId(4), continues: false },
        set(8, 71, 9, 20),
        set(9, 99, 9, 20),
        set(1, 70, 1, 4),
    ]);
    events.extend((0..4).map(|t| launched(100 + t, 1, t)));
    events.extend((0..4).map(freed));
    events.extend([Event::SetEnded { set: SetId(1) }, set(2, 70, 2, 4)]);
    events.extend((0..4).map(|t| launched(200 + t, 2, t)));
    events.extend((100..104).map(freed));
    events.push(Event::SetEnded { set: SetId(2) });
    events.push(Event::JobEnded { job: j, succeeded: true });
    events.push(Event::RunEnded { workflow: w });
    events.push(Event::Akin { workflow: w, to: w });
    events.push(Event::WorkflowClosed { workflow: w });
    events.push(Event::Tick);
    (1..).map(|i| Time(i * 37 * MILLIS)).zip(events).collect()
}

/// The workflow begins with one task, somebody else takes the other three slots, and its next job has four.
pub fn widening() -> Vec<(Time, Event)> {
    let (w, first, second) = (WorkflowId(3), JobId(70), JobId(72));
    let mut events: Vec<Event> = events().into_iter().take(6).map(|(_, event)| event).collect();
    events.extend([
        Event::JobSubmitted { job: JobId(71), workflow: WorkflowId(4), continues: false },
        set(8, 71, 9, 20),
        set(1, 70, 1, 1),
        launched(100, 1, 0),
    ]);
    events.extend((1..4).map(|t| launched(800 + t, 8, t)));
    events.extend([
        freed(0),
        Event::SetEnded { set: SetId(1) },
        Event::JobEnded { job: first, succeeded: true },
        Event::JobSubmitted { job: second, workflow: w, continues: false },
        set(2, 72, 2, 4),
    ]);
    (1..).map(|i| Time(i * 37 * MILLIS)).zip(events).collect()
}

fn set(set: u32, job: u32, stage: u32, tasks: u32) -> Event {
    Event::SetSubmitted {
        set: SetId(set),
        job: JobId(job),
        stage: StageId(stage),
        tasks,
        profile: ProfileId(0),
        fills_cache: false,
        kind: StageKind::Result,
    }
}

fn launched(attempt: u32, set: u32, task: u32) -> Event {
    let executor = ExecutorId(task / 2);
    Event::Launched { attempt: AttemptId(attempt), set: SetId(set), task, executor, local: true }
}

fn freed(attempt: u32) -> Event {
    Event::SlotFreed { attempt: AttemptId(attempt + 100), outcome: Outcome::Finished }
}

/// The run's log, and all decisions in order. `alter` may change what is recorded of an event.
pub fn recorded(alter: impl Fn(usize, &mut Vec<Decision>)) -> Vec<u8> {
    recorded_of(events(), alter)
}

/// The same of other events.
pub fn recorded_of(
    events: Vec<(Time, Event)>,
    alter: impl Fn(usize, &mut Vec<Decision>),
) -> Vec<u8> {
    recorded_with(&[(NameKind::Workflow, 3, "kmeans")], events, alter)
}

/// The same with other names.
pub fn recorded_with(
    names: &[(NameKind, u32, &str)],
    events: Vec<(Time, Event)>,
    alter: impl Fn(usize, &mut Vec<Decision>),
) -> Vec<u8> {
    let mut engine = Engine::new(Config::default());
    let mut log = LogWriter::new(&header()).unwrap();
    names.iter().for_each(|&(kind, id, name)| log.name(kind, id, name));
    let mut bytes = Vec::new();
    for (i, (now, event)) in events.into_iter().enumerate() {
        let mut decisions = Vec::new();
        let error = engine.step(now, &event, &mut decisions).err().map(|e| e.code());
        alter(i, &mut decisions);
        log.event(now, &event, &decisions, error);
        if i % 10 == 9 {
            log.seal();
        }
    }
    log.end();
    log.write_to(&mut bytes).unwrap();
    bytes
}

/// A set with half of the tasks that replay lets live at once.
pub fn large_set(set: u32) -> Event {
    Event::SetSubmitted {
        set: SetId(set),
        job: JobId(0),
        stage: StageId(set),
        tasks: 1 << 23,
        profile: ProfileId(0),
        fills_cache: false,
        kind: StageKind::Result,
    }
}

/// The log of a driver whose one job has these sets, all of which got the same error, if any.
pub fn recorded_sets(sets: &[Event], error: Option<i32>) -> Vec<u8> {
    let (profile, workflow, job) = (ProfileId(0), WorkflowId(0), JobId(0));
    let opened = [
        Event::ProfileDefined { profile, runs_on: profile, demand: Resources::cpu(1000) },
        Event::WorkflowOpened {
            workflow,
            priority: 0,
            isolation: 0,
            parallelism: 0,
            pool: PoolId::ROOT,
        },
        Event::JobSubmitted { job, workflow, continues: false },
    ];
    let mut log = LogWriter::new(&header()).unwrap();
    opened.iter().for_each(|event| log.event(Time(1), event, &[], None));
    sets.iter().for_each(|event| log.event(Time(1), event, &[], error));
    let mut bytes = Vec::new();
    log.write_to(&mut bytes).unwrap();
    bytes
}
