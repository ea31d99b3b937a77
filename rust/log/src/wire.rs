//! Events as a kind and up to six numbers: the form they have in a log and in a host's calls.

use holdfast_engine::{
    AttemptId, Event, ExecutorId, JobId, Outcome, ProfileId, Resources, SetId, StageId, WorkflowId,
};

/// How many numbers each kind of event has.
pub const ARGUMENTS: [usize; 16] = [5, 6, 2, 1, 4, 1, 3, 4, 2, 6, 1, 4, 2, 2, 2, 0];

/// Kind and numbers of an event; what its kind does not use is 0. A negative priority keeps its bits.
#[must_use]
pub fn event_to_wire(event: &Event) -> (u8, [u32; 6]) {
    match *event {
        Event::ProfileDefined { profile, demand: Resources([a, b, c, d]) } => {
            (0, [profile.0, a, b, c, d, 0])
        }
        Event::ExecutorAdded { executor, profile, capacity: Resources([a, b, c, d]) } => {
            (1, [executor.0, profile.0, a, b, c, d])
        }
        Event::ExecutorBarred { executor, barred } => (2, [executor.0, barred.into(), 0, 0, 0, 0]),
        Event::ExecutorLost { executor } => (3, [executor.0, 0, 0, 0, 0, 0]),
        Event::WorkflowOpened { workflow, priority, isolation, parallelism } => {
            (4, [workflow.0, priority as u32, isolation, parallelism, 0, 0])
        }
        Event::WorkflowClosed { workflow } => (5, [workflow.0, 0, 0, 0, 0, 0]),
        Event::JobSubmitted { job, workflow, continues } => {
            (6, [job.0, workflow.0, continues.into(), 0, 0, 0])
        }
        Event::StagePlanned { job, stage, tasks, next } => (7, [job.0, stage.0, tasks, next, 0, 0]),
        Event::JobEnded { job, succeeded } => (8, [job.0, succeeded.into(), 0, 0, 0, 0]),
        Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache } => {
            (9, [set.0, job.0, stage.0, tasks, profile.0, fills_cache.into()])
        }
        Event::SetEnded { set } => (10, [set.0, 0, 0, 0, 0, 0]),
        Event::Launched { attempt, set, task, executor } => {
            (11, [attempt.0, set.0, task, executor.0, 0, 0])
        }
        Event::SlotFreed { attempt, outcome } => {
            (12, [attempt.0, (outcome == Outcome::NotFinished).into(), 0, 0, 0, 0])
        }
        Event::Unfinished { set, task } => (13, [set.0, task, 0, 0, 0, 0]),
        Event::FinishedElsewhere { set, task } => (14, [set.0, task, 0, 0, 0, 0]),
        Event::Tick => (15, [0; 6]),
    }
}

/// The event of that kind and numbers; `None` if there is no such kind, or a truth value is neither 0 nor 1.
/// Numbers that the kind does not use are ignored.
#[must_use]
pub fn event_from_wire(kind: u8, numbers: &[u32; 6]) -> Option<Event> {
    let [a, b, c, d, e, f] = *numbers;
    Some(match kind {
        0 => Event::ProfileDefined { profile: ProfileId(a), demand: Resources([b, c, d, e]) },
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
        },
        5 => Event::WorkflowClosed { workflow: WorkflowId(a) },
        6 => Event::JobSubmitted { job: JobId(a), workflow: WorkflowId(b), continues: truth(c)? },
        7 => Event::StagePlanned { job: JobId(a), stage: StageId(b), tasks: c, next: d },
        8 => Event::JobEnded { job: JobId(a), succeeded: truth(b)? },
        9 => Event::SetSubmitted {
            set: SetId(a),
            job: JobId(b),
            stage: StageId(c),
            tasks: d,
            profile: ProfileId(e),
            fills_cache: truth(f)?,
        },
        10 => Event::SetEnded { set: SetId(a) },
        11 => Event::Launched {
            attempt: AttemptId(a),
            set: SetId(b),
            task: c,
            executor: ExecutorId(d),
        },
        12 => Event::SlotFreed {
            attempt: AttemptId(a),
            outcome: if truth(b)? { Outcome::NotFinished } else { Outcome::Finished },
        },
        13 => Event::Unfinished { set: SetId(a), task: b },
        14 => Event::FinishedElsewhere { set: SetId(a), task: b },
        15 => Event::Tick,
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
