//! The engine's configuration.

use std::fmt::Write;

use holdfast_schema::{CONFIG_ONLY, Enum, FIRST, KEY_ENUMS, Type, keys};

use super::api::declared;
use super::text::{doc, snake};

/// The engine's `config.rs`.
pub(super) fn engine() -> String {
    let mut out = "//! The effective configuration: part of every log, so that a log replays without its host.\n\n\
                   use serde::{Deserialize, Serialize};\n\nconst MILLIS: u64 = 1_000_000;\n\n"
        .to_owned();
    for of in KEY_ENUMS {
        out += &declared(of);
    }
    out += &doc(0, "The engine's configuration. Durations are nanoseconds.");
    out += "#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]\n\
            #[serde(deny_unknown_fields, default)]\npub struct Config {\n";
    let (mut defaults, mut asked) = (String::new(), String::new());
    for key in keys() {
        let Some(value) = key.engine else { continue };
        out += &doc(4, &format!("`{}`{}", key.full_name(), value.doc));
        let (ty, default) = field(key.ty, key.default);
        if key.since != FIRST {
            out += &left_out(value.field, &ty, &mut asked);
        }
        _ = writeln!(out, "pub {}: {ty},", value.field);
        _ = writeln!(defaults, "{}: {default},", value.field);
    }
    for (name, ty, default, says) in CONFIG_ONLY {
        let (ty, default) = field(ty, default);
        out += &doc(4, says);
        if name.starts_with("grass") {
            out += &left_out(name, &ty, &mut asked);
        }
        _ = writeln!(out, "pub {name}: {ty},");
        _ = writeln!(defaults, "{name}: {default},");
    }
    out += "}\n\nimpl Default for Config {\nfn default() -> Self {\nSelf {\n";
    out + &defaults + "}\n}\n}\n" + &asked
}

/// What leaves a later field out of a log where it has its default: earlier versions read that log.
fn left_out(field: &str, ty: &str, asked: &mut String) -> String {
    _ = write!(
        asked,
        "\n#[expect(clippy::trivially_copy_pass_by_ref, reason = \"serde's\")]\n\
         fn {field}_is_default(value: &{ty}) -> bool {{\n*value == Config::default().{field}\n}}\n"
    );
    format!("#[serde(skip_serializing_if = \"{field}_is_default\")]\n")
}

/// Rust type and default of a key's field.
fn field(ty: Type, default: &str) -> (String, String) {
    match ty {
        Type::Choice(_, Some(of)) => (of.name.to_owned(), chosen(of, default)),
        Type::Boolean => ("bool".to_owned(), default.to_owned()),
        Type::Fraction if default.is_empty() => ("Option<u32>".to_owned(), "None".to_owned()),
        Type::Fraction => ("u32".to_owned(), grouped(millionths(default))),
        Type::Duration => ("u64".to_owned(), format!("{} * MILLIS", grouped(millis(default)))),
        Type::Integer => ("u32".to_owned(), default.to_owned()),
        _ => unreachable!("the engine has no field of such a key"),
    }
}

fn chosen(of: &Enum, word: &str) -> String {
    let variant = of.variants.iter().find(|variant| snake(variant.name) == word);
    format!("{}::{}", of.name, variant.expect("the default is one of the enum's words").name)
}

/// A default like `0.5` in millionths.
fn millionths(text: &str) -> u64 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{part:0<6}").parse().expect("a number from 0 to 1")
}

/// A default like `250ms` or `60s` in milliseconds.
fn millis(text: &str) -> u64 {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().expect("a whole number");
    match &text[end..] {
        "" | "ms" => number,
        "s" => 1_000 * number,
        unit => unreachable!("no default is in {unit}"),
    }
}

/// 500000 as `500_000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}
