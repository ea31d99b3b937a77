//! Names in logs.

use crate::{Enum, Variant};

/// What a name in a log belongs to.
pub const NAME_KINDS: Enum = Enum {
    name: "NameKind",
    doc: "What a name belongs to.",
    derives: "",
    variants: &[
        Variant { name: "Executor", doc: "An executor." },
        Variant { name: "Workflow", doc: "A workflow." },
        Variant {
            name: "User",
            doc: "Whose latest job a workflow's was: the id is the workflow's; an empty name takes it back.",
        },
        Variant {
            name: "Claim",
            doc: "What a client chose that gave a workflow something: the id is the workflow's; an empty name takes it \
                  back.",
        },
    ],
};
