//! Speculative slot reservation (ICDCS'17): one file a question, and what it learns from events.

pub(crate) mod claim;
pub(crate) mod copies;
pub(crate) mod home;
pub(crate) mod isolation;
mod last_wave;
pub(crate) mod linger;
pub(crate) mod look_ahead;
mod narrow;
pub(crate) mod need;
pub(crate) mod spread;
mod spread_sets;
mod stragglers;
mod unforeseen;
pub(crate) mod widen;
