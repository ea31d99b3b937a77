//! How Spark is configured, and what it is like.

use serde::{Deserialize, Serialize};

use crate::world::bounds::ProgressSpec;

/// Speculation as stock Spark does it (`spark.speculation`), with its defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Speculation {
    /// `spark.speculation.interval`, in milliseconds.
    pub interval_ms: u64,
    /// `spark.speculation.quantile`.
    pub quantile: f64,
    /// `spark.speculation.multiplier`.
    pub multiplier: f64,
    /// `spark.speculation.minTaskRuntime`, in milliseconds.
    pub least_ms: u64,
}

impl Default for Speculation {
    fn default() -> Self {
        Self { interval_ms: 100, quantile: 0.9, multiplier: 3.0, least_ms: 100 }
    }
}

/// Executors are slow with what they have not run before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmUp {
    /// Attempts of a workflow on an executor that are slow, from the first one on.
    pub attempts: u32,
    /// How many times as long they take.
    pub factor: f64,
}

/// What Spark would be told, with its defaults, and what it is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SparkSpec {
    /// `spark.scheduler.mode=FAIR`.
    pub fair: bool,
    /// `spark.locality.wait`, for each level, in milliseconds.
    pub locality_wait_ms: u64,
    /// `spark.scheduler.revive.interval`, in milliseconds; 0: like the backend of `local[n]`, which offers everything
    /// whenever it offers, and never by itself.
    pub revive_ms: u64,
    /// `spark.speculation`.
    pub speculation: Option<Speculation>,
    /// What a launch takes before the task begins, in milliseconds.
    pub launch_ms: f64,
    /// How many times as long a task takes away from the host of its input.
    pub remote_penalty: f64,
    /// The same on the host, but not on the executor that it would like to run on.
    pub node_penalty: f64,
    /// JVM warm-up.
    pub warm_up: Option<WarmUp>,
    /// Whether executors are offered in a drawn order, as Spark does, or in that of their ids.
    pub shuffled: bool,
    /// What the driver's other threads take: the DAG scheduler and the listeners, in milliseconds.
    pub lag_ms: u64,
    /// The most milliseconds that the driver takes to look at a result, drawn for each from 0 on.
    pub result_ms: u32,
    /// The most milliseconds that a kill takes, drawn for each from 0 on.
    pub kill_ms: u32,
    /// How late the timer of the engine's deadlines is, in milliseconds.
    pub tick_lag_ms: u64,
    /// What running tasks report; none: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressSpec>,
}

impl Default for SparkSpec {
    fn default() -> Self {
        Self {
            fair: false,
            locality_wait_ms: 3000,
            revive_ms: 1000,
            speculation: None,
            launch_ms: 0.0,
            remote_penalty: 1.0,
            node_penalty: 1.0,
            warm_up: None,
            shuffled: true,
            lag_ms: 0,
            result_ms: 0,
            kill_ms: 0,
            tick_lag_ms: 0,
            progress: None,
        }
    }
}
