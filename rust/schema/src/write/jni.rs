//! What the native library and the shim agree on: the library's side.

use std::fmt::Write;

use holdfast_schema::{
    ABI, COUNTERS, Counter, EVENTS, Event, FAULTS, Of, Source, VERDICTS, VETOES,
};

use super::text::{doc, screaming};
use super::wire::by_kind;

/// Which numbers of an event are amounts: bit 0 is the first.
pub(super) fn amounts(event: &Event) -> u32 {
    let (mut mask, mut at) = (0, 0);
    for field in event.fields {
        let numbers = field.numbers();
        if matches!(field.of, Of::Amount | Of::Resources) {
            mask |= ((1 << numbers) - 1) << at;
        }
        at += numbers;
    }
    mask
}

/// All counters by their place.
pub(super) fn by_place() -> Vec<&'static Counter> {
    let mut counters: Vec<_> = COUNTERS.iter().collect();
    counters.sort_by_key(|counter| counter.place);
    counters
}

/// The native library's `numbers.rs`.
pub(super) fn numbers() -> String {
    let mut out = "//! What the shim's `NativeEngine` says in the same words.\n\n\
                   use holdfast_engine::{Totals, Verdict, VetoReason};\n\n"
        .to_owned();
    out += &doc(0, "Number of the interface: changes with every name, argument or meaning of it.");
    _ = writeln!(out, "pub(crate) const ABI: i64 = {ABI};\n");
    let masks: Vec<_> = by_kind().iter().map(|event| format!("{:#b}", amounts(event))).collect();
    out += &doc(
        0,
        "Which numbers of an event kind are amounts (bit 0 is the first): they must not be negative.",
    );
    let (kinds, masks) = (EVENTS.len(), masks.join(", "));
    _ = writeln!(out, "pub(crate) const AMOUNTS: [u32; {kinds}] = [{masks}];\n");
    for fault in FAULTS {
        out += &doc(0, fault.doc);
        let name = screaming(fault.name);
        _ = writeln!(out, "pub(crate) const {name}: i32 = -{};\n", fault.code);
    }
    out += "/// The number of an answer.\npub(crate) const fn verdict(verdict: Verdict) -> i32 {\nmatch verdict {\n";
    for (i, verdict) in VERDICTS.iter().enumerate() {
        _ = writeln!(out, "Verdict::{} => {i},", verdict.name);
    }
    for (i, veto) in VETOES.variants.iter().enumerate() {
        let number = VERDICTS.len() + i;
        _ = writeln!(out, "Verdict::Veto(VetoReason::{}) => {number},", veto.name);
    }
    out + "}\n}\n\n" + &totals()
}

fn totals() -> String {
    let of_session: Vec<_> = by_place()
        .iter()
        .filter(|counter| counter.source == Source::Session)
        .map(|counter| format!("{}: u64", counter.name))
        .collect();
    let mut out = format!(
        "/// How many counters there are.\npub(crate) const TOTALS: usize = {};\n\n\
         /// All counters, each in its place.\n\
         pub(crate) fn totals(engine: &Totals, {}) -> [i64; TOTALS] {{\n\
         let micros = |nanos: u128| u64::try_from(nanos / 1000).unwrap_or(u64::MAX);\n[\n",
        COUNTERS.len(),
        of_session.join(", ")
    );
    for counter in by_place() {
        let name = counter.name;
        _ = match counter.source {
            Source::Totals => writeln!(out, "engine.{name},"),
            Source::Nanos => writeln!(out, "micros(engine.{name}_ns),"),
            Source::Session => writeln!(out, "{name},"),
        };
    }
    out + "]\n.map(|n| i64::try_from(n).unwrap_or(i64::MAX))\n}\n"
}
