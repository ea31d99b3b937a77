//! What is watched from event to event: last waves, stragglers, spread launches, and widths that nobody foresaw.

pub(crate) mod last_wave;
pub(crate) mod spread;
pub(crate) mod stragglers;
pub(crate) mod unforeseen;
