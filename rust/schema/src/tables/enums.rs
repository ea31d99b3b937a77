//! Enums of events.

use crate::{Enum, Variant};

/// How an attempt left its slot.
pub const OUTCOMES: Enum = Enum {
    name: "Outcome",
    doc: "How an attempt left its slot.",
    derives: "",
    variants: &[
        Variant {
            name: "Finished",
            doc: "The task is done, unless a later [`Event::Unfinished`] takes that back.",
        },
        Variant {
            name: "NotFinished",
            doc: "The task has to run again (killed, lost) unless another attempt of it ends well: it keeps a claim on a \
                  slot.",
        },
        Variant {
            name: "Failed",
            doc: "The same, and it was the task's fault: it gets no copy any more.",
        },
    ],
};

/// What a stage's tasks leave behind.
pub const STAGE_KINDS: Enum = Enum {
    name: "StageKind",
    doc: "What a stage's tasks leave behind.",
    derives: "Default",
    variants: &[
        Variant {
            name: "Result",
            doc: "Results, which may have effects outside: each partition should run once.",
        },
        Variant { name: "ShuffleMap", doc: "Shuffle output, of which the first one counts." },
        Variant { name: "Barrier", doc: "All tasks run at once." },
    ],
};

/// What an approximate answer is bounded by.
pub const BOUNDS: Enum = Enum {
    name: "Bound",
    doc: "What an approximate answer is bounded by (NSDI'14, section 2.1).",
    derives: "",
    variants: &[
        Variant { name: "Deadline", doc: "Time: as many tasks as possible are done by then." },
        Variant {
            name: "Error",
            doc: "Tasks that may be missing: the others are done as soon as possible.",
        },
    ],
};
