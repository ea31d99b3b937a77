//! What a simulation is measured by.

pub(crate) mod meter;
pub(crate) mod placement;
