//! What should happen. A folder or file a policy; a role asks each of them one question.
//!
//! Architecture invariant: what answers a question never writes the ledger.

pub(crate) mod ssr;
pub(crate) mod r#static;
