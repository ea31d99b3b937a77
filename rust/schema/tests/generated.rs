//! The generated files are what the tables say, and the tables make sense.

use std::collections::HashSet;
use std::process::Command;

use holdfast_schema::{COUNTERS, ERRORS, EVENTS, Event, FAULTS, KEY_ENUMS, Of, Scope, Type, keys};

#[test]
fn every_generated_file_is_what_the_tables_say() {
    let out = Command::new(env!("CARGO_BIN_EXE_holdfast-schema")).arg("check").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn numbers_are_used_once_and_without_gaps() {
    let dense = |mut numbers: Vec<usize>| {
        numbers.sort_unstable();
        numbers.iter().enumerate().all(|(i, &number)| i == number)
    };
    assert!(dense(EVENTS.iter().map(|event| event.kind.into()).collect()));
    assert!(dense(COUNTERS.iter().map(|counter| counter.place).collect()));
    let codes: HashSet<_> = ERRORS.iter().chain(FAULTS).map(|error| error.code).collect();
    assert_eq!(codes.len(), ERRORS.len() + FAULTS.len());
    assert!(ERRORS.iter().all(|error| (1..100).contains(&error.code)), "logs hold two digits");
}

#[test]
fn names_are_used_once_and_are_known() {
    let names: HashSet<_> = EVENTS.iter().map(|event| event.name).collect();
    assert_eq!(names.len(), EVENTS.len());
    for Event { name, fields, .. } in EVENTS {
        for (i, field) in fields.iter().enumerate() {
            assert!(
                field.after.is_empty() || names.contains(field.after),
                "{name}: {}",
                field.after
            );
            if matches!(field.of, Of::EnumAbove(_)) {
                assert!(i > 0 && fields[i - 1].of == Of::Flag, "{name}: no flag before it");
            }
        }
    }
    let keys = keys();
    let names: HashSet<_> = keys.iter().map(|key| key.full_name()).collect();
    assert_eq!(names.len(), keys.len());
}

#[test]
fn keys_say_what_the_engine_understands() {
    for key in keys() {
        assert!(key.engine.is_none() || key.scope == Scope::Application, "{}", key.name);
        let Type::Choice(words, of) = key.ty else { continue };
        assert!(key.default.is_empty() || words.contains(&key.default), "{}", key.name);
        assert_eq!(key.engine.is_some(), of.is_some(), "{}", key.name);
        let Some(of) = of else { continue };
        assert!(KEY_ENUMS.contains(&of));
        let known: HashSet<_> = of.variants.iter().map(|v| v.name.to_lowercase()).collect();
        assert_eq!(known, words.iter().map(|word| (*word).to_owned()).collect(), "{}", key.name);
    }
}
