//! What is asked of a trace.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use crate::args::{linger, pair};

/// Slots of a node, if nothing is said.
const SLOTS: u32 = 4;
/// Of the foreground, if nothing is said.
const PRIORITY: i32 = 10;

/// How a trace becomes a world.
#[derive(ClapArgs)]
#[command(next_help_heading = "Of a trace, or an event log")]
pub(crate) struct Traced {
    /// Slots of a node; an event log knows its own executors, unless --nodes is given
    #[arg(long, value_name = "N", default_value_t = SLOTS, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) slots: u32,
    /// The priority of the foreground
    #[arg(long, value_name = "N", default_value_t = PRIORITY, allow_negative_numbers = true)]
    pub(crate) priority: i32,
    /// So many times as many tasks in each stage, with the durations of those that there are
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    pub(crate) scale: f64,
    /// Spark configuration, beside an event log's own: spark.scheduler.mode, spark.scheduler.allocation.file,
    /// spark.locality.wait, spark.speculation, spark.holdfast.*
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) conf: Vec<(String, String)>,
    /// Only what arrives within so long: a number and ms or s
    #[arg(long, value_name = "TIME", value_parser = linger)]
    pub(crate) until: Option<Duration>,
    /// Refuse traces of more tasks; each takes about 150 bytes of memory
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    pub(crate) most_tasks: u64,
    /// Only set the simulated times of an event log's workflows beside the recorded ones
    #[arg(long, conflicts_with_all = ["check", "log", "preset"])]
    pub(crate) compare: bool,
    /// Only write it there as a trace of the common format (docs/traces.md), as a stream: it may be larger than memory
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "log", "preset", "compare", "scale"])]
    pub(crate) trace: Option<PathBuf>,
}

impl Traced {
    /// What to type for the same, of what was not left as it is.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        let conf = self.conf.iter().map(|(key, value)| format!("--conf '{key}={value}'"));
        let until = self.until.map(|time| format!("--until {}ms", time.as_millis()));
        let scale = (self.scale != 1.0).then(|| format!("--scale {}", self.scale));
        let slots = (self.slots != SLOTS).then(|| format!("--slots {}", self.slots));
        let priority = (self.priority != PRIORITY).then(|| format!("--priority {}", self.priority));
        slots.into_iter().chain(priority).chain(scale).chain(until).chain(conf)
    }

    pub(crate) fn conf(&self) -> BTreeMap<String, String> {
        self.conf.iter().cloned().collect()
    }
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|f: &f64| f.is_finite() && *f > 0.0 && *f <= 1e4);
    factor.ok_or_else(|| "write a number above 0".to_owned())
}
