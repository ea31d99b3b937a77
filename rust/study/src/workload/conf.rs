//! Spark's configuration, as the simulator has it.

use std::collections::BTreeMap;

use holdfast_engine::Config;
use holdfast_schema::{Key, PREFIX, Type, keys};
use holdfast_sim::world::{LONGEST_MS, SparkSpec, Speculation};
use holdfast_trace::format::Workflow;
use holdfast_trace::millis;
use serde_json::{Map, Value};

use holdfast_words::fits;

type Conf = BTreeMap<String, String>;

const MILLI: u64 = 1_000_000;
const MILLION: f64 = 1e6;

fn get<'a>(conf: &'a Conf, key: &str) -> Option<&'a str> {
    conf.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())
}

fn ours<'a>(conf: &'a Conf, key: &str) -> Option<&'a str> {
    get(conf, &format!("{PREFIX}{key}"))
}

fn yes(conf: &Conf, key: &str) -> Option<bool> {
    get(conf, key)?.to_ascii_lowercase().parse().ok()
}

/// A number from 0 to 1 in millionths.
pub(super) fn millionths(text: &str) -> Option<u32> {
    let share = text.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 10^6")]
    let parts = (share * MILLION).round() as u32;
    Some(parts)
}

/// Spark itself; `lag_ms` is what its driver's threads take.
pub(super) fn spark(conf: &Conf, lag_ms: u64) -> SparkSpec {
    let default = SparkSpec::default();
    // Who writes a wait without end means that.
    let whole = |text: &str| Some(millis(text, 1)?.min(LONGEST_MS));
    let wait = |key: &str| get(conf, key).and_then(whole);
    let level = |key: &str| wait(&format!("spark.locality.wait.{key}"));
    let locality_wait_ms = level("process")
        .or_else(|| level("node"))
        .or_else(|| wait("spark.locality.wait"))
        .unwrap_or(default.locality_wait_ms);
    let number = |key: &str| get(conf, key).and_then(|text| text.parse::<f64>().ok());
    let speculation = Speculation::default();
    SparkSpec {
        fair: get(conf, "spark.scheduler.mode").is_some_and(|m| m.eq_ignore_ascii_case("fair")),
        locality_wait_ms,
        speculation: yes(conf, "spark.speculation").unwrap_or(false).then(|| Speculation {
            interval_ms: wait("spark.speculation.interval").unwrap_or(speculation.interval_ms),
            quantile: number("spark.speculation.quantile").unwrap_or(speculation.quantile),
            multiplier: number("spark.speculation.multiplier").unwrap_or(speculation.multiplier),
            least_ms: wait("spark.speculation.minTaskRuntime").unwrap_or(speculation.least_ms),
        }),
        lag_ms,
        revive_ms: if is_local(conf) { 0 } else { default.revive_ms },
        ..default
    }
}

/// Whether the driver's own process runs the tasks: that backend has no timer.
fn is_local(conf: &Conf) -> bool {
    get(conf, "spark.master")
        .is_some_and(|master| master == "local" || master.starts_with("local["))
}

/// The engine, if the application had it: `has_keys` if it was told something of it. The plugin takes itself out of
/// `spark.plugins`.
pub(super) fn engine(conf: &Conf, has_keys: bool) -> Option<Config> {
    let plugins = get(conf, "spark.plugins").unwrap_or_default();
    let plugged = has_keys || plugins.split(',').any(|p| p.ends_with("HoldfastPlugin"));
    let enforces = ours(conf, "mode").is_none_or(|mode| mode.eq_ignore_ascii_case("enforce"));
    (plugged && enforces).then(|| config(conf))
}

/// The engine as these keys configure it, whether the application had it or not. What is no value of its key is as if it
/// had not been said.
pub(crate) fn config(conf: &Conf) -> Config {
    let mut fields = Map::new();
    for key in keys() {
        let said = key.engine.zip(get(conf, &key.full_name()));
        let value = said.and_then(|(field, text)| Some((field.field, value(&key, text)?)));
        fields.extend(value.map(|(field, value)| (field.to_owned(), value)));
    }
    serde_json::from_value(fields.into()).expect("the schema's keys are the engine's fields")
}

/// A key's value as the engine takes it.
fn value(key: &Key, text: &str) -> Option<Value> {
    Some(match key.ty {
        Type::Choice(words, _) => {
            let known = |word: &&&str| text.eq_ignore_ascii_case(word);
            (*words.iter().find(known)?).into()
        }
        Type::Boolean => text.to_ascii_lowercase().parse::<bool>().ok()?.into(),
        Type::Integer => text.parse::<u32>().ok()?.into(),
        Type::Fraction => millionths(text)?.into(),
        Type::Duration => (millis(text, 1)?.min(LONGEST_MS) * MILLI).into(),
        _ => return None,
    })
}

