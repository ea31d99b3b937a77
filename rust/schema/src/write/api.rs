//! What the engine's hosts see: events, decisions, answers.

use std::collections::BTreeSet;
use std::fmt::Write;

use holdfast_schema::{
    COUNTERS, DECISIONS, END_CAUSES, EVENTS, Enum, Field, Of, REASONS, Source, VERDICTS, VETOES,
};

use super::text::doc;

const USUAL: &str = "Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize";

/// The declaration of an enum without fields.
pub(super) fn declared(of: &Enum) -> String {
    let derives = match of.derives {
        "" => USUAL.to_owned(),
        "Default" => USUAL.replace("Debug", "Debug, Default"),
        more => USUAL.replace("Hash", &format!("{more}, Hash")),
    };
    let mut out = doc(0, of.doc);
    _ = writeln!(out, "#[derive({derives})]\n#[serde(rename_all = \"snake_case\")]");
    _ = writeln!(out, "pub enum {} {{", of.name);
    for (i, variant) in of.variants.iter().enumerate() {
        out += &doc(4, variant.doc);
        if i == 0 && of.derives.contains("Default") {
            out += "#[default]\n";
        }
        _ = writeln!(out, "{},", variant.name);
    }
    out + "}\n\n"
}

fn rust_type(of: Of) -> &'static str {
    match of {
        Of::Id(id) => id,
        Of::Bits | Of::Amount => "u32",
        Of::Signed => "i32",
        Of::Flag => "bool",
        Of::Enum(of) | Of::EnumAbove(of) => of.name,
        Of::Resources => "Resources",
        Of::Time => "Time",
    }
}

fn variant(name: &str, says: &str, fields: &[Field]) -> String {
    let mut out = doc(4, says);
    if fields.is_empty() {
        return out + name + ",\n";
    }
    _ = writeln!(out, "{name} {{");
    for field in fields {
        out += &doc(8, field.doc);
        _ = writeln!(out, "{}: {},", field.name, rust_type(field.of));
    }
    out + "},\n"
}

/// The import of what fields are made of, and of `more`.
pub(super) fn imports(fields: &[&Field], from: &str, more: &[&'static str]) -> String {
    let types = fields.iter().filter_map(|field| match field.of {
        Of::Id(_) | Of::Resources | Of::Time => Some(rust_type(field.of)),
        _ => None,
    });
    let types: BTreeSet<_> = types.chain(more.iter().copied()).collect();
    let types: Vec<_> = types.into_iter().collect();
    format!("use {from}::{{{}}};\n\n", types.join(", "))
}

/// The enums among what fields are made of.
pub(super) fn enums(fields: &[&Field]) -> Vec<&'static Enum> {
    let mut enums = Vec::new();
    for field in fields {
        if let Of::Enum(of) | Of::EnumAbove(of) = field.of
            && !enums.contains(&of)
        {
            enums.push(of);
        }
    }
    enums.sort_by_key(|of: &&Enum| of.name);
    enums
}

/// The engine's `event.rs`.
pub(super) fn events() -> String {
    let fields: Vec<_> = EVENTS.iter().flat_map(|event| event.fields).collect();
    let mut out = "//! What the host tells the engine. Each event exists because a decision depends on it.\n\n\
                   use serde::{Deserialize, Serialize};\n\n"
        .to_owned();
    out += &imports(&fields, "crate::api::ids", &[]);
    for of in enums(&fields) {
        out += &declared(of);
    }
    out +=
        &doc(0, "A fact about the cluster or the workload, in the order in which it became true.");
    _ = writeln!(out, "#[derive({USUAL})]");
    out += "#[serde(tag = \"event\", rename_all = \"snake_case\")]\npub enum Event {\n";
    for event in EVENTS {
        out += &variant(event.name, event.doc, event.fields);
    }
    out + "}\n"
}

/// The engine's `decision.rs`.
pub(super) fn decisions() -> String {
    let fields: Vec<_> = DECISIONS.iter().flat_map(|decision| decision.fields).collect();
    let mut out =
        "//! What the engine answers.\n\nuse serde::{Deserialize, Serialize};\n\n".to_owned();
    out += &imports(&fields, "crate::api::ids", &[]);
    out += &declared(&REASONS);
    out += &declared(&END_CAUSES);
    out += &doc(0, "An effect the host has to know about.");
    _ = writeln!(out, "#[derive({USUAL})]");
    out += "#[serde(tag = \"decision\", rename_all = \"snake_case\")]\npub enum Decision {\n";
    for decision in DECISIONS {
        out += &variant(decision.name, decision.doc, decision.fields);
    }
    out += "}\n\n";
    out += &declared(&VETOES);
    out += &doc(0, "The answer to \"may this set use a slot of this executor now?\".");
    _ = writeln!(out, "#[derive({USUAL})]\npub enum Verdict {{");
    for verdict in VERDICTS {
        out += &variant(verdict.name, verdict.doc, &[]);
    }
    out += &doc(4, "No; a [`Decision::Reoffer`] follows what turns this into a yes.");
    out + "Veto(VetoReason),\n}\n"
}

/// The engine's `totals.rs`.
pub(super) fn totals() -> String {
    let mut out = "//! Counters.\n\nuse serde::Serialize;\n\n".to_owned();
    out += &doc(0, "Counters since the start.");
    out +=
        "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]\npub struct Totals {\n";
    for counter in COUNTERS {
        let (end, ty) = match counter.source {
            Source::Totals => ("", "u64"),
            Source::Nanos => ("_ns", "u128"),
            Source::Session => continue,
        };
        out += &doc(4, counter.doc);
        _ = writeln!(out, "pub {}{end}: {ty},", counter.name);
    }
    out + "}\n"
}
