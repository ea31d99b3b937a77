//! Events.

use super::enums::{BOUNDS, OUTCOMES, STAGE_KINDS};
use crate::{Event, Field, Of};

const fn field(name: &'static str, of: Of, doc: &'static str) -> Field {
    Field { name, of, doc, after: "" }
}

const fn id(name: &'static str, of: &'static str, doc: &'static str) -> Field {
    field(name, Of::Id(of), doc)
}

/// All events. Kinds are numbers in logs: a new event takes the next one, and none is ever used twice.
pub const EVENTS: &[Event] = &[
    Event {
        name: "ProfileDefined",
        kind: 0,
        doc: "The size of one slot of this profile. Repeating it changes later sets only.",
        clause: "a resource profile was defined",
        fields: &[
            id("profile", "ProfileId", "Which profile."),
            id(
                "runs_on",
                "ProfileId",
                "Its tasks run on executors of this profile: its own, or one whose executors it shares.",
            ),
            field("demand", Of::Resources, "What one task asks for: some part of a core at least."),
        ],
    },
    Event {
        name: "ExecutorAdded",
        kind: 1,
        doc: "An executor can run tasks of `profile`. Repeating it updates its capacity.",
        clause: "",
        fields: &[
            id("executor", "ExecutorId", "Which executor."),
            id(
                "profile",
                "ProfileId",
                "Only task sets of profiles that run on this one run there.",
            ),
            field("capacity", Of::Resources, "All it has, busy or not."),
        ],
    },
    Event {
        name: "ExecutorBarred",
        kind: 2,
        doc: "An executor must not get new tasks (decommissioned, excluded), or may again.",
        clause: "",
        fields: &[
            id("executor", "ExecutorId", "Which executor.").after("ExecutorAdded"),
            field("barred", Of::Flag, "Whether it is barred from now on."),
        ],
    },
    Event {
        name: "ExecutorLost",
        kind: 3,
        doc: "An executor is gone, with everything that ran on it.",
        clause: "",
        fields: &[id("executor", "ExecutorId", "Which executor.").after("ExecutorAdded")],
    },
    Event {
        name: "PoolDefined",
        kind: 17,
        doc: "What a pool is; one that is never defined is no fair one, of weight 1 and without a minimum.",
        clause: "",
        fields: &[
            id("pool", "PoolId", "Which pool. The root says whether pools share fairly."),
            field(
                "fair",
                Of::Flag,
                "Whether those in it share fairly, or go in the order of ranks.",
            ),
            field(
                "weight",
                Of::Amount,
                "Its part of the cluster compared with other pools; 0 counts as 1.",
            ),
            field("min_share", Of::Amount, "Slots that it gets before others get more."),
        ],
    },
    Event {
        name: "WorkflowOpened",
        kind: 4,
        doc: "A workflow exists, or its priority, isolation, declared parallelism or pool has changed.",
        clause: "",
        fields: &[
            id("workflow", "WorkflowId", "Which workflow."),
            field("priority", Of::Signed, "Larger is more important; 0 is what everybody has."),
            field(
                "isolation",
                Of::Amount,
                "P: the probability that a barrier keeps its slots, in millionths. 1,000,000 holds up to the cap, 0 never.",
            ),
            field(
                "parallelism",
                Of::Amount,
                "The parallelism n that the user has declared for what comes next; 0 for none.",
            ),
            id("pool", "PoolId", "Its pool; the root's own are those without one."),
        ],
    },
    Event {
        name: "Bounded",
        kind: 18,
        doc: "A workflow belongs to a tenant, whose workflows together hold no more than so many slots.",
        clause: "",
        fields: &[
            id(
                "workflow",
                "WorkflowId",
                "Which workflow, opened before; it belongs to nobody when it is opened anew after it was forgotten.",
            )
            .after("WorkflowOpened"),
            id(
                "tenant",
                "TenantId",
                "Whose it is from now on; [`TenantId::NONE`] is nobody, and has no bound.",
            ),
            field(
                "holds",
                Of::Amount,
                "How many slots the tenant's workflows hold at most, from now on. What they hold is not taken away.",
            ),
        ],
    },
    Event {
        name: "Recalled",
        kind: 16,
        doc: "An earlier run of the workflow is remembered: after stages `first` and `second` came `then`.",
        clause: "",
        fields: &[
            id("workflow", "WorkflowId", "Which workflow, opened before.").after("WorkflowOpened"),
            field(
                "first",
                Of::Bits,
                "Signature of the stage before `second`; 0 if there was none.",
            ),
            field(
                "second",
                Of::Bits,
                "Signature of the stage that `then` followed; 0 if there was none.",
            ),
            field("then", Of::Bits, "Signature of what followed."),
            field("tasks", Of::Amount, "Its number of tasks."),
            field(
                "after_ms",
                Of::Amount,
                "How long after `second` it was submitted, in milliseconds.",
            ),
        ],
    },
    Event {
        name: "Akin",
        kind: 24,
        doc: "What a workflow repeats is what another one repeats: the one foresees what the other has shown.",
        clause: "",
        fields: &[
            id(
                "workflow",
                "WorkflowId",
                "Which workflow, opened before; it is akin to nobody when it is opened anew after it was forgotten.",
            )
            .after("WorkflowOpened"),
            id(
                "to",
                "WorkflowId",
                "The one that knows what both repeat. While nobody knows it the workflow has its own knowledge; itself \
                 ends that.",
            ),
        ],
    },
    Event {
        name: "WorkflowClosed",
        kind: 5,
        doc: "The user said that the workflow is over: no further job will come.",
        clause: "",
        fields: &[id("workflow", "WorkflowId", "Which workflow.").after("WorkflowOpened")],
    },
    Event {
        name: "RunEnded",
        kind: 23,
        doc: "A run of the workflow is over; another one may follow soon.",
        clause: "",
        fields: &[id("workflow", "WorkflowId", "Which workflow.").after("WorkflowOpened")],
    },
    Event {
        name: "JobSubmitted",
        kind: 6,
        doc: "A Spark job of a workflow begins. Its plan follows as [`Event::StagePlanned`].",
        clause: "",
        fields: &[
            id("job", "JobId", "Which job."),
            id("workflow", "WorkflowId", "Its workflow, opened before.").after("WorkflowOpened"),
            field(
                "continues",
                Of::Flag,
                "Whether another job of this workflow may follow (the workflow has a name, or the job ends in a shuffle \
                 map stage as AQE's query stages do).",
            ),
        ],
    },
    Event {
        name: "StagePlanned",
        kind: 7,
        doc: "A stage of the job's plan that is not available yet, so it will run.",
        clause: "",
        fields: &[
            id("job", "JobId", "Which job.").after("JobSubmitted"),
            id("stage", "StageId", "Which stage."),
            field("tasks", Of::Amount, "Its number of missing partitions: m when it runs."),
            field(
                "next",
                Of::Amount,
                "The parallelism n of what directly follows it in the job (the widest child); 0 for the job's final stage.",
            ),
            id(
                "next_profile",
                "ProfileId",
                "What a task of that one asks for, defined before or unknown; without one it means nothing.",
            ),
            field(
                "signature",
                Of::Bits,
                "What it does, by which it is known again when the workflow repeats itself. Any number: equal for equal \
                 stages.",
            ),
        ],
    },
    Event {
        name: "JobEnded",
        kind: 8,
        doc: "A Spark job is over. Unknown jobs are ignored: hosts may say it twice.",
        clause: "",
        fields: &[
            id("job", "JobId", "Which job."),
            field(
                "succeeded",
                Of::Flag,
                "False when it failed or was cancelled: nothing is kept for a successor then.",
            ),
        ],
    },
    Event {
        name: "SetSubmitted",
        kind: 9,
        doc: "A task set is ready to run (the barrier before it has been cleared).",
        clause: "",
        fields: &[
            id("set", "SetId", "Which task set."),
            id("job", "JobId", "Its job, submitted before.").after("JobSubmitted"),
            id(
                "stage",
                "StageId",
                "Its stage; earlier sets of the same stage and job are zombies from now on.",
            ),
            field("tasks", Of::Amount, "Number of tasks, numbered from 0."),
            id("profile", "ProfileId", "What each task asks for, defined before.")
                .after("ProfileDefined"),
            field(
                "fills_cache",
                Of::Flag,
                "Whether it computes partitions that will be cached (\"spread\" balances those).",
            ),
            field("kind", Of::EnumAbove(&STAGE_KINDS), "What its tasks leave behind."),
        ],
    },
    Event {
        name: "SetEnded",
        kind: 10,
        doc: "A task set launches nothing any more. Attempts of it may still run.",
        clause: "",
        fields: &[id("set", "SetId", "Which task set.").after("SetSubmitted")],
    },
    Event {
        name: "Launched",
        kind: 11,
        doc: "Spark has committed a launch.",
        clause: "",
        fields: &[
            id("attempt", "AttemptId", "The new attempt."),
            id("set", "SetId", "Its task set.").after("SetSubmitted"),
            field("task", Of::Amount, "Its task."),
            id("executor", "ExecutorId", "Where it runs.").after("ExecutorAdded"),
            field(
                "local",
                Of::Flag,
                "Whether its input is as near as it gets for this set, or it does not matter where it runs.",
            ),
        ],
    },
    Event {
        name: "SlotFreed",
        kind: 12,
        doc: "An attempt has left its slot; said before the slot is offered again.",
        clause: "",
        fields: &[
            id(
                "attempt",
                "AttemptId",
                "Which attempt. Unknown ones are ignored: a lost executor took its attempts along.",
            ),
            field("outcome", Of::Enum(&OUTCOMES), "How it ended."),
        ],
    },
    Event {
        name: "Unfinished",
        kind: 13,
        doc: "A finished task has to run again (lost output, lost result).",
        clause: "",
        fields: &[
            id("set", "SetId", "Which task set.").after("SetSubmitted"),
            field("task", Of::Amount, "Which task."),
        ],
    },
    Event {
        name: "FinishedElsewhere",
        kind: 14,
        doc: "A task is done without an attempt of this set having done it.",
        clause: "",
        fields: &[
            id("set", "SetId", "Which task set.").after("SetSubmitted"),
            field("task", Of::Amount, "Which task."),
        ],
    },
    Event {
        name: "StageBounded",
        kind: 19,
        doc: "The job's user can do without some tasks of a stage (GR-1). Said before the stage's set or later; the latest \
              counts.",
        clause: "",
        fields: &[
            id("job", "JobId", "Which job.").after("JobSubmitted"),
            id("stage", "StageId", "Of which stage tasks may be missing."),
            field("bound", Of::Enum(&BOUNDS), "What bounds the answer."),
            field(
                "value",
                Of::Amount,
                "Of a deadline: milliseconds from now; 0 is over. Of an error: the share of tasks that may be missing, in \
                 millionths; 0 wants all.",
            ),
        ],
    },
    Event {
        name: "TaskSized",
        kind: 20,
        doc: "How much a task reads; said before its set's first launch, or while it runs. Without it all are of size 1.",
        clause: "",
        fields: &[
            id("set", "SetId", "Which task set.").after("SetSubmitted"),
            field("task", Of::Amount, "Which task."),
            field("units", Of::Amount, "Its size, in any unit that is the same for all of the set; 0 counts as 1."),
        ],
    },
    Event {
        name: "Progressed",
        kind: 21,
        doc: "An attempt has reported how far it is (GR-6). Unknown attempts and reports that go back are ignored.",
        clause: "",
        fields: &[
            id("attempt", "AttemptId", "Which attempt."),
            field("done", Of::Amount, "The share of its input that is read, in millionths."),
        ],
    },
    Event {
        name: "Sampled",
        kind: 22,
        doc: "An earlier bounded job is remembered that ran with one rule throughout (GR-5).",
        clause: "",
        fields: &[
            field("greedy", Of::Flag, "Whether the rule was GS; else RAS."),
            field("bound", Of::EnumAbove(&BOUNDS), "What bounded it."),
            field("tasks", Of::Amount, "Its number of tasks."),
            field("value", Of::Amount, "Its deadline in thousandths of a task's time, or how many tasks it needed."),
            field("utilization", Of::Amount, "The busy share of all slots, in millionths."),
            field("accuracy", Of::Amount, "How good estimates were, in millionths."),
            field(
                "score",
                Of::Amount,
                "Of a deadline: the share of tasks done by then, in millionths. Of an error: how long it took, in \
                 thousandths of a task's time.",
            ),
        ],
    },
    Event { name: "Tick", kind: 15, doc: "Nothing but time.", clause: "time passed", fields: &[] },
];
