//! The mechanism of holds: who gets one, which one goes, and whose slot it blocks. It belongs to no policy.

mod budget;
mod claims;
pub(crate) mod fair;
mod rule;
mod sizes;
pub(crate) mod slot;
mod swap;
