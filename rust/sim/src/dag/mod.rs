//! Jobs and stages that were submitted, and what waits for what.

pub(crate) mod cached;
pub(crate) mod edges;
pub(crate) mod job;
pub(crate) mod preferences;
pub(crate) mod stage;
pub(crate) mod tables;
