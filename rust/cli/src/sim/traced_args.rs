//! What is asked of a trace.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use holdfast_study::sim::request;

use crate::args::{linger, pair};

/// More makes no sense, and overflows.
const MOST_SCALE: f64 = 10_000.0;

/// A comparison is one run of a log as it was recorded, and writes nothing.
const COMPARED: [&str; 12] = [
    "preset",
    "variant",
    "isolation",
    "seeds",
    "speculation",
    "csv",
    "jsonl",
    "background",
    "out",
    "log",
    "placements",
    "check",
];
/// A trace is written of what was recorded: nothing is simulated.
const WRITTEN: [&str; 9] =
    ["compare", "scale", "slots", "priority", "most_tasks", "foreground", "nodes", "seed", "json"];

/// How a trace becomes a world.
#[derive(ClapArgs)]
#[command(next_help_heading = "Of a trace, or an event log")]
pub(crate) struct Traced {
    /// Slots of a node, 4 if not said; an event log knows its own executors, unless --nodes is given
    #[arg(long, value_name = "N", conflicts_with = "preset", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) slots: Option<u32>,
    /// The priority of the foreground, 10 if not said
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "preset",
        requires = "foreground",
        allow_negative_numbers = true
    )]
    pub(crate) priority: Option<i32>,
    /// So many times as many tasks in each stage, with the durations of those that there are
    #[arg(long, value_name = "FACTOR", conflicts_with = "preset", value_parser = factor)]
    pub(crate) scale: Option<f64>,
    /// Spark configuration, beside an event log's own: spark.scheduler.mode, spark.scheduler.allocation.file,
    /// spark.locality.wait, spark.speculation, spark.holdfast.*
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "preset", value_parser = pair)]
    pub(crate) conf: Vec<(String, String)>,
    /// Only what arrives within so long: a number and ms or s
    #[arg(long, value_name = "TIME", conflicts_with = "preset", value_parser = linger)]
    pub(crate) until: Option<Duration>,
    /// Refuse traces of more tasks, 5000000 if not said; each takes about 150 bytes of memory
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    pub(crate) most_tasks: Option<u64>,
    /// Only set the simulated times of an event log's workflows beside the recorded ones
    #[arg(long, conflicts_with_all = COMPARED)]
    pub(crate) compare: bool,
    /// Only write it there as a trace of the common format (docs/reference/traces.md), as a stream: it may be larger than memory
    #[arg(long, value_name = "FILE", conflicts_with_all = WRITTEN, conflicts_with_all = COMPARED)]
    pub(crate) trace: Option<PathBuf>,
}

impl Traced {
    /// Returns what to type for the same, of what was not left as it is.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        let conf = self.conf.iter().map(|(key, value)| format!("--conf '{key}={value}'"));
        let until = self.until.map(|time| format!("--until {}ms", time.as_millis()));
        let scale = self.scale.map(|scale| format!("--scale {scale}"));
        let slots = self.slots.map(|slots| format!("--slots {slots}"));
        let priority = self.priority.map(|priority| format!("--priority {priority}"));
        slots.into_iter().chain(priority).chain(scale).chain(until).chain(conf)
    }

    /// Returns what is asked for, without what is only written.
    pub(super) fn request(&self) -> request::Traced {
        request::Traced {
            slots: self.slots,
            priority: self.priority,
            scale: self.scale,
            conf: self.conf.clone(),
            until: self.until,
            most_tasks: self.most_tasks,
            compare: self.compare,
        }
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|f: &f64| *f > 0.0 && *f <= MOST_SCALE);
    factor.ok_or_else(|| format!("write a number above 0, at most {MOST_SCALE}"))
}
