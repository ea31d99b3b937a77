//! The shim's side, as google-java-format writes it.

use std::fmt::Write;

use holdfast_schema::{
    ABI, BOUNDS, COUNTERS, EVENTS, Enum, Event, FAULTS, Key, NAME_KINDS, OUTCOMES, Of, STAGE_KINDS,
    Scope, Source, Type, VERDICTS, VETOES, keys,
};

use super::jni::by_place;
use super::text::{plain, screaming, words, wrapped};
use super::wire::{by_kind, most};

/// The longest line.
const WIDTH: usize = 100;

/// A comment in front of a member.
fn javadoc(text: &str) -> String {
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    if text.len() + 9 <= WIDTH {
        return format!("  /** {text} */\n");
    }
    let lines = wrapped(&text, WIDTH - 5);
    let lines: String = lines.iter().map(|line| format!("   * {line}\n")).collect();
    format!("  /**\n{lines}   */\n")
}

fn constant(out: &mut String, visible: &str, name: &str, value: &str, doc: &str) {
    *out += &javadoc(doc);
    _ = writeln!(out, "  {visible}static final int {name} = {value};\n");
}

/// What an event's numbers are.
fn numbers(event: &Event) -> String {
    let mut numbers: Vec<String> = Vec::new();
    for field in event.fields {
        let name = field.name.replace('_', " ");
        let number = match field.of {
            Of::Flag => format!("{name}: 1 or 0"),
            Of::Enum(of) => format!("{name}: {}", one_of(of)),
            Of::EnumAbove(of) => {
                let flag = numbers.pop().unwrap_or_default();
                let flag = flag.split(':').next().unwrap_or_default().replace(' ', "_");
                format!("the sum of {} and of {} if so", one_of(of), flag.to_uppercase())
            }
            Of::Resources => format!("{name}: cpu in 1/1000, MiB, custom 0, custom 1"),
            _ => name,
        };
        numbers.push(number);
    }
    numbers.join("; ")
}

fn one_of(of: &Enum) -> String {
    let names: Vec<_> = of.variants.iter().map(|variant| screaming(variant.name)).collect();
    names.join(", ")
}

/// The constants of `NativeEngine`.
pub(super) fn native() -> String {
    let mut out = String::new();
    let public = "public ";
    let doc = "Number of this interface; the native library must have the same.";
    constant(&mut out, public, "ABI", &ABI.to_string(), doc);
    let doc = "The most numbers that an event has.";
    constant(&mut out, public, "MOST_NUMBERS", &most().to_string(), doc);
    for event in by_kind() {
        let doc = match event.fields {
            [] => format!("Event kind: {}", plain(event.doc)),
            _ => format!("Event kind: ({}). {}", numbers(event), plain(event.doc)),
        };
        constant(&mut out, public, &screaming(event.name), &event.kind.to_string(), &doc);
    }
    of_enum(&mut out, "Outcome", "", &OUTCOMES, 1);
    constant(&mut out, public, "FILLS_CACHE", "1", "Flag of SET_SUBMITTED.");
    of_enum(&mut out, "Stage kind", "", &STAGE_KINDS, 2);
    of_enum(&mut out, "Bound", "", &BOUNDS, 1);
    for (i, verdict) in VERDICTS.iter().enumerate() {
        let doc = format!("Answer of {{@link #verdict}}: {}", plain(verdict.doc));
        constant(&mut out, public, &screaming(verdict.name), &i.to_string(), &doc);
    }
    for (i, veto) in VETOES.variants.iter().enumerate() {
        let doc = format!("Answer of {{@link #verdict}}: {}", plain(veto.doc));
        let name = format!("VETO_{}", screaming(veto.name));
        constant(&mut out, public, &name, &(VERDICTS.len() + i).to_string(), &doc);
    }
    for fault in FAULTS {
        let code = format!("-{}", fault.code);
        constant(&mut out, public, &screaming(fault.name), &code, fault.doc);
    }
    of_enum(&mut out, "Kind of {@link #name}", "NAME_", &NAME_KINDS, 1);
    let doc = "Length of the array of {@link #totals}, and below the places in it.";
    constant(&mut out, public, "TOTALS", &COUNTERS.len().to_string(), doc);
    for counter in by_place() {
        let (unit, doc) = match counter.source {
            Source::Nanos => ("_MICROS", counter.doc.replace("nanoseconds", "microseconds")),
            _ => ("", counter.doc.to_owned()),
        };
        let name = format!("TOTAL_{}{unit}", counter.name.to_uppercase());
        constant(&mut out, public, &name, &counter.place.to_string(), &doc);
    }
    out += "  /** Names of the event kinds by their numbers, for messages. */\n  static final String[] EVENTS = {\n";
    let names: Vec<_> =
        by_kind().iter().map(|event| format!("    \"{}\"", words(event.name))).collect();
    assert_eq!(names.len(), EVENTS.len());
    out + &names.join(",\n") + "\n  };\n"
}

