//! Executors, hosts, and how near tasks are to their input.

pub(crate) mod executors;
pub(crate) mod level;
pub(crate) mod place;
