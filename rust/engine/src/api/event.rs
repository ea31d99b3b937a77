// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! What the host tells the engine. Each event exists because a decision depends on it.

use serde::{Deserialize, Serialize};

use crate::api::ids::{
    AttemptId, ExecutorId, JobId, PoolId, ProfileId, Resources, SetId, StageId, TenantId,
    WorkflowId,
};

/// What an approximate answer is bounded by (NSDI'14, section 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Time: as many tasks as possible are done by then.
    Deadline,
    /// Tasks that may be missing: the others are done as soon as possible.
    Error,
}

/// How an attempt left its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The task is done, unless a later [`Event::Unfinished`] takes that back.
    Finished,
    /// The task has to run again (killed, lost) unless another attempt of it ends well: it keeps a claim on a slot.
    NotFinished,
    /// The same, and it was the task's fault: it gets no copy any more.
    Failed,
}

/// What a stage's tasks leave behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// Results, which may have effects outside: each partition should run once.
    #[default]
    Result,
    /// Shuffle output, of which the first one counts.
    ShuffleMap,
    /// All tasks run at once.
    Barrier,
}

/// A fact about the cluster or the workload, in the order in which it became true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The size of one slot of this profile. Repeating it changes later sets only.
    ProfileDefined {
        /// Which profile.
        profile: ProfileId,
        /// Its tasks run on executors of this profile: its own, or one whose executors it shares.
        runs_on: ProfileId,
        /// What one task asks for: some part of a core at least.
        demand: Resources,
    },
    /// An executor can run tasks of `profile`. Repeating it updates its capacity.
    ExecutorAdded {
        /// Which executor.
        executor: ExecutorId,
        /// Only task sets of profiles that run on this one run there.
        profile: ProfileId,
        /// All it has, busy or not.
        capacity: Resources,
    },
    /// An executor must not get new tasks (decommissioned, excluded), or may again.
    ExecutorBarred {
        /// Which executor.
        executor: ExecutorId,
        /// Whether it is barred from now on.
        barred: bool,
    },
    /// An executor is gone, with everything that ran on it.
    ExecutorLost {
        /// Which executor.
        executor: ExecutorId,
    },
    /// What a pool is; one that is never defined is no fair one, of weight 1 and without a minimum.
    PoolDefined {
        /// Which pool. The root says whether pools share fairly.
        pool: PoolId,
        /// Whether those in it share fairly, or go in the order of ranks.
        fair: bool,
        /// Its part of the cluster compared with other pools; 0 counts as 1.
        weight: u32,
        /// Slots that it gets before others get more.
        min_share: u32,
    },
    /// A workflow exists, or its priority, isolation, declared parallelism or pool has changed.
    WorkflowOpened {
        /// Which workflow.
        workflow: WorkflowId,
        /// Larger is more important; 0 is what everybody has.
        priority: i32,
        /// P: the probability that a barrier keeps its slots, in millionths. 1,000,000 holds up to the cap, 0 never.
        isolation: u32,
        /// The parallelism n that the user has declared for what comes next; 0 for none.
        parallelism: u32,
        /// Its pool; the root's own are those without one.
        pool: PoolId,
    },
    /// A workflow belongs to a tenant, whose workflows together hold no more than so many slots.
    Bounded {
        /// Which workflow, opened before; it belongs to nobody when it is opened anew after it was forgotten.
        workflow: WorkflowId,
        /// Whose it is from now on; [`TenantId::NONE`] is nobody, and has no bound.
        tenant: TenantId,
        /// How many slots the tenant's workflows hold at most, from now on. What they hold is not taken away.
        holds: u32,
    },
    /// An earlier run of the workflow is remembered: after stages `first` and `second` came `then`.
    Recalled {
        /// Which workflow, opened before.
        workflow: WorkflowId,
        /// Signature of the stage before `second`; 0 if there was none.
        first: u32,
        /// Signature of the stage that `then` followed; 0 if there was none.
        second: u32,
        /// Signature of what followed.
        then: u32,
        /// Its number of tasks.
        tasks: u32,
        /// How long after `second` it was submitted, in milliseconds.
        after_ms: u32,
    },
    /// What a workflow repeats is what another one repeats: the one foresees what the other has shown.
    Akin {
        /// Which workflow, opened before; it is akin to nobody when it is opened anew after it was forgotten.
        workflow: WorkflowId,
        /// The one that knows what both repeat. While nobody knows it the workflow has its own knowledge; itself ends
        /// that.
        to: WorkflowId,
    },
    /// The user said that the workflow is over: no further job will come.
    WorkflowClosed {
        /// Which workflow.
        workflow: WorkflowId,
    },
    /// A run of the workflow is over; another one may follow soon.
    RunEnded {
        /// Which workflow.
        workflow: WorkflowId,
    },
    /// A Spark job of a workflow begins. Its plan follows as [`Event::StagePlanned`].
    JobSubmitted {
        /// Which job.
        job: JobId,
        /// Its workflow, opened before.
        workflow: WorkflowId,
        /// Whether another job of this workflow may follow (the workflow has a name, or the job ends in a shuffle map
        /// stage as AQE's query stages do).
        continues: bool,
    },
    /// A stage of the job's plan that is not available yet, so it will run.
    StagePlanned {
        /// Which job.
        job: JobId,
        /// Which stage.
        stage: StageId,
        /// Its number of missing partitions: m when it runs.
        tasks: u32,
        /// The parallelism n of what directly follows it in the job (the widest child); 0 for the job's final stage.
        next: u32,
        /// What a task of that one asks for, defined before or unknown; without one it means nothing.
        next_profile: ProfileId,
        /// What it does, by which it is known again when the workflow repeats itself. Any number: equal for equal
        /// stages.
        signature: u32,
    },
    /// A Spark job is over. Unknown jobs are ignored: hosts may say it twice.
    JobEnded {
        /// Which job.
        job: JobId,
        /// False when it failed or was cancelled: nothing is kept for a successor then.
        succeeded: bool,
    },
    /// A task set is ready to run (the barrier before it has been cleared).
    SetSubmitted {
        /// Which task set.
        set: SetId,
        /// Its job, submitted before.
        job: JobId,
        /// Its stage; earlier sets of the same stage and job are zombies from now on.
        stage: StageId,
        /// Number of tasks, numbered from 0.
        tasks: u32,
        /// What each task asks for, defined before.
        profile: ProfileId,
        /// Whether it computes partitions that will be cached ("spread" balances those).
        fills_cache: bool,
        /// What its tasks leave behind.
        kind: StageKind,
    },
    /// A task set launches nothing any more. Attempts of it may still run.
    SetEnded {
        /// Which task set.
        set: SetId,
    },
    /// Spark has committed a launch.
    Launched {
        /// The new attempt.
        attempt: AttemptId,
        /// Its task set.
        set: SetId,
        /// Its task.
        task: u32,
        /// Where it runs.
        executor: ExecutorId,
        /// Whether its input is as near as it gets for this set, or it does not matter where it runs.
        local: bool,
    },
    /// An attempt has left its slot; said before the slot is offered again.
    SlotFreed {
        /// Which attempt. Unknown ones are ignored: a lost executor took its attempts along.
        attempt: AttemptId,
        /// How it ended.
        outcome: Outcome,
    },
    /// A finished task has to run again (lost output, lost result).
    Unfinished {
        /// Which task set.
        set: SetId,
        /// Which task.
        task: u32,
    },
    /// A task is done without an attempt of this set having done it.
    FinishedElsewhere {
        /// Which task set.
        set: SetId,
        /// Which task.
        task: u32,
    },
    /// The job's user can do without some tasks of a stage (GR-1). Said before the stage's set or later; the latest
    /// counts.
    StageBounded {
        /// Which job.
        job: JobId,
        /// Of which stage tasks may be missing.
        stage: StageId,
        /// What bounds the answer.
        bound: Bound,
        /// Of a deadline: milliseconds from now; 0 is over. Of an error: the share of tasks that may be missing, in
        /// millionths; 0 wants all.
        value: u32,
    },
    /// How much a task reads; said before its set's first launch, or while it runs. Without it all are of size 1.
    TaskSized {
        /// Which task set.
        set: SetId,
        /// Which task.
        task: u32,
        /// Its size, in any unit that is the same for all of the set; 0 counts as 1.
        units: u32,
    },
    /// An attempt has reported how far it is (GR-6). Unknown attempts and reports that go back are ignored.
    Progressed {
        /// Which attempt.
        attempt: AttemptId,
        /// The share of its input that is read, in millionths.
        done: u32,
    },
    /// An earlier bounded job is remembered that ran with one rule throughout (GR-5).
    Sampled {
        /// Whether the rule was GS; else RAS.
        greedy: bool,
        /// What bounded it.
        bound: Bound,
        /// Its number of tasks.
        tasks: u32,
        /// Its deadline in thousandths of a task's time, or how many tasks it needed.
        value: u32,
        /// The busy share of all slots, in millionths.
        utilization: u32,
        /// How good estimates were, in millionths.
        accuracy: u32,
        /// Of a deadline: the share of tasks done by then, in millionths. Of an error: how long it took, in thousandths
        /// of a task's time.
        score: u32,
    },
    /// Nothing but time.
    Tick,
}