fn of_enum(out: &mut String, what: &str, prefix: &str, of: &Enum, times: usize) {
    for (i, variant) in of.variants.iter().enumerate() {
        let doc = format!("{what}: {}", plain(variant.doc));
        let name = format!("{prefix}{}", screaming(variant.name));
        constant(out, "public ", &name, &(times * i).to_string(), &doc);
    }
}

/// The constants of `Keys`: all keys without a part of the user's.
pub(super) fn table() -> String {
    let keys = keys();
    let (application, rest): (Vec<_>, Vec<_>) = keys
        .iter()
        .filter(|key| !key.constant.is_empty())
        .partition(|key| key.scope == Scope::Application && !key.internal);
    let row = |key: &&Key| {
        let start = format!("  public static final Key {} =", key.constant);
        statement(&start, 6, "key", &arguments(key), ";")
    };
    let named = "\n  static {\n    ALL.addAll(NamedKeys.all());\n  }\n\n";
    application.iter().map(row).collect::<String>()
        + named
        + &rest.iter().map(row).collect::<String>()
}

/// The class of the keys with a part of the user's.
pub(super) fn named(package: &str) -> String {
    let mut out = format!(
        "package {package};\n\nimport java.util.List;\n\n\
         /** The keys with a part that the user chooses, in the order of the documentation. */\n\
         final class NamedKeys {{\n  private NamedKeys() {{}}\n\n  static List<Keys.Key> all() {{\n    return List.of(\n"
    );
    let keys = keys();
    let rows: Vec<_> = keys.iter().filter(|key| key.constant.is_empty()).collect();
    for (i, key) in rows.iter().enumerate() {
        let end = if i + 1 == rows.len() { ");" } else { "," };
        out += &statement("", 8, "Keys.named", &named_arguments(key), end);
    }
    out + "  }\n}\n"
}

fn type_name(ty: Type) -> String {
    match ty {
        Type::Choice(..) => "CHOICE".to_owned(),
        Type::Priority => "INTEGER".to_owned(),
        other => format!("{other:?}").to_uppercase(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn named_arguments(key: &Key) -> Vec<String> {
    let ty = format!("Keys.Type.{}", type_name(key.ty));
    vec![quoted(&key.name), ty, quoted(key.default)]
}

fn arguments(key: &Key) -> Vec<String> {
    let place = match key.scope {
        Scope::Application if key.internal => "Place.TEST",
        Scope::Application => "Place.CONF",
        Scope::Workflow => "Place.LOCAL_PROPERTY",
    };
    let choices = match key.ty {
        Type::Choice(words, _) => {
            let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
            format!("List.of({})", words.join(", "))
        }
        _ => "List.of()".to_owned(),
    };
    vec![
        quoted(&key.name),
        place.to_owned(),
        format!("Type.{}", type_name(key.ty)),
        choices,
        quoted(key.default),
        quoted(key.engine.map_or("", |value| value.field)),
    ]
}

/// A call as the formatter breaks it: at the start, before its arguments, or one argument a line.
fn statement(start: &str, indent: usize, call: &str, arguments: &[String], end: &str) -> String {
    let space = " ".repeat(indent);
    let all = arguments.join(", ");
    let line = format!("{space}{call}({all}){end}");
    let whole = format!("{start} {}", line.trim_start());
    if !start.is_empty() && whole.len() <= WIDTH {
        return format!("{whole}\n");
    }
    let start = if start.is_empty() { String::new() } else { format!("{start}\n") };
    if line.len() <= WIDTH {
        return format!("{start}{line}\n");
    }
    let deeper = " ".repeat(indent + 4);
    let line = format!("{deeper}{all}){end}");
    if line.len() <= WIDTH {
        return format!("{start}{space}{call}(\n{line}\n");
    }
    let mut out = format!("{start}{space}{call}(\n");
    for (i, argument) in arguments.iter().enumerate() {
        let end = if i + 1 == arguments.len() { format!("){end}") } else { ",".to_owned() };
        out += &reflowed(argument, indent + 4, &end);
    }
    out
}

/// A string literal in pieces that fit.
fn reflowed(argument: &str, indent: usize, end: &str) -> String {
    let space = " ".repeat(indent);
    if indent + argument.len() + end.len() <= WIDTH || !argument.starts_with('"') {
        return format!("{space}{argument}{end}\n");
    }
    let text = argument.trim_matches('"');
    let mut pieces: Vec<String> = vec![String::new()];
    let mut rest = text.split_inclusive(' ').collect::<Vec<_>>().join("\n");
    // A piece begins with the space before its first word.
    rest = rest.replace(" \n", "\n ");
    let words: Vec<_> = rest.split('\n').collect();
    let mut width = WIDTH - indent - 2;
    let mut left = text.len();
    for word in words {
        let piece = pieces.last().map_or(0, String::len);
        let limit = if left + piece <= width { width - end.len() } else { width };
        if piece > 4 && piece + word.len() > limit {
            if pieces.len() == 1 {
                width -= 6;
            }
            pieces.push(String::new());
        }
        left -= word.len();
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(word);
        }
    }
    let deeper = " ".repeat(indent + 4);
    let lines = pieces.join(&format!("\"\n{deeper}+ \""));
    format!("{space}\"{lines}\"{end}\n")
}
