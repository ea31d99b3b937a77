//! What logs are made of: events as numbers, and the numbers of enums.

use std::fmt::Write;

use holdfast_schema::{END_CAUSES, EVENTS, Enum, Event, Field, NAME_KINDS, Of, REASONS};

use super::api::{declared, enums, imports};
use super::text::snake;

/// The most numbers that an event has.
pub(super) fn most() -> usize {
    EVENTS.iter().map(Event::numbers).max().unwrap_or(0)
}

/// All events by their kind.
pub(super) fn by_kind() -> Vec<&'static Event> {
    let mut events: Vec<_> = EVENTS.iter().collect();
    events.sort_by_key(|event| event.kind);
    events
}

/// The log's `wire.rs`.
pub(super) fn events() -> String {
    let fields: Vec<_> = EVENTS.iter().flat_map(|event| event.fields).collect();
    let (most, kinds) = (most(), EVENTS.len());
    let used = enums(&fields);
    let mut named: Vec<_> = used.iter().map(|of| of.name).collect();
    named.push("Event");
    let mut out =
        "//! Events as a kind and numbers: the form they have in a log and in a host's calls.

"
        .to_owned();
    out += &imports(&fields, "holdfast_engine", &named);
    let counts: Vec<_> = by_kind().iter().map(|event| event.numbers().to_string()).collect();
    _ = writeln!(
        out,
        "/// The most numbers that an event has.\npub const MOST: usize = {most};\n\n\
         /// How many numbers each kind of event has.\n\
         pub const ARGUMENTS: [usize; {kinds}] = [{}];\n",
        counts.join(", ")
    );
    out += "/// Kind and numbers of an event; what its kind does not use is 0. A negative number keeps its bits.\n\
            #[must_use]\npub fn event_to_wire(event: &Event) -> (u8, [u32; MOST]) {\nmatch *event {\n";
    for event in by_kind() {
        out += &to_wire(event, most);
    }
    out += "}\n}\n\n/// The event of that kind and numbers; `None` if there is no such kind, or one of them is out of its \
            range.\n/// Numbers that the kind does not use are ignored.\n#[must_use]\n\
            pub fn event_from_wire(kind: u8, numbers: &[u32; MOST]) -> Option<Event> {\nSome(match kind {\n";
    for event in by_kind() {
        out += &from_wire(event);
    }
    out += "_ => return None,\n})\n}\n\nfn truth(number: u32) -> Option<bool> {\nmatch number {\n0 => Some(false),\n\
            1 => Some(true),\n_ => None,\n}\n}\n\n";
    for of in used {
        out += &codes(of, "u32", "");
    }
    out
}

fn names(fields: &[Field]) -> String {
    let names: Vec<_> = fields.iter().map(|field| field.name).collect();
    if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) }
}

fn to_wire(event: &Event, most: usize) -> String {
    let mut numbers: Vec<String> = Vec::new();
    for field in event.fields {
        let name = field.name;
        let number = match field.of {
            Of::Id(_) => format!("{name}.0"),
            Of::Bits | Of::Amount => name.to_owned(),
            Of::Signed => format!("{name}.cast_unsigned()"),
            Of::Flag => format!("u32::from({name})"),
            Of::Enum(of) => format!("{}_code({name})", snake(of.name)),
            Of::EnumAbove(of) => {
                let flag = numbers.pop().expect("a flag before it");
                format!("2 * {}_code({name}) + {flag}", snake(of.name))
            }
            Of::Resources => {
                numbers.extend((0..3).map(|i| format!("{name}.0[{i}]")));
                format!("{name}.0[3]")
            }
            Of::Time => unreachable!("no event has a time of its own"),
        };
        numbers.push(number);
    }
    numbers.resize(most, "0".to_owned());
    let (name, kind) = (event.name, event.kind);
    let fields = names(event.fields);
    format!("Event::{name}{fields} => ({kind}, [{}]),\n", numbers.join(", "))
}

fn from_wire(event: &Event) -> String {
    let (name, kind) = (event.name, event.kind);
    if event.fields.is_empty() {
        return format!("{kind} => Event::{name},\n");
    }
    let mut out = format!("{kind} => Event::{name} {{\n");
    let mut at = 0;
    for (i, field) in event.fields.iter().enumerate() {
        let shared = matches!(event.fields.get(i + 1), Some(Field { of: Of::EnumAbove(_), .. }));
        let value = match field.of {
            Of::Id(id) => format!("{id}(numbers[{at}])"),
            Of::Bits | Of::Amount => format!("numbers[{at}]"),
            Of::Signed => format!("numbers[{at}].cast_signed()"),
            Of::Flag if shared => format!("numbers[{at}] % 2 == 1"),
            Of::Flag => format!("truth(numbers[{at}])?"),
            Of::Enum(of) => format!("{}_from(numbers[{at}])?", snake(of.name)),
            Of::EnumAbove(of) => format!("{}_from(numbers[{}] / 2)?", snake(of.name), at - 1),
            Of::Resources => {
                let parts: Vec<_> = (at..at + 4).map(|i| format!("numbers[{i}]")).collect();
                format!("Resources([{}])", parts.join(", "))
            }
            Of::Time => unreachable!("no event has a time of its own"),
        };
        _ = writeln!(out, "{}: {value},", field.name);
        at += field.numbers();
    }
    out + "},\n"
}

/// Functions between an enum and its numbers.
fn codes(of: &Enum, number: &str, visible: &str) -> String {
    let (name, of_name) = (snake(of.name), of.name);
    let mut out =
        format!("{visible}const fn {name}_code(value: {of_name}) -> {number} {{\nmatch value {{\n");
    for (i, variant) in of.variants.iter().enumerate() {
        _ = writeln!(out, "{of_name}::{} => {i},", variant.name);
    }
    _ = writeln!(
        out,
        "}}\n}}\n\n{visible}const fn {name}_from(number: {number}) -> Option<{of_name}> {{\nmatch number {{"
    );
    for (i, variant) in of.variants.iter().enumerate() {
        _ = writeln!(out, "{i} => Some({of_name}::{}),", variant.name);
    }
    out + "_ => None,\n}\n}\n\n"
}

/// The log's `numbers.rs`.
pub(super) fn numbers() -> String {
    let mut out = "//! Numbers of what is no event.\n\nuse holdfast_engine::{EndCause, Reason};\n\
                   use serde::{Deserialize, Serialize};\n\n"
        .to_owned();
    out += &declared(&NAME_KINDS);
    out += "impl NameKind {\n/// Its number in logs and in the host's calls.\n#[must_use]\n\
            pub const fn code(self) -> u8 {\nname_kind_code(self)\n}\n\n/// The kind of that number.\n#[must_use]\n\
            pub const fn from_code(code: u8) -> Option<Self> {\nname_kind_from(code)\n}\n}\n\n";
    out += &codes(&NAME_KINDS, "u8", "");
    out += &codes(&REASONS, "u8", "pub(crate) ");
    out + &codes(&END_CAUSES, "u8", "pub(crate) ")
}
