//! The reference pages.

use std::fmt::Write;

use holdfast_schema::{
    COUNTERS, DECISIONS, END_CAUSES, ERRORS, EVENTS, Enum, FAULTS, Field, Key, OUTCOMES, Of,
    REASONS, STAGE_KINDS, Scope, Source, Type, VERDICTS, VETOES, keys,
};

use super::text::{plain, words};
use super::wire::by_kind;

const MARK: &str = "<!-- Generated from rust/schema: change the tables there, then run \
                    `cargo run -p holdfast-schema -- write`. -->\n\n";

/// `docs/reference/configuration.md`.
pub(super) fn configuration() -> String {
    let mut out = format!("# Configuration\n\n{MARK}");
    out += "An unknown key or a malformed value is named in one warning, with the nearest valid key, and\n\
            Spark's own scheduling goes on; with `spark.holdfast.required=true` the application fails instead.\n\n\
            ## Keys of the application\n\n\
            Set them with `--conf`, in `spark-defaults.conf` or in a session builder.\n\n";
    table_of_keys(&mut out, Scope::Application);
    out += "\n## Local properties\n\n\
            Set them with `sc.setLocalProperty(name, value)` in the thread that submits jobs, or use\n\
            `Holdfast.workflow(name, priority) { ... }`. Each has an alias that begins with `spark.`,\n\
            which SQL sessions set with `SET`; `spark.holdfast.client.properties` says whether it counts.\n\n";
    table_of_keys(&mut out, Scope::Workflow);
    out
}

fn table_of_keys(out: &mut String, scope: Scope) {
    *out += "| key | values | default | meaning | since |\n|---|---|---|---|---|\n";
    for key in keys().iter().filter(|key| key.scope == scope && !key.internal) {
        let default = match key.default {
            "" => "unset".to_owned(),
            text => format!("`{text}`"),
        };
        let (name, values) = (key.full_name(), values(key).replace('|', "\\|"));
        _ = writeln!(out, "| `{name}` | {values} | {default} | {} | {} |", key.doc, key.since);
    }
}

/// What may stand on the right side, in words.
fn values(key: &Key) -> String {
    match key.ty {
        Type::Choice(words, _) => words.join(" | "),
        Type::Boolean => "true | false".to_owned(),
        Type::Priority => "integer".to_owned(),
        other => format!("{other:?}").to_ascii_lowercase(),
    }
}

/// `docs/reference/events.md`.
pub(super) fn events() -> String {
    let mut out = format!("# Events, decisions and counters\n\n{MARK}");
    out += "This page lists what the host tells the engine, what the engine answers, and what both count. Decision logs\n\
            hold the same events under the same numbers: a number is never used twice.\n\n\
            An *id* is any 32-bit number that the host chooses. An *amount* is not negative. Ids that an event refers to\n\
            must have been introduced before, by the event in the last column.\n\n## Events\n";
    for event in by_kind() {
        _ = writeln!(out, "\n### {}: {}\n\n{}", event.kind, words(event.name), plain(event.doc));
        if !event.fields.is_empty() {
            out += "\n| field | type | meaning | introduced by |\n|---|---|---|---|\n";
        }
        for field in event.fields {
            let after = EVENTS.iter().find(|event| event.name == field.after);
            let after = after.map_or(String::new(), |event| words(event.name));
            let (name, of) = (field.name, type_of(field));
            _ = writeln!(out, "| `{name}` | {of} | {} | {after} |", plain(field.doc));
        }
    }
    out += "\n## Values of fields\n";
    for of in [&OUTCOMES, &STAGE_KINDS] {
        numbered(&mut out, of, 0);
    }
    out += "\n## Decisions\n";
    for decision in DECISIONS {
        _ = writeln!(out, "\n### {}\n\n{}", words(decision.name), plain(decision.doc));
        if !decision.fields.is_empty() {
            out += "\n| field | type | meaning |\n|---|---|---|\n";
        }
        for field in decision.fields {
            let (name, of) = (field.name, type_of(field));
            _ = writeln!(out, "| `{name}` | {of} | {} |", plain(field.doc));
        }
    }
    for of in [&REASONS, &END_CAUSES] {
        numbered(&mut out, of, 0);
    }
    answers(&mut out);
    counters(&mut out);
    out
}

fn answers(out: &mut String) {
    *out += "\n## Answers to an ask\n\n| number | answer | meaning |\n|---|---|---|\n";
    for (i, verdict) in VERDICTS.iter().enumerate() {
        _ = writeln!(out, "| {i} | {} | {} |", words(verdict.name), plain(verdict.doc));
    }
    for (i, veto) in VETOES.variants.iter().enumerate() {
        let number = VERDICTS.len() + i;
        _ = writeln!(out, "| {number} | veto: {} | {} |", words(veto.name), plain(veto.doc));
    }
    *out += "\n## Errors\n\nA refused event changes nothing but time.\n\n| number | meaning |\n|---|---|\n";
    for error in ERRORS.iter().chain(FAULTS) {
        _ = writeln!(out, "| -{} | {} |", error.code, error.doc);
    }
}

fn counters(out: &mut String) {
    *out += "\n## Counters\n\n| counter | owner | meaning |\n|---|---|---|\n";
    for counter in COUNTERS {
        let unit = if counter.source == Source::Nanos { "_ns" } else { "" };
        let (name, owner) = (counter.name, counter.owner);
        _ = writeln!(out, "| `{name}{unit}` | {owner} | {} |", counter.doc);
    }
}

fn numbered(out: &mut String, of: &Enum, from: usize) {
    let name = words(of.name);
    _ = writeln!(out, "\n### Values of {name}\n\n| number | value | meaning |\n|---|---|---|");
    for (i, variant) in of.variants.iter().enumerate() {
        let (number, value) = (from + i, words(variant.name));
        _ = writeln!(out, "| {number} | {value} | {} |", plain(variant.doc));
    }
}

fn type_of(field: &Field) -> String {
    match field.of {
        Of::Id(id) => format!("{} id", words(id.trim_end_matches("Id"))),
        Of::Bits => "number".to_owned(),
        Of::Amount => "amount".to_owned(),
        Of::Signed => "signed number".to_owned(),
        Of::Flag => "flag".to_owned(),
        Of::Enum(of) | Of::EnumAbove(of) => words(of.name),
        Of::Resources => "four amounts: CPU in 1/1000, MiB, custom 0, custom 1".to_owned(),
        Of::Time => "time".to_owned(),
    }
}
