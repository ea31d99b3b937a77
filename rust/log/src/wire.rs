//! Events as a kind and up to six numbers: the form they have in a log and in a host's calls.

use holdfast_engine::{
    AttemptId, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId, Resources, SetId, StageId,
    StageKind, TenantId, WorkflowId,
};

/// How many numbers each kind of event has.
pub const ARGUMENTS: [usize; 19] = [6, 6, 2, 1, 5, 1, 3, 6, 2, 6, 1, 5, 2, 2, 2, 0, 6, 4, 3];

/// What the number of an outcome means.
const OUTCOMES: [Outcome; 3] = [Outcome::Finished, Outcome::NotFinished, Outcome::Failed];

/// What half the last number of a submitted set means; the odd rest says whether it fills the cache.
const KINDS: [StageKind; 3] = [StageKind::Result, StageKind::ShuffleMap, StageKind::Barrier];

fn number_of<T: PartialEq>(all: &[T], one: &T) -> u32 {
    all.iter().zip(0..).find(|(other, _)| *other == one).map_or(0, |(_, number)| number)
}

/// Kind and numbers of an event; what its kind does not use is 0. A negative priority keeps its bits.
#[must_use]
pub fn event_to_wire(event: &Event) -> (u8, [u32; 6]) {
    match *event {
        Event::ProfileDefined { profile, runs_on, demand: Resources([a, b, c, d]) } => {
            (0, [profile.0, runs_on.0, a, b, c, d])
        }
        Event::ExecutorAdded { executor, profile, capacity: Resources([a, b, c, d]) } => {
            (1, [executor.0, profile.0, a, b, c, d])
        }
        Event::ExecutorBarred { executor, barred } => (2, [executor.0, barred.into(), 0, 0, 0, 0]),
        Event::ExecutorLost { executor } => (3, [executor.0, 0, 0, 0, 0, 0]),
        Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool } => {
            (4, [workflow.0, priority as u32, isolation, parallelism, pool.0, 0])
        }
        Event::WorkflowClosed { workflow } => (5, [workflow.0, 0, 0, 0, 0, 0]),
        Event::JobSubmitted { job, workflow, continues } => {
            (6, [job.0, workflow.0, continues.into(), 0, 0, 0])
        }
        Event::StagePlanned { job, stage, tasks, next, next_profile, signature } => {
            (7, [job.0, stage.0, tasks, next, next_profile.0, signature])
        }
        Event::JobEnded { job, succeeded } => (8, [job.0, succeeded.into(), 0, 0, 0, 0]),
        Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind } => {
            let kind = number_of(&KINDS, &kind);
            (9, [set.0, job.0, stage.0, tasks, profile.0, 2 * kind + u32::from(fills_cache)])
        }
        Event::SetEnded { set } => (10, [set.0, 0, 0, 0, 0, 0]),
        Event::Launched { attempt, set, task, executor, local } => {
            (11, [attempt.0, set.0, task, executor.0, local.into(), 0])
        }
        Event::SlotFreed { attempt, outcome } => {
            (12, [attempt.0, number_of(&OUTCOMES, &outcome), 0, 0, 0, 0])
        }
        Event::Unfinished { set, task } => (13, [set.0, task, 0, 0, 0, 0]),
        Event::FinishedElsewhere { set, task } => (14, [set.0, task, 0, 0, 0, 0]),
        Event::Tick => (15, [0; 6]),
        Event::PoolDefined { pool, fair, weight, min_share } => {
            (17, [pool.0, fair.into(), weight, min_share, 0, 0])
        }
        Event::Bounded { workflow, tenant, holds } => (18, [workflow.0, tenant.0, holds, 0, 0, 0]),
        Event::Recalled { workflow, first, second, then, tasks, after_ms } => {
            (16, [workflow.0, first, second, then, tasks, after_ms])
        }
    }
}

/// The event of that kind and numbers; `None` if there is no such kind, or one of them is out of its range.
/// Numbers that the kind does not use are ignored.
#[must_use]
pub fn event_from_wire(kind: u8, numbers: &[u32; 6]) -> Option<Event> {
    let [a, b, c, d, e, f] = *numbers;
    Some(match kind {
        0 => Event::ProfileDefined {
            profile: ProfileId(a),
            runs_on: ProfileId(b),
            demand: Resources([c, d, e, f]),
        },
        1 => Event::ExecutorAdded {
            executor: ExecutorId(a),
            profile: ProfileId(b),
            capacity: Resources([c, d, e, f]),
        },
        2 => Event::ExecutorBarred { executor: ExecutorId(a), barred: truth(b)? },
        3 => Event::ExecutorLost { executor: ExecutorId(a) },
        4 => Event::WorkflowOpened {
            workflow: WorkflowId(a),
            priority: b as i32,
            isolation: c,
            parallelism: d,
            pool: PoolId(e),
        },
        5 => Event::WorkflowClosed { workflow: WorkflowId(a) },
        6 => Event::JobSubmitted { job: JobId(a), workflow: WorkflowId(b), continues: truth(c)? },
        7 => Event::StagePlanned {
            job: JobId(a),
            stage: StageId(b),
            tasks: c,
            next: d,
            next_profile: ProfileId(e),
            signature: f,
        },
        8 => Event::JobEnded { job: JobId(a), succeeded: truth(b)? },
        9 => Event::SetSubmitted {
            set: SetId(a),
            job: JobId(b),
            stage: StageId(c),
            tasks: d,
            profile: ProfileId(e),
            fills_cache: f % 2 == 1,
            kind: *KINDS.get(f as usize / 2)?,
        },
        10 => Event::SetEnded { set: SetId(a) },
        11 => Event::Launched {
            attempt: AttemptId(a),
            set: SetId(b),
            task: c,
            executor: ExecutorId(d),
            local: truth(e)?,
        },
        12 => Event::SlotFreed { attempt: AttemptId(a), outcome: *OUTCOMES.get(b as usize)? },
        13 => Event::Unfinished { set: SetId(a), task: b },
        14 => Event::FinishedElsewhere { set: SetId(a), task: b },
        15 => Event::Tick,
        17 => Event::PoolDefined { pool: PoolId(a), fair: truth(b)?, weight: c, min_share: d },
        18 => Event::Bounded { workflow: WorkflowId(a), tenant: TenantId(b), holds: c },
        16 => Event::Recalled {
            workflow: WorkflowId(a),
            first: b,
            second: c,
            then: d,
            tasks: e,
            after_ms: f,
        },
        _ => return None,
    })
}

fn truth(number: u32) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
