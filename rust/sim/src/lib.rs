//! A discrete-event simulation of a Spark driver and its executors, with Holdfast's engine or without.
//!
//! | folder | what it holds |
//! |---|---|
//! | `world` | what a simulation follows from, its check, and the draws |
//! | `cluster` | executors, hosts and locality levels |
//! | `dag` | jobs and stages that were submitted |
//! | `host` | the event queue, and the engine as the shim talks to it |
//! | `driver` | Spark's part: task sets, rounds of offers, ends, losses |
//! | `measure` | times, usage and locality of a run |
//! | `run` | one simulation from its world to its outcome, batches, slowdowns |
//! | `papers` | the settings of papers that are reproduced |
//!
//! Architecture invariant: a simulation follows from its [`World`] alone: no clock, no thread, no hash order decides.
//! Architecture invariant: it plays the shim's part towards the engine, and knows nothing of policies.
//! What Spark does and the simulator does not, and why rounds need not look at everything, is in this crate's README.

mod cluster;
mod dag;
mod driver;
mod host;
mod ids;
mod measure;
mod papers;
mod run;
pub mod world;

pub use host::queue;
pub use measure::bounded::BoundedJob;
pub use measure::meter::{Barriers, CopyCounts, Locality, Usage, WorkflowTimes};
pub use measure::placement::Placement;
pub use papers::grass;
pub use papers::ssr::setup as paper;
pub use papers::ssr::variant;
pub use run::options::{Options, Progress};
pub use run::outcome::{Failure, Outcome};
pub use run::simulate::simulate;
pub use run::{batch, slowdown};
pub use world::{World, draw, scenario};
