// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! Events as a kind and numbers: the form they have in a log and in a host's calls.

use holdfast_engine::{
    AttemptId, Bound, Event, ExecutorId, JobId, Outcome, PoolId, ProfileId, Resources, SetId,
    StageId, StageKind, TenantId, WorkflowId,
};

/// The most numbers that an event has.
pub const MOST: usize = 6;

/// How many numbers each kind of event has.
pub const ARGUMENTS: [usize; 25] =
    [6, 6, 2, 1, 5, 1, 3, 6, 2, 6, 1, 5, 2, 2, 2, 0, 6, 4, 3, 4, 3, 2, 6, 1, 2];

/// Kind and numbers of an event; what its kind does not use is 0. A negative number keeps its bits.
#[must_use]
pub fn event_to_wire(event: &Event) -> (u8, [u32; MOST]) {
    match *event {
        Event::ProfileDefined { profile, runs_on, demand } => {
            (0, [profile.0, runs_on.0, demand.0[0], demand.0[1], demand.0[2], demand.0[3]])
        }
        Event::ExecutorAdded { executor, profile, capacity } => {
            (1, [executor.0, profile.0, capacity.0[0], capacity.0[1], capacity.0[2], capacity.0[3]])
        }
        Event::ExecutorBarred { executor, barred } => {
            (2, [executor.0, u32::from(barred), 0, 0, 0, 0])
        }
        Event::ExecutorLost { executor } => (3, [executor.0, 0, 0, 0, 0, 0]),
        Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool } => {
            (4, [workflow.0, priority.cast_unsigned(), isolation, parallelism, pool.0, 0])
        }
        Event::WorkflowClosed { workflow } => (5, [workflow.0, 0, 0, 0, 0, 0]),
        Event::JobSubmitted { job, workflow, continues } => {
            (6, [job.0, workflow.0, u32::from(continues), 0, 0, 0])
        }
        Event::StagePlanned { job, stage, tasks, next, next_profile, signature } => {
            (7, [job.0, stage.0, tasks, next, next_profile.0, signature])
        }
        Event::JobEnded { job, succeeded } => (8, [job.0, u32::from(succeeded), 0, 0, 0, 0]),
        Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind } => (
            9,
            [
                set.0,
                job.0,
                stage.0,
                tasks,
                profile.0,
                2 * stage_kind_code(kind) + u32::from(fills_cache),
            ],
        ),
        Event::SetEnded { set } => (10, [set.0, 0, 0, 0, 0, 0]),
        Event::Launched { attempt, set, task, executor, local } => {
            (11, [attempt.0, set.0, task, executor.0, u32::from(local), 0])
        }
        Event::SlotFreed { attempt, outcome } => {
            (12, [attempt.0, outcome_code(outcome), 0, 0, 0, 0])
        }
        Event::Unfinished { set, task } => (13, [set.0, task, 0, 0, 0, 0]),
        Event::FinishedElsewhere { set, task } => (14, [set.0, task, 0, 0, 0, 0]),
        Event::Tick => (15, [0, 0, 0, 0, 0, 0]),
        Event::Recalled { workflow, first, second, then, tasks, after_ms } => {
            (16, [workflow.0, first, second, then, tasks, after_ms])
        }
        Event::PoolDefined { pool, fair, weight, min_share } => {
            (17, [pool.0, u32::from(fair), weight, min_share, 0, 0])
        }
        Event::Bounded { workflow, tenant, holds } => (18, [workflow.0, tenant.0, holds, 0, 0, 0]),
        Event::StageBounded { job, stage, bound, value } => {
            (19, [job.0, stage.0, bound_code(bound), value, 0, 0])
        }
        Event::TaskSized { set, task, units } => (20, [set.0, task, units, 0, 0, 0]),
        Event::Progressed { attempt, done } => (21, [attempt.0, done, 0, 0, 0, 0]),
        Event::Sampled { greedy, bound, tasks, value, utilization, accuracy, score } => (
            22,
            [2 * bound_code(bound) + u32::from(greedy), tasks, value, utilization, accuracy, score],
        ),
        Event::RunEnded { workflow } => (23, [workflow.0, 0, 0, 0, 0, 0]),
        Event::Akin { workflow, to } => (24, [workflow.0, to.0, 0, 0, 0, 0]),
    }
}

