//! What of Spark's configuration matters here.

use std::collections::{BTreeMap, BTreeSet};

/// Read from `SparkListenerEnvironmentUpdate`, and from what the user adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Pools with a priority: `spark.holdfast.pool.<pool>.priority`.
    pub pools: BTreeSet<String>,
    /// CPUs of a task, `spark.task.cpus`.
    pub task_cpus: f64,
    /// Other resources of a task: `spark.task.resource.<name>.amount`.
    pub task_resources: BTreeMap<String, f64>,
    /// Cores of an executor: `spark.executor.cores`, that of `local[n]`, Spark's default on YARN and Kubernetes.
    pub executor_cores: Option<u32>,
    /// Whether tasks wait for slots near their input at all: one of the `spark.locality.wait` keys is above 0.
    pub waits_for_locality: bool,
    /// `spark.scheduler.mode` is FAIR.
    pub fair: bool,
    /// With dynamic allocation, how long an executor may be idle before it is given back, in milliseconds:
    /// `spark.dynamicAllocation.executorIdleTimeout`.
    pub idle_timeout: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pools: BTreeSet::new(),
            task_cpus: 1.0,
            task_resources: BTreeMap::new(),
            executor_cores: None,
            waits_for_locality: true,
            fair: false,
            idle_timeout: None,
        }
    }
}

const WAITS: [&str; 3] =
    ["spark.locality.wait.process", "spark.locality.wait.node", "spark.locality.wait.rack"];

impl Settings {
    /// Out of Spark's configuration.
    pub fn of(spark: &BTreeMap<String, String>) -> Self {
        let get = |key: &str| spark.get(key).map(|value| value.trim());
        let wait = get("spark.locality.wait").unwrap_or("3s");
        // What is no number gives no priority, as the shim says in a warning.
        let pool = |(key, value): (&String, &String)| {
            let pool = key.strip_prefix("spark.holdfast.pool.")?.strip_suffix(".priority")?;
            value.trim().parse::<i32>().ok().map(|_| pool.to_owned())
        };
        Self {
            pools: spark.iter().filter_map(pool).collect(),
            task_cpus: get("spark.task.cpus")
                .and_then(|cpus| cpus.parse().ok())
                .filter(|cpus: &f64| cpus.is_finite() && *cpus > 0.0)
                .unwrap_or(1.0),
            task_resources: spark.iter().filter_map(task_resource).collect(),
            executor_cores: executor_cores(spark),
            waits_for_locality: WAITS
                .iter()
                .any(|key| millis(get(key).unwrap_or(wait), 1) != Some(0)),
            fair: get("spark.scheduler.mode").is_some_and(|m| m.eq_ignore_ascii_case("fair")),
            idle_timeout: get("spark.dynamicAllocation.enabled")
                .filter(|enabled| enabled.eq_ignore_ascii_case("true"))
                .and_then(|_| millis(get(IDLE_TIMEOUT).unwrap_or("60s"), 1_000)),
        }
    }
}

fn task_resource((key, amount): (&String, &String)) -> Option<(String, f64)> {
    let name = key.strip_prefix("spark.task.resource.")?.strip_suffix(".amount")?;
    Some((name.to_owned(), amount.trim().parse().ok()?))
}

fn executor_cores(spark: &BTreeMap<String, String>) -> Option<u32> {
    let get = |key: &str| spark.get(key).map(|value| value.trim());
    let said = get("spark.executor.cores").and_then(|cores| cores.parse().ok());
    let of_master = || match get("spark.master")? {
        "local" | "yarn" => Some(1),
        master if master.starts_with("k8s:") => Some(1),
        master => {
            let threads = master.strip_prefix("local[")?.strip_suffix(']')?;
            threads.split(',').next()?.trim().parse().ok()
        }
    };
    said.or_else(of_master).filter(|cores| *cores > 0)
}

const IDLE_TIMEOUT: &str = "spark.dynamicAllocation.executorIdleTimeout";

/// Returns a duration as Spark writes it (`3s`, `3000`, `2min`), in milliseconds; `bare` is the unit of a bare number,
/// in milliseconds.
pub fn millis(duration: &str, bare: u64) -> Option<u64> {
    let digits = duration.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &duration[digits.len()..] {
        "" => bare,
        "us" => return digits.trim().parse::<u64>().ok().map(|micros| micros / 1_000),
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(unit)
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
    fn executors_are_given_back_only_with_dynamic_allocation() {
        assert_eq!(of(&[(IDLE_TIMEOUT, "10s")]).idle_timeout, None);
        let on = ("spark.dynamicAllocation.enabled", "true");
        assert_eq!(of(&[on]).idle_timeout, Some(60_000));
        for (text, expected) in
            [("10s", 10_000), ("90", 90_000), ("2min", 120_000), ("1h", 3_600_000)]
        {
            assert_eq!(of(&[on, (IDLE_TIMEOUT, text)]).idle_timeout, Some(expected));
        }
    }

    #[test]
    fn pools_with_a_priority_and_the_size_of_tasks_are_read() {
        let settings = of(&[
            ("spark.holdfast.pool.important.priority", "10"),
            ("spark.holdfast.pool.other.isolation", "0.4"),
            ("spark.holdfast.pool.mistaken.priority", "high"),
            ("spark.task.cpus", "2"),
            ("spark.scheduler.mode", "fair"),
        ]);
        assert_eq!(settings.pools, BTreeSet::from(["important".to_owned()]));
        assert_eq!((settings.task_cpus, settings.fair), (2.0, true));
        assert_eq!(of(&[("spark.task.cpus", "none")]).task_cpus, 1.0);
    }
}
