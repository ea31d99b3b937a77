//! What a simulation is measured by.

pub mod bounded;
pub(crate) mod meter;
pub(crate) mod placement;
