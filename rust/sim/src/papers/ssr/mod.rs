//! Speculative slot reservation (ICDCS 2017).

pub mod setup;
pub mod variant;
