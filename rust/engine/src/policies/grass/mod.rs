//! GRASS (NSDI'14): what a slot is best used for when an answer may be approximate, a pending task or a copy of a running
//! one. One file a question; README.md has the rules.

mod age;
mod attempts;
mod choose;
mod course;
mod deadline;
mod error;
mod estimates;
mod gain;
mod later;
pub(crate) mod learner;
pub(crate) mod race;
pub(crate) mod state;
pub(crate) mod view;
