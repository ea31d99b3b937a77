//! What of the shim and of a simulation's loop does not know Spark: the queue of events, and the engine.

pub(crate) mod agenda;
pub(crate) mod event;
pub mod queue;
pub(crate) mod shim;
pub(crate) mod wire;
