//! Whether what a user says with `--conf` can be understood. A log's own configuration is taken as Spark took it.

use holdfast_trace::millis;

use super::conf::{OURS, millionths};
use crate::Failure;

/// What a key's value has to be: how to say it, and whether a value is that.
type Wanted = (&'static str, fn(&str) -> bool);

const TIME: Wanted = ("a time such as 500ms, 3s or 2min", |text| millis(text, 1).is_some());
const SWITCH: Wanted = ("true or false", |text| text.to_ascii_lowercase().parse::<bool>().is_ok());
const SHARE: Wanted = ("a share from 0 to 1", |text| millionths(text).is_some());
const WHOLE: Wanted = ("a whole number, at least 0", |text| text.parse::<u32>().is_ok());
const PRIORITY: Wanted = ("a whole number", |text| text.parse::<i32>().is_ok());
const NUMBER: Wanted =
    ("a number above 0", |text| text.parse::<f64>().is_ok_and(|n| n.is_finite() && n > 0.0));
const PART: Wanted = ("a number from 0 to 1", SHARE.1);

/// Of Spark's keys, and of Holdfast's, those that the simulator reads.
const KEYS: [(&str, Wanted); 26] = [
    ("spark.scheduler.mode", ("FIFO or FAIR", |text| is_one(text, &["fifo", "fair"]))),
    ("spark.locality.wait", TIME),
    ("spark.locality.wait.process", TIME),
    ("spark.locality.wait.node", TIME),
    ("spark.speculation", SWITCH),
    ("spark.speculation.interval", TIME),
    ("spark.speculation.quantile", PART),
    ("spark.speculation.multiplier", NUMBER),
    ("spark.speculation.minTaskRuntime", TIME),
    (
        "spark.holdfast.mode",
        ("enforce, observe or off", |t| is_one(t, &["enforce", "observe", "off"])),
    ),
    (
        "spark.holdfast.policy",
        ("ssr, timeout, static or stock", |text| {
            is_one(text, &["ssr", "timeout", "static", "stock"])
        }),
    ),
    (
        "spark.holdfast.hold.for",
        ("prioritised or all", |text| is_one(text, &["prioritised", "all"])),
    ),
    ("spark.holdfast.need", ("lookahead or literal", |t| is_one(t, &["lookahead", "literal"]))),
    ("spark.holdfast.copies", ("shuffle, all or off", |t| is_one(t, &["shuffle", "all", "off"]))),
    ("spark.holdfast.static.slots", WHOLE),
    ("spark.holdfast.isolation", SHARE),
    ("spark.holdfast.idle.budget", SHARE),
    ("spark.holdfast.hold.floor", TIME),
    ("spark.holdfast.hold.max", TIME),
    ("spark.holdfast.linger.first", TIME),
    ("spark.holdfast.linger.factor", WHOLE),
    ("spark.holdfast.linger.max", TIME),
    ("spark.holdfast.grow", SWITCH),
    ("spark.holdfast.prereserve.fraction", SHARE),
    ("spark.holdfast.spread", SWITCH),
    ("spark.holdfast.spread.max", TIME),
];

fn is_one(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Checks whether each value is what its key asks for.
///
/// # Errors
/// The first that is not: key, value, and what to write.
pub fn check(conf: &[(String, String)]) -> Result<(), Failure> {
    for (key, value) in conf {
        let Some((what, fits)) = wanted(key) else { continue };
        // Without a value it is as if a log had not said it.
        if !value.is_empty() && !fits(value) {
            return Err(Failure::Usage(format!("--conf {key}: {value}; write {what}")));
        }
    }
    Ok(())
}

fn wanted(key: &str) -> Option<Wanted> {
    let known = KEYS.iter().find(|(known, _)| *known == key).map(|&(_, wanted)| wanted);
    // Of a pool, a job group and so on.
    let of_names = || match key.strip_prefix(OURS)?.rsplit_once('.')?.1 {
        "priority" => Some(PRIORITY),
        "isolation" => Some(SHARE),
        _ => None,
    };
    known.or_else(of_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(key: &str, value: &str) -> Option<String> {
        match check(&[(key.to_owned(), value.to_owned())]) {
            Err(Failure::Usage(why)) => Some(why),
            _ => None,
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (key, bad, good) in [
            ("spark.locality.wait", "3 seconds", "3s"),
            ("spark.scheduler.mode", "fare", "FAIR"),
            ("spark.speculation", "yes", "true"),
            ("spark.speculation.quantile", "90", "0.9"),
            ("spark.holdfast.policy", "srr", "ssr"),
            ("spark.holdfast.isolation", "1.5", "0.5"),
            ("spark.holdfast.hold.max", "a minute", "1min"),
            ("spark.holdfast.linger.factor", "-1", "4"),
            ("spark.holdfast.pool.a.b.priority", "high", "-3"),
            ("spark.holdfast.group.etl-*.isolation", "all", ""),
        ] {
            let why = said(key, bad).unwrap_or_else(|| panic!("{key}={bad}"));
            assert!(why.starts_with(&format!("--conf {key}: {bad}; write ")), "{why}");
            assert_eq!(said(key, good), None);
        }
    }

    #[test]
    fn other_keys_are_not_looked_at() {
        assert_eq!(said("spark.app.name", "x"), None);
        assert_eq!(said("spark.holdfast.log.dir", "/tmp"), None);
    }
}
