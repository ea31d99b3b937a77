//! What should happen: short files that read the ledger and answer one question.
//!
//! Architecture invariant: a policy never writes the ledger.

pub(crate) mod aside;
pub(crate) mod claim;
pub(crate) mod fair;
pub(crate) mod home;
pub(crate) mod isolation;
pub(crate) mod linger;
pub(crate) mod need;
pub(crate) mod rent;
pub(crate) mod size;
pub(crate) mod spare;
pub(crate) mod spread;
pub(crate) mod widen;