/// The event of that kind and numbers; `None` if there is no such kind, or one of them is out of its range.
/// Numbers that the kind does not use are ignored.
#[must_use]
pub fn event_from_wire(kind: u8, numbers: &[u32; MOST]) -> Option<Event> {
    Some(match kind {
        0 => Event::ProfileDefined {
            profile: ProfileId(numbers[0]),
            runs_on: ProfileId(numbers[1]),
            demand: Resources([numbers[2], numbers[3], numbers[4], numbers[5]]),
        },
        1 => Event::ExecutorAdded {
            executor: ExecutorId(numbers[0]),
            profile: ProfileId(numbers[1]),
            capacity: Resources([numbers[2], numbers[3], numbers[4], numbers[5]]),
        },
        2 => Event::ExecutorBarred { executor: ExecutorId(numbers[0]), barred: truth(numbers[1])? },
        3 => Event::ExecutorLost { executor: ExecutorId(numbers[0]) },
        4 => Event::WorkflowOpened {
            workflow: WorkflowId(numbers[0]),
            priority: numbers[1].cast_signed(),
            isolation: numbers[2],
            parallelism: numbers[3],
            pool: PoolId(numbers[4]),
        },
        5 => Event::WorkflowClosed { workflow: WorkflowId(numbers[0]) },
        6 => Event::JobSubmitted {
            job: JobId(numbers[0]),
            workflow: WorkflowId(numbers[1]),
            continues: truth(numbers[2])?,
        },
        7 => Event::StagePlanned {
            job: JobId(numbers[0]),
            stage: StageId(numbers[1]),
            tasks: numbers[2],
            next: numbers[3],
            next_profile: ProfileId(numbers[4]),
            signature: numbers[5],
        },
        8 => Event::JobEnded { job: JobId(numbers[0]), succeeded: truth(numbers[1])? },
        9 => Event::SetSubmitted {
            set: SetId(numbers[0]),
            job: JobId(numbers[1]),
            stage: StageId(numbers[2]),
            tasks: numbers[3],
            profile: ProfileId(numbers[4]),
            fills_cache: numbers[5] % 2 == 1,
            kind: stage_kind_from(numbers[5] / 2)?,
        },
        10 => Event::SetEnded { set: SetId(numbers[0]) },
        11 => Event::Launched {
            attempt: AttemptId(numbers[0]),
            set: SetId(numbers[1]),
            task: numbers[2],
            executor: ExecutorId(numbers[3]),
            local: truth(numbers[4])?,
        },
        12 => {
            Event::SlotFreed { attempt: AttemptId(numbers[0]), outcome: outcome_from(numbers[1])? }
        }
        13 => Event::Unfinished { set: SetId(numbers[0]), task: numbers[1] },
        14 => Event::FinishedElsewhere { set: SetId(numbers[0]), task: numbers[1] },
        15 => Event::Tick,
        16 => Event::Recalled {
            workflow: WorkflowId(numbers[0]),
            first: numbers[1],
            second: numbers[2],
            then: numbers[3],
            tasks: numbers[4],
            after_ms: numbers[5],
        },
        17 => Event::PoolDefined {
            pool: PoolId(numbers[0]),
            fair: truth(numbers[1])?,
            weight: numbers[2],
            min_share: numbers[3],
        },
        18 => Event::Bounded {
            workflow: WorkflowId(numbers[0]),
            tenant: TenantId(numbers[1]),
            holds: numbers[2],
        },
        19 => Event::StageBounded {
            job: JobId(numbers[0]),
            stage: StageId(numbers[1]),
            bound: bound_from(numbers[2])?,
            value: numbers[3],
        },
        20 => Event::TaskSized { set: SetId(numbers[0]), task: numbers[1], units: numbers[2] },
        21 => Event::Progressed { attempt: AttemptId(numbers[0]), done: numbers[1] },
        22 => Event::Sampled {
            greedy: numbers[0] % 2 == 1,
            bound: bound_from(numbers[0] / 2)?,
            tasks: numbers[1],
            value: numbers[2],
            utilization: numbers[3],
            accuracy: numbers[4],
            score: numbers[5],
        },
        23 => Event::RunEnded { workflow: WorkflowId(numbers[0]) },
        24 => Event::Akin { workflow: WorkflowId(numbers[0]), to: WorkflowId(numbers[1]) },
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

const fn bound_code(value: Bound) -> u32 {
    match value {
        Bound::Deadline => 0,
        Bound::Error => 1,
    }
}

const fn bound_from(number: u32) -> Option<Bound> {
    match number {
        0 => Some(Bound::Deadline),
        1 => Some(Bound::Error),
        _ => None,
    }
}

const fn outcome_code(value: Outcome) -> u32 {
    match value {
        Outcome::Finished => 0,
        Outcome::NotFinished => 1,
        Outcome::Failed => 2,
    }
}

const fn outcome_from(number: u32) -> Option<Outcome> {
    match number {
        0 => Some(Outcome::Finished),
        1 => Some(Outcome::NotFinished),
        2 => Some(Outcome::Failed),
        _ => None,
    }
}

const fn stage_kind_code(value: StageKind) -> u32 {
    match value {
        StageKind::Result => 0,
        StageKind::ShuffleMap => 1,
        StageKind::Barrier => 2,
    }
}

const fn stage_kind_from(number: u32) -> Option<StageKind> {
    match number {
        0 => Some(StageKind::Result),
        1 => Some(StageKind::ShuffleMap),
        2 => Some(StageKind::Barrier),
        _ => None,
    }
}
