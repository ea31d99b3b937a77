//! What the twin remembers: plain maps, nothing derived.

use std::collections::{BTreeMap, BTreeSet};

use holdfast_engine::pareto::Tail;
use holdfast_engine::{
    Account, ExecutorId, JobId, PoolId, ProfileId, Reason, Resources, SetId, StageId, StageKind,
    TenantId, Time, Transition, WorkflowId,
};

use super::races::{Race, Runner};

/// An executor that is present.
#[derive(Clone, Debug)]
pub(crate) struct Executor {
    pub(crate) profile: ProfileId,
    pub(crate) capacity: Resources,
    pub(crate) barred: bool,
}

/// An attempt that occupies a slot.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// Which submission of a set (ids of ended sets may come again).
    pub(crate) serial: u64,
    pub(crate) workflow: WorkflowId,
    pub(crate) executor: ExecutorId,
    pub(crate) task: u32,
    pub(crate) size: Resources,
    pub(crate) launched: Time,
    /// Beside another one of its task.
    pub(crate) is_copy: bool,
    pub(crate) local: bool,
    /// Its set had not ended when it was launched, and copies depend on how far it is.
    pub(crate) race: Option<Runner>,
}

/// A set that was submitted and has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) serial: u64,
    pub(crate) job: JobId,
    pub(crate) workflow: WorkflowId,
    pub(crate) stage: StageId,
    pub(crate) tasks: u32,
    /// `next` of its plan entry when it was submitted; 0 without one.
    pub(crate) next: u32,
    pub(crate) next_profile: ProfileId,
    /// Tasks of what was foreseen to follow it.
    pub(crate) foreseen: Option<u32>,
    pub(crate) profile: ProfileId,
    /// Profile of the executors that it ran on when it was submitted.
    pub(crate) home: ProfileId,
    pub(crate) demand: Resources,
    /// Until when its launches are spread; `None` when they are not, or no longer.
    pub(crate) spread_until: Option<Time>,
    pub(crate) zombie: bool,
    pub(crate) finished: BTreeSet<u32>,
    pub(crate) launches: Vec<ExecutorId>,
    /// When its last wave began, and how many tasks ran then.
    pub(crate) wave: Option<(Time, u32)>,
    /// How long the shortest of its finishers took.
    pub(crate) shortest: Option<u64>,
    /// Samples of the shape of durations that it has given.
    pub(crate) samples: u32,
    /// Of each task, when it was launched while no attempt of it ran.
    pub(crate) since: BTreeMap<u32, Time>,
    pub(crate) barrier: Option<Time>,
    /// Idle slot-time that Eq. 4 allows, until it is complete for the first time.
    pub(crate) bound: Option<u64>,
    pub(crate) kind: StageKind,
    /// Tasks of which an attempt has failed.
    pub(crate) failed: BTreeSet<u32>,
    /// Tasks that have run twice at a time.
    pub(crate) copied: BTreeSet<u32>,
    /// Where its tasks were finished.
    pub(crate) places: BTreeMap<u32, ExecutorId>,
    pub(crate) fills_cache: bool,
    /// What running away from input costs, in thousandths, on executors that were new to the workflow.
    pub(crate) remote_slowdown_milli: Option<u64>,
    /// Of its local finishers.
    pub(crate) local: Vec<u64>,
    /// Of its finishers.
    pub(crate) durations: Vec<u64>,
    /// The youngest task that was old enough for a copy after the last step.
    pub(crate) copying: Option<(Time, u32)>,
    pub(crate) race: Race,
}

/// One stage of a job's plan.
#[derive(Clone, Debug)]
pub(crate) struct PlanEntry {
    pub(crate) tasks: u32,
    pub(crate) next: u32,
    pub(crate) next_profile: ProfileId,
    pub(crate) signature: u32,
    pub(crate) submitted: bool,
}

/// A job that has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) workflow: WorkflowId,
    pub(crate) continues: bool,
    pub(crate) plan: BTreeMap<StageId, PlanEntry>,
    pub(crate) last_n: u32,
    pub(crate) done: bool,
}

/// The time between two jobs of a workflow.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    pub(crate) start: Time,
    pub(crate) deadline: Time,
    /// Sets with a larger serial came later.
    pub(crate) serial: u64,
    /// The run before it is over.
    pub(crate) run_ended: bool,
}

