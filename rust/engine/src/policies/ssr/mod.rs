//! Speculative slot reservation (ICDCS'17): one file a question, and what it learns from events.

pub(crate) mod claim;
pub(crate) mod copies;
pub(crate) mod home;
pub(crate) mod isolation;
pub(crate) mod last_wave;
pub(crate) mod linger;
pub(crate) mod look_ahead;
pub(crate) mod narrow;
pub(crate) mod need;
pub(crate) mod spread;
pub(crate) mod spread_sets;
pub(crate) mod stragglers;
pub(crate) mod unforeseen;
pub(crate) mod widen;
