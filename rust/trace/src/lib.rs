//! Reads what has run: Spark's event logs and cluster traces, as streams.
//!
//! * [`input`] opens files: folders of rolling logs, compression, lines.
//! * [`spark_event`] reads what matters of Spark's events, with file and line where it cannot.
//! * `feed` tells them once, with what was lost in its place: `rebuild` finds it out of what other events carry.
//! * [`order`] puts them in the order of their times, [`runs`] says which belong to one run of a workflow.
//! * [`sweep`] says where the time of each run went; [`whatif`] does so for a log.
//! * [`notes`] says what limits the trust in that.
//! * [`convert`] makes a trace of a log, [`swim`] and [`clusterdata`] of cluster traces; [`format`](mod@format) is the
//!   trace's own format.
//! * [`recording`] has a log in memory, with its executors and configuration, as simulations want it.
//!
//! Memory is bounded by what lives at one time, whatever the length of the log: executors, workflows, their stages and
//! running tasks, the events of ten seconds; and by the reports of the runs that have ended.

mod arrivals;
mod bits;
mod caches;
pub mod clusterdata;
pub mod convert;
mod converter;
mod error;
mod feed;
pub mod format;
pub mod input;
mod moment;
pub mod notes;
pub mod order;
mod rebuild;
pub mod recording;
pub mod report;
pub mod runs;
mod settings;
pub mod spark_event;
pub mod surroundings;
pub mod sweep;
pub mod swim;
mod whatif;

pub use error::TraceError;
pub use settings::{Settings, millis};
pub use whatif::{Options, whatif, whatif_of_lines, whatif_recorded};
