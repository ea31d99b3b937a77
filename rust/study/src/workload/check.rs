//! Whether what a user says with `--conf`, or a log's own configuration, can be understood. Values of a log's own are
//! taken as Spark took them, but no key and no word is taken for another one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use holdfast_log::VERSION;
use holdfast_schema::{Key, LOCAL_PREFIX, PREFIX, Scope, Type, keys};
use holdfast_trace::millis;
use holdfast_words::shown;

use super::conf::millionths;
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

/// Of Spark's keys those that the simulator reads; Holdfast's are in the schema.
const SPARK: [(&str, Wanted); 9] = [
    ("spark.scheduler.mode", ("FIFO or FAIR", |text| is_one(text, &["fifo", "fair"]))),
    ("spark.locality.wait", TIME),
    ("spark.locality.wait.process", TIME),
    ("spark.locality.wait.node", TIME),
    ("spark.speculation", SWITCH),
    ("spark.speculation.interval", TIME),
    ("spark.speculation.quantile", PART),
    ("spark.speculation.multiplier", NUMBER),
    ("spark.speculation.minTaskRuntime", TIME),
];

fn is_one(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Checks that each key of Holdfast's is one, and that each value is what its key asks for.
///
/// # Errors
/// The first that is not: key, value, and what to write.
pub fn check(conf: &[(String, String)]) -> Result<(), Failure> {
    let keys = keys();
    for (name, value) in conf {
        // Without a value it is as if a log had not said it.
        if value.is_empty() {
            continue;
        }
        if let Some(what) = asked_for(&keys, name, value)? {
            return Err(Failure::Usage(format!("--conf {name}: {value}; write {what}")));
        }
    }
    Ok(())
}

/// Checks that an application's own configuration names no key and no word that this program lacks.
///
/// # Errors
/// The first that is unknown: key, word, and what this program knows.
pub(super) fn check_own(conf: &BTreeMap<String, String>) -> Result<(), Failure> {
    let keys = keys();
    for (name, value) in conf.iter().filter(|(name, _)| name.starts_with(PREFIX)) {
        let (value, shown_name) = (value.trim(), shown(name));
        let anew = format!("--conf {shown_name}= leaves it out");
        let Some(key) = find(&keys, name) else {
            if value.is_empty() || is_property(&keys, name) {
                continue;
            }
            return Err(Failure::Input(format!(
                "the application was configured with {shown_name}, which is not a key of Holdfast {VERSION}{}; {anew}",
                nearest(&keys, name)
            )));
        };
        let Type::Choice(words, _) = key.ty else { continue };
        if key.simulated && !value.is_empty() && !is_one(value, words) {
            return Err(Failure::Input(format!(
                "the application was configured with {shown_name}={}, and Holdfast {VERSION} knows {}; {anew}",
                shown(value),
                listed(words, "and")
            )));
        }
    }
    Ok(())
}

/// What `value` should be, if it is not that.
fn asked_for<'k>(
    keys: &'k [Key],
    name: &str,
    value: &str,
) -> Result<Option<Cow<'k, str>>, Failure> {
    let wanted = |(what, fits): Wanted| (!fits(value)).then_some(Cow::Borrowed(what));
    if let Some((_, spark)) = SPARK.iter().find(|(known, _)| *known == name) {
        return Ok(wanted(*spark));
    }
    if !name.starts_with(PREFIX) {
        return Ok(None);
    }
    let Some(key) = find(keys, name) else {
        let why = if is_property(keys, name) {
            " is a local property of the thread that submits jobs, and none of the application"
                .to_owned()
        } else {
            format!(" is not a key of Holdfast{}", nearest(keys, name))
        };
        return Err(Failure::Usage(format!("--conf {}:{why}", shown(name))));
    };
    if !key.simulated {
        return Ok(None);
    }
    Ok(match key.ty {
        Type::Choice(words, _) => (!is_one(value, words)).then(|| listed(words, "or").into()),
        Type::Boolean => wanted(SWITCH),
        Type::Integer => wanted(WHOLE),
        Type::Priority => wanted(PRIORITY),
        Type::Fraction => wanted(SHARE),
        Type::Duration => wanted(TIME),
        Type::Size | Type::Path | Type::Uri | Type::Text => None,
    })
}

fn find<'k>(keys: &'k [Key], name: &str) -> Option<&'k Key> {
    keys.iter().find(|key| key.scope == Scope::Application && key.is(name))
}

/// Whether it is the alias of a local property, which SQL sessions set.
fn is_property(keys: &[Key], name: &str) -> bool {
    let property = name.strip_prefix("spark.").filter(|name| name.starts_with(LOCAL_PREFIX));
    property.is_some_and(|name| keys.iter().any(|key| key.scope == Scope::Workflow && key.is(name)))
}

fn nearest(keys: &[Key], name: &str) -> String {
    let known = keys.iter().filter(|key| key.scope == Scope::Application && !key.internal);
    let like = |key: &String| strsim::jaro_winkler(name, key);
    let best = known.map(Key::full_name).max_by(|a, b| like(a).total_cmp(&like(b)));
    best.map_or_else(String::new, |best| format!("; did you mean {best}?"))
}

/// Words as `ssr, timeout or stock`.
fn listed(words: &[&str], last_with: &str) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => {
            format!("{} {last_with} {last}", first.join(", "))
        }
        _ => words.join(""),
    }
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
    fn what_is_no_key_is_named_with_the_nearest_one() {
        let why = said("spark.holdfast.isolatoin", "3").unwrap();
        let expected = "--conf spark.holdfast.isolatoin: is not a key of Holdfast; did you mean spark.holdfast.isolation?";
        assert_eq!(why, expected);
        assert!(
            said("spark.holdfast.pool.a.priorty", "1").unwrap().contains("pool.<pool>.priority")
        );
        assert!(said("spark.holdfast.priority", "1").unwrap().contains("local property"));
        assert_eq!(said("spark.holdfast.isolatoin", ""), None, "that takes it out of a log's own");
    }

    #[test]
    fn a_logs_own_policy_is_never_taken_for_another_one() {
        let own = |key: &str, value: &str| match check_own(&BTreeMap::from([(
            key.to_owned(),
            value.to_owned(),
        )])) {
            Err(Failure::Input(why)) => Some(why),
            _ => None,
        };
        let why = own("spark.holdfast.policy", "grass").unwrap();
        let known =
            format!("policy=grass, and Holdfast {VERSION} knows ssr, timeout, static and stock; ");
        assert!(why.contains(&known), "{why}");
        let why = own("spark.holdfast.isolatoin", "1").unwrap();
        assert!(why.contains("did you mean spark.holdfast.isolation?; --conf"), "{why}");
        for (key, value) in [
            ("spark.holdfast.policy", "SSR"),
            ("spark.holdfast.policy", ""),
            ("spark.holdfast.hold.max", "a minute"),
            ("spark.holdfast.priority", "3"),
            ("spark.holdfast.test.panic.after", "3"),
            ("spark.holdfast.user.a*.holds.max", "3"),
        ] {
            assert_eq!(own(key, value), None, "{key}={value}");
        }
    }

    #[test]
    fn other_keys_are_not_looked_at() {
        assert_eq!(said("spark.app.name", "x"), None);
        assert_eq!(said("spark.holdfast.log.dir", "/tmp"), None);
    }
}
