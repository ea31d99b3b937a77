//! What should happen. A folder or file a policy; a role asks each of them one question.
//!
//! Architecture invariant: what answers a question never writes the ledger.

#[cfg(feature = "test-gate")]
pub(crate) mod backwards;
#[cfg(feature = "test-gate")]
pub(crate) mod every_second;
pub(crate) mod fair;
pub(crate) mod grass;
pub(crate) mod held;
mod late;
mod mantri;
pub(crate) mod spark;
pub(crate) mod ssr;
pub(crate) mod r#static;
pub(crate) mod timeout;
