//! The rules of docs/mechanisms, written a second time: naive, obvious, slow.
//!
//! [`Reference`] is the twin; [`invariants`] are what has to hold after every step; [`history`] makes
//! random histories, plays them against two models and shrinks what fails. [`small_world`] plays all
//! histories of a tiny cluster.

pub mod history;
pub mod invariants;
pub mod model;
pub mod small_world;
mod twin;

pub use twin::{Bug, Reference};