/// What configuration says of a workflow by its job group or pool: `spark.holdfast.group.<glob>.<what>` with the most
/// literal characters, else `spark.holdfast.pool.<pool>.<what>`.
fn of_names<'a>(conf: &'a Conf, workflow: &Workflow, what: &str) -> Option<&'a str> {
    let suffix = format!(".{what}");
    let glob = |key: &'a str| key.strip_prefix("spark.holdfast.group.")?.strip_suffix(&suffix);
    let group = workflow.name.strip_prefix("group:").and_then(|group| {
        let patterns = conf.iter().filter_map(|(key, value)| Some((glob(key)?, value)));
        let fitting = patterns.filter(|(pattern, _)| fits(pattern, group));
        let literal = |pattern: &str| pattern.chars().filter(|c| !"*?".contains(*c)).count();
        fitting.max_by_key(|(pattern, _)| literal(pattern)).map(|(_, value)| value.as_str())
    });
    let pool = || ours(conf, &format!("pool.{}{suffix}", workflow.pool.as_ref()?));
    group.or_else(pool)
}

/// Whether a key gives workflows a priority or an isolation.
pub(super) fn prioritises(key: &str) -> bool {
    let what = key.strip_prefix(PREFIX).and_then(|key| key.rsplit('.').next());
    what.is_some_and(|what| ["priority", "isolation"].contains(&what))
}

/// The priority of a workflow: its own, or that of its names.
pub(super) fn priority(conf: &Conf, workflow: &Workflow) -> i32 {
    if workflow.priority != 0 {
        return workflow.priority;
    }
    of_names(conf, workflow, "priority").and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The isolation of a workflow, in millionths, if something says it.
pub(super) fn isolation(conf: &Conf, workflow: &Workflow) -> Option<u32> {
    let own = of_names(conf, workflow, "isolation").and_then(millionths);
    own.or_else(|| millionths(ours(conf, "isolation")?))
}

#[cfg(test)]
mod tests {
    use holdfast_engine::NeedRule;

    use super::*;

    fn conf(pairs: &[(&str, &str)]) -> Conf {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn the_engine_is_there_only_where_the_plugin_is() {
        assert_eq!(engine(&conf(&[("spark.holdfast.policy", "ssr")]), false), None);
        assert_eq!(engine(&conf(&[]), true), Some(Config::default()));
        let plugin = ("spark.plugins", "a.B,io.holdfast.HoldfastPlugin");
        assert_eq!(engine(&conf(&[plugin]), false), Some(Config::default()));
        assert_eq!(engine(&conf(&[plugin, ("spark.holdfast.mode", "observe")]), true), None);
        let told = conf(&[
            plugin,
            ("spark.holdfast.hold.max", "2s"),
            ("spark.holdfast.need", "literal"),
            ("spark.holdfast.grow", "false"),
            ("spark.holdfast.prereserve.fraction", "0.25"),
            ("spark.holdfast.linger.factor", "7"),
        ]);
        let expected = Config {
            hold_max_ns: 2_000_000_000,
            need: NeedRule::Literal,
            grow: false,
            prereserve_ppm: 250_000,
            linger_factor: 7,
            ..Config::default()
        };
        assert_eq!(engine(&told, false), Some(expected));
    }

    #[test]
    fn names_give_priorities_the_most_literal_group_first() {
        let conf = conf(&[
            ("spark.holdfast.group.etl-*.priority", "3"),
            ("spark.holdfast.group.*.priority", "1"),
            ("spark.holdfast.pool.fast.priority", "8"),
            ("spark.holdfast.isolation", "0.9"),
            ("spark.holdfast.pool.fast.isolation", "0.4"),
        ]);
        let of = |name: &str, pool: Option<&str>, own: i32| {
            let pool = pool.map(str::to_owned);
            let (name, priority) = (name.to_owned(), own);
            let workflow = Workflow { name, priority, pool, ..Workflow::default() };
            (super::priority(&conf, &workflow), isolation(&conf, &workflow))
        };
        assert_eq!(of("group:etl-1", Some("fast"), 0), (3, Some(400_000)));
        assert_eq!(of("group:x", None, 0), (1, Some(900_000)));
        assert_eq!(of("sql:3", Some("fast"), 0), (8, Some(400_000)));
        assert_eq!(of("sql:3", None, 5), (5, Some(900_000)));
    }

    #[test]
    fn spark_waits_and_speculates_as_it_is_told() {
        let told = spark(&conf(&[("spark.locality.wait", "500ms")]), 7);
        assert_eq!((told.locality_wait_ms, told.lag_ms, told.fair), (500, 7, false));
        assert_eq!(
            (told.revive_ms, spark(&conf(&[("spark.master", "local[4]")]), 0).revive_ms),
            (1_000, 0)
        );
        let told = spark(
            &conf(&[("spark.speculation", "true"), ("spark.speculation.multiplier", "1.5")]),
            0,
        );
        let expected = Speculation { multiplier: 1.5, ..Speculation::default() };
        assert_eq!((told.speculation, told.locality_wait_ms), (Some(expected), 3_000));
    }
}
