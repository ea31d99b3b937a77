//! Decisions, answers and errors.

use crate::{Enum, ErrorCode, Field, Numbered, Of, Variant};

const fn variant(name: &'static str, doc: &'static str) -> Variant {
    Variant { name, doc }
}

const fn field(name: &'static str, of: Of, doc: &'static str) -> Field {
    Field { name, of, doc, after: "" }
}

const fn error(code: i32, name: &'static str, text: &'static str, doc: &'static str) -> ErrorCode {
    ErrorCode { name, code, doc, text }
}

/// Why a slot is held.
pub const REASONS: Enum = Enum {
    name: "Reason",
    doc: "Why a slot is held.",
    derives: "PartialOrd, Ord",
    variants: &[
        variant(
            "Waiting",
            "Own tasks of a running set have no slot yet (waiting for locality, a retry).",
        ),
        variant("Barrier", "The next stage of the job needs it (SSR-1)."),
        variant("Gap", "The next job of the workflow needs it."),
        variant(
            "Grow",
            "Claimed from what others released, since the workflow owns less than it needs (\"Grow\").",
        ),
        variant(
            "Nearer",
            "It is nearer to the workflow's input than a hold that was given up for it.",
        ),
    ],
};

/// Why a hold ended.
pub const END_CAUSES: Enum = Enum {
    name: "EndCause",
    doc: "Why a hold ended.",
    derives: "PartialOrd, Ord",
    variants: &[
        variant("Used", "Its owner launched a task into it."),
        variant(
            "Moved",
            "Its owner launched elsewhere and owns enough without it, or holds a slot nearer to its input instead.",
        ),
        variant("Overridden", "A workflow that ranks before its owner took the slot."),
        variant("Expired", "Its deadline passed."),
        variant("NotNeeded", "The owner's need fell."),
        variant("WorkflowOver", "The owner has no future."),
        variant("ExecutorGone", "The executor was lost or barred."),
    ],
};

/// Why an ask is refused.
pub const VETOES: Enum = Enum {
    name: "VetoReason",
    doc: "Why an ask is refused.",
    derives: "",
    variants: &[
        variant("Held", "What is free there is held for workflows that rank before the asker."),
        variant("Spread", "The set already has its share of this executor (\"spread\")."),
        variant(
            "Aside",
            "What is free there is set aside for workflows with a priority (static reservation).",
        ),
    ],
};

/// Answers that allow; the vetoes have the numbers after them.
pub const VERDICTS: &[Variant] = &[
    variant("Allow", "Yes."),
    variant(
        "AllowHeld",
        "Yes, and the slot is held for the asker, for whom waiting for better locality does not pay.",
    ),
];

/// The engine's decisions; the index is the lower half of a decision's tag.
pub const DECISIONS: &[Numbered] = &[
    Numbered {
        name: "Held",
        doc: "A slot is held from now on.",
        fields: &[
            field("hold", Of::Id("HoldId"), "The new hold."),
            field("workflow", Of::Id("WorkflowId"), "Its owner."),
            field("executor", Of::Id("ExecutorId"), "Where."),
            field("reason", Of::Enum(&REASONS), "Why."),
            field("deadline", Of::Time, "When it ends at the latest."),
        ],
    },
    Numbered {
        name: "HoldEnded",
        doc: "A hold is over. Each hold ends exactly once (R8).",
        fields: &[
            field("hold", Of::Id("HoldId"), "Which hold."),
            field("cause", Of::Enum(&END_CAUSES), "Why."),
        ],
    },
    Numbered {
        name: "Reoffer",
        doc: "Something that was refused may be allowed now: offer all free slots again (R5).",
        fields: &[],
    },
];

/// Why the engine refuses an event or an ask: at most 99.
pub const ERRORS: &[ErrorCode] = &[
    error(1, "UnknownExecutor", "unknown executor", "The executor was never added, or is lost."),
    error(
        2,
        "UnknownWorkflow",
        "unknown workflow",
        "The workflow was never opened, or is forgotten.",
    ),
    error(3, "UnknownJob", "unknown job", "The job was never submitted, or has ended."),
    error(4, "KnownJob", "job submitted twice", "The job was submitted already."),
    error(5, "UnknownSet", "unknown task set", "The task set was never submitted, or has ended."),
    error(6, "KnownSet", "task set submitted twice", "The task set was submitted already."),
    error(7, "UnknownProfile", "unknown resource profile", "The profile was never defined."),
    error(8, "KnownAttempt", "attempt launched twice", "The attempt runs already."),
    error(9, "TaskOutOfRange", "task number out of range", "The set has fewer tasks."),
    error(
        10,
        "EmptyDemand",
        "a profile must ask for some part of a core",
        "A task that asks for nothing.",
    ),
    error(11, "BadTaskCount", "number of tasks must be 1 to 2^24", "No tasks, or more than 2^24."),
];

/// Why the native library refuses a call: from 100.
pub const FAULTS: &[ErrorCode] = &[
    error(100, "BadHandle", "", "The handle is closed, or never was one."),
    error(
        101,
        "Panic",
        "",
        "The engine panicked; from then on every call on this handle answers so.",
    ),
    error(102, "BadArgument", "", "An argument is out of range; nothing has changed."),
];
