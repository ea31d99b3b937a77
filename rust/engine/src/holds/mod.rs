//! The mechanism of holds: who gets one, which one goes, and whose slot it blocks. What needs plans calls `policies::ssr` (ADR 0021).

pub(crate) mod budget;
pub(crate) mod choice;
pub(crate) mod claims;
pub(crate) mod ends;
pub(crate) mod launch;
pub(crate) mod narrow;
pub(crate) mod rule;
pub(crate) mod sizes;
pub(crate) mod slot;
pub(crate) mod swap;
pub(crate) mod trim;
