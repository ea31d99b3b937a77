//! What of the shim a simulation needs: the event queue, and the engine.

pub mod queue;
pub(crate) mod wire;
