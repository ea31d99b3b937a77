//! What of Spark's configuration matters here.

use std::collections::{BTreeMap, BTreeSet};

/// Read from `SparkListenerEnvironmentUpdate`, and from what the user adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Pools with a priority: `spark.holdfast.pool.<pool>.priority`.
    pub pools: BTreeSet<String>,
    /// CPUs of a task, `spark.task.cpus`.
    pub task_cpus: f64,
    /// Whether tasks wait for slots near their input at all: one of the `spark.locality.wait` keys is above 0.
    pub waits_for_locality: bool,
    /// `spark.scheduler.mode` is FAIR.
    pub fair: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pools: BTreeSet::new(), task_cpus: 1.0, waits_for_locality: true, fair: false }
    }
}

const WAITS: [&str; 3] =
    ["spark.locality.wait.process", "spark.locality.wait.node", "spark.locality.wait.rack"];

impl Settings {
    /// Out of Spark's configuration.
    pub fn of(spark: &BTreeMap<String, String>) -> Self {
        let get = |key: &str| spark.get(key).map(|value| value.trim());
        let wait = get("spark.locality.wait").unwrap_or("3s");
        let pool = |key: &str| {
            let pool = key.strip_prefix("spark.holdfast.pool.")?.strip_suffix(".priority")?;
            Some(pool.to_owned())
        };
        Self {
            pools: spark.keys().filter_map(|key| pool(key)).collect(),
            task_cpus: get("spark.task.cpus")
                .and_then(|cpus| cpus.parse().ok())
                .filter(|cpus: &f64| cpus.is_finite() && *cpus > 0.0)
                .unwrap_or(1.0),
            waits_for_locality: WAITS.iter().any(|key| !is_zero(get(key).unwrap_or(wait))),
            fair: get("spark.scheduler.mode").is_some_and(|m| m.eq_ignore_ascii_case("fair")),
        }
    }
}

/// Whether a duration as Spark writes it (`3s`, `3000`, `0ms`) is none.
fn is_zero(duration: &str) -> bool {
    let digits = duration.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.trim().parse::<f64>().is_ok_and(|n| n == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Settings {
        Settings::of(&pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect())
    }

    #[test]
    fn defaults_are_those_of_spark() {
        assert_eq!(of(&[]), Settings::default());
    }

    #[test]
    fn locality_is_waited_for_unless_every_wait_is_zero() {
        assert!(!of(&[("spark.locality.wait", "0s")]).waits_for_locality);
        assert!(!of(&[("spark.locality.wait", "0")]).waits_for_locality);
        assert!(of(&[("spark.locality.wait", "0"), (WAITS[1], "1s")]).waits_for_locality);
        assert!(of(&[("spark.locality.wait", "500ms")]).waits_for_locality);
    }

    #[test]
    fn pools_with_a_priority_and_the_size_of_tasks_are_read() {
        let settings = of(&[
            ("spark.holdfast.pool.important.priority", "10"),
            ("spark.holdfast.pool.other.isolation", "0.4"),
            ("spark.task.cpus", "2"),
            ("spark.scheduler.mode", "fair"),
        ]);
        assert_eq!(settings.pools, BTreeSet::from(["important".to_owned()]));
        assert_eq!((settings.task_cpus, settings.fair), (2.0, true));
        assert_eq!(of(&[("spark.task.cpus", "none")]).task_cpus, 1.0);
    }
}
