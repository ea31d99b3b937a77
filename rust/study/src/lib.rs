//! Studies: what has run somewhere as a world of the simulator, what an application would have gained, variants
//! compared on many seeds, papers' figures. It reads, computes and makes documents; whoever asks prints them.

pub mod drawing;
mod failure;
pub mod figures;
pub mod sim;
pub mod statistics;
pub mod whatif;
pub mod workload;

pub use failure::Failure;
