//! A discrete-event simulation of a Spark driver and its executors, with Holdfast's engine or without.
//!
//! ```text
//!   World (JSON)  -> host: Spark's loop over events in (time, sequence) order -> Outcome
//!   executors        round: who is offered what, in Spark's order                times, usage, locality
//!   workflows        visit: delay scheduling, level by level                     copies, isolation
//!   Spark, engine    wire: events and asks of the shim  <->  holdfast-engine     log (holdfast-log)
//! ```
//!
//! Architecture invariant: a simulation follows from its [`World`] alone: no clock, no thread, no hash order decides.
//! Architecture invariant: it plays the shim's part towards the engine, and knows nothing of policies.
//! What Spark does and the simulator does not, and why rounds need not look at everything, is in this crate's README.

mod ahead;
mod attempt;
mod barrier;
mod cached;
mod check;
mod cluster;
mod dag;
mod delay;
pub mod draw;
mod durations;
mod edges;
mod ends;
mod host;
mod launch;
mod level;
mod lists;
mod literal;
mod losses;
pub mod many;
mod measure;
mod numbers;
mod offers;
mod order;
pub mod paper;
mod pending;
mod priorities;
pub mod queue;
mod retries;
mod round;
mod run;
pub mod scenario;
mod set;
mod slots;
mod spark;
mod speculation;
mod stage;
mod standing;
mod submit;
mod timers;
mod told;
pub mod variant;
mod visit;
mod wire;
pub mod world;

pub use measure::{Barriers, CopyCounts, Locality, Usage, WorkflowTimes};
pub use run::{Failure, Options, Outcome, Placement, Progress, simulate};
pub use world::World;

/// Places in tables are numbers of 32 bits.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