/// The widest set of late.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peak {
    pub(crate) width: u32,
    pub(crate) at: Time,
}

/// A workflow that is remembered.
#[derive(Clone, Debug)]
pub(crate) struct Workflow {
    pub(crate) priority: i32,
    pub(crate) pool: PoolId,
    pub(crate) closed: bool,
    /// Opened, and no job has come since.
    pub(crate) awaited: bool,
    /// Drawn when it became active; `None` while it is not.
    pub(crate) arrival: Option<u64>,
    /// The latest one, for the zombies of a workflow that is over.
    pub(crate) last_arrival: u64,
    pub(crate) gap: Option<Gap>,
    pub(crate) largest_gap: u64,
    /// When the gap began that its linger has ended.
    pub(crate) missed_gap: Option<Time>,
    /// Since its arrival a set of it has filled the cache.
    pub(crate) has_filled: bool,
    /// Whether its largest gap was known when it arrived.
    pub(crate) knows_gaps: bool,
    /// In millionths.
    pub(crate) isolation: u32,
    /// When its first set since its arrival came, and how wide it has been known to be since.
    pub(crate) known_width: Option<(Time, u64)>,
    pub(crate) declared: u32,
    /// Whose it is.
    pub(crate) tenant: TenantId,
    pub(crate) tail: Tail,
    pub(crate) account: Account,
    /// Start of the episode that the cap counts over.
    pub(crate) start: Option<Time>,
    pub(crate) exhausted: bool,
    pub(crate) peak: Peak,
    /// In thousandths: how long a task takes away from its input, next to it being 1.
    pub(crate) remote_slowdown_milli: Option<u64>,
    /// When the first task away from its input finished on an executor.
    pub(crate) away: BTreeMap<ExecutorId, Time>,
    /// How many tasks of the set finished where that was complete last, and whether that filled the cache.
    pub(crate) left: BTreeMap<ExecutorId, u32>,
    pub(crate) left_is_cached: bool,
    /// Since when it needs less than it will want again.
    pub(crate) narrow: Option<Time>,
    pub(crate) last_m: u32,
    pub(crate) known: Known,
    /// Whose knowledge counts instead, while there is any.
    pub(crate) akin: Option<WorkflowId>,
    /// Its sets since its arrival.
    pub(crate) stages: Vec<Seen>,
    /// When the latest came (or it arrived).
    pub(crate) stage_at: Time,
    /// Tasks of what follows its latest set, the most of all that is known to come soon, and whether that is all.
    pub(crate) foreseen: Option<(u32, u32, bool)>,
    /// Profile of its latest set, and what a task of it asked for.
    pub(crate) latest: Option<(ProfileId, Resources)>,
    /// The same of what it launches next.
    pub(crate) slot: Option<(ProfileId, Resources)>,
}

/// What a workflow repeats.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub(crate) struct Known {
    /// What followed what, the oldest first.
    pub(crate) steps: Vec<Transition>,
    /// The sets of the runs before, from an arrival to the next, the latest last.
    pub(crate) runs: Vec<Vec<Seen>>,
    /// Those of the runs that were said to end, each by itself.
    pub(crate) ended: Vec<Vec<Seen>>,
}

/// A set when it came: its tasks with those beside it, and how long after the one before.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Seen {
    /// None: no set, but it was said that the run is over.
    pub(crate) signature: Option<u32>,
    pub(crate) tasks: u32,
    pub(crate) nanos: u64,
}

/// What a workflow that is forgotten leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    pub(crate) largest_gap: u64,
    pub(crate) missed_gap: Option<Time>,
    pub(crate) tail: Tail,
    pub(crate) known: Known,
    pub(crate) left: BTreeMap<ExecutorId, u32>,
    pub(crate) left_is_cached: bool,
    pub(crate) account: Account,
}

/// A live hold.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) workflow: WorkflowId,
    pub(crate) executor: ExecutorId,
    pub(crate) size: Resources,
    pub(crate) reason: Reason,
    pub(crate) made_at: Time,
    pub(crate) cap: Time,
    pub(crate) deadline: Time,
}

/// A `SetSubmitted` event.
pub(super) struct Submission {
    pub(super) set: SetId,
    pub(super) job: JobId,
    pub(super) stage: StageId,
    pub(super) tasks: u32,
    pub(super) profile: ProfileId,
    pub(super) fills_cache: bool,
    pub(super) kind: StageKind,
}
