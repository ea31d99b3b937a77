//! What is wrong with JSON. serde speaks of the program's types (`expected struct JobEnd`); a person has a file before
//! them, with fields and values.

use serde::Deserialize;
use serde_path_to_error::Segment;

use crate::{count, shown};

/// Says why `json` is no `T`: the field and its value, and what is wanted. Reads it once more; empty if nothing is
/// wrong.
pub fn fault<'a, T: Deserialize<'a>>(json: &'a [u8]) -> String {
    let mut from = serde_json::Deserializer::from_slice(json);
    match serde_path_to_error::deserialize::<_, T>(&mut from) {
        Err(at) => format!("{} (column {})", placed(&field(&at), at.inner()), at.inner().column()),
        Ok(_) => from.end().map_or_else(
            |why| format!("{} (column {})", said(&why.to_string()), why.column()),
            |()| String::new(),
        ),
    }
}

/// Returns where it is: names with dots between, places in brackets.
fn field(at: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let mut field = String::new();
    for segment in at.path() {
        match segment {
            Segment::Seq { index } => field.push_str(&format!("[{index}]")),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                field.push_str(if field.is_empty() { "" } else { "." });
                field.push_str(key);
            }
            Segment::Unknown => {}
        }
    }
    field
}

/// Says what is wrong with a field of that name, which is empty for the whole.
pub fn placed(field: &str, why: &serde_json::Error) -> String {
    let full = why.to_string();
    let text = full.rfind(" at line ").map_or(full.as_str(), |end| &full[..end]);
    let within =
        |name: &str| if field.is_empty() { name.to_owned() } else { format!("{field}.{name}") };
    if let Some(name) = quoted(text, "missing field `") {
        return shown(&format!("the field \"{}\" is missing", within(name)));
    }
    if let Some(name) = quoted(text, "duplicate field `") {
        return shown(&format!("the field \"{}\" is there twice", within(name)));
    }
    // It is in the path already.
    if text.starts_with("unknown field ") || field.is_empty() {
        return said(text);
    }
    if why.is_data() {
        return format!("the field \"{}\" {}", shown(field), is(text));
    }
    format!("{}, in or behind the field \"{}\"", said(text), shown(field))
}

/// Says the same of a message alone, which need not be serde's.
pub fn said(text: &str) -> String {
    let text = text.rfind(" at line ").map_or(text, |end| &text[..end]);
    if let Some(name) = quoted(text, "missing field `") {
        return shown(&format!("the field \"{name}\" is missing"));
    }
    if let Some(name) = quoted(text, "unknown field `") {
        return shown(&format!("there is no field \"{name}\" here{}", known(text, "fields")));
    }
    if text.starts_with("invalid ") && text.contains(", expected ") {
        return format!("this {}", is(text));
    }
    if let Some((_, said)) = SYNTAX.iter().find(|(serde, _)| text.starts_with(serde)) {
        return (*said).to_owned();
    }
    shown(text)
}

/// What JSON itself asks for.
const SYNTAX: [(&str, &str); 19] = [
    ("EOF while parsing a list", "the text ends inside of a list: a ] is missing"),
    ("EOF while parsing an object", "the text ends inside of an object: a } is missing"),
    ("EOF while parsing a string", "the text ends inside of a text: a \" is missing"),
    ("EOF while parsing a value", "the text ends where a value is wanted"),
    ("expected `:`", "a : is missing behind the field's name"),
    ("expected `,` or `]`", "a , or ] is missing"),
    ("expected `,` or `}`", "a , or } is missing"),
    ("expected ident", "a word is none of true, false and null"),
    ("expected value", "a value is missing, or is none that JSON has"),
    ("expected `\"`", "a \" is missing"),
    ("invalid escape", "a \\ in a text is followed by what has no meaning there"),
    ("invalid number", "a number is none that JSON has"),
    ("number out of range", "a number is too large"),
    ("invalid unicode code point", "a text has a character that is none"),
    ("control character", "a text has a line break or another control character in it"),
    ("key must be a string", "a field's name is not in quotes"),
    ("trailing comma", "a , is followed by nothing"),
    ("trailing characters", "something follows behind the end"),
    ("recursion limit exceeded", "lists and objects are inside of each other too often"),
];

fn quoted<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.split('`').next()
}

/// Returns what could have been written, if serde says so.
fn known(text: &str, what: &str) -> String {
    let Some((_, rest)) = text.split_once("`, expected ") else { return String::new() };
    let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    if names.is_empty() { String::new() } else { format!("; {what} are {}", names.join(", ")) }
}

/// Returns what a value is and what it should be, after "the field ...".
fn is(text: &str) -> String {
    if let Some(name) = quoted(text, "unknown variant `") {
        return shown(&format!("is \"{name}\", which has no meaning here{}", known(text, "words")));
    }
    let Some((got, wanted)) = text.split_once(", expected ") else {
        return format!("is not understood: {}", shown(text));
    };
    let got = got.split_once(": ").map_or(got, |(_, got)| got);
    let got = match got.strip_prefix("invalid length ") {
        Some(length) => format!("has {}", values(length)),
        None => format!("is {}", value(got)),
    };
    format!("{got}; wanted is {}", kind(wanted))
}

fn value(got: &str) -> String {
    for kind in ["integer `", "floating point `", "boolean `", "character `"] {
        if let Some(rest) = got.strip_prefix(kind) {
            return shown(rest.trim_end_matches('`'));
        }
    }
    match got {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" | "Option value" => "null".to_owned(),
        _ => got
            .strip_prefix("string ")
            .map_or_else(|| shown(got), |text| format!("the text {}", shown(text))),
    }
}

fn kind(wanted: &str) -> String {
    let known = match wanted {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" | "u128" => "a whole number, at least 0",
        "i8" | "i16" | "i32" | "i64" | "isize" | "i128" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" => "a list in [ ]",
        "a map" => "an object in { }",
        "a string" | "a borrowed string" | "str" | "a string key" => "a text in quotes",
        "option" => "a value or null",
        _ if wanted.starts_with("struct ") || wanted.starts_with("internally tagged enum ") => {
            "an object in { }"
        }
        _ if wanted.contains("identifier") || wanted.contains("enum ") => "a word in quotes",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_owned();
    }
    let length =
        ["an array of length ", "a tuple of size "].iter().find_map(|p| wanted.strip_prefix(p));
    length.map_or_else(|| shown(wanted), |length| format!("a list of {}", values(length)))
}

fn values(length: &str) -> String {
    length.parse().map_or_else(|_| format!("{} values", shown(length)), |n| count(n, "value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "read to fail")]
    struct Inner {
        #[serde(rename = "Stage ID")]
        stage: u32,
        word: Option<Word>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Fair,
        Fifo,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "read to fail")]
    struct Outer {
        #[serde(rename = "Stage Info")]
        info: Inner,
        #[serde(default)]
        pair: Option<(u8, u8)>,
        #[serde(default)]
        list: Vec<i32>,
    }

    #[test]
    fn faults_are_told_in_a_persons_words() {
        for (json, expected) in [
            ("0", "this is 0; wanted is an object in { } (column 1)"),
            ("{}", "the field \"Stage Info\" is missing (column 2)"),
            (r#"{"Stage Info":{}}"#, "the field \"Stage Info.Stage ID\" is missing (column 16)"),
            (
                r#"{"Stage Info":{"Stage ID":"4"}}"#,
                "the field \"Stage Info.Stage ID\" is the text \"4\"; wanted is a whole number from 0 to 4294967295 (column 29)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":-1}}"#,
                "the field \"Stage Info.Stage ID\" is -1; wanted is a whole number from 0 to 4294967295 (column 28)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1,"x\u001b":2}}"#,
                "there is no field \"x\\u{1b}\" here; fields are Stage ID, word (column 37)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1,"word":"fare"}}"#,
                "the field \"Stage Info.word\" is \"fare\", which has no meaning here; words are fair, fifo (column 41)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1},"list":[1,{}]}"#,
                "the field \"list[1]\" is an object; wanted is a whole number (column 39)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1},"pair":[1]}"#,
                "the field \"pair\" has 1 value; wanted is a list of 2 values (column 39)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1},"list":null}"#,
                "the field \"list\" is null; wanted is a list in [ ] (column 40)",
            ),
            (
                r#"{"Stage Info":{"Stage ID":1"#,
                "the text ends inside of an object: a } is missing, in or behind the field \"Stage Info\" (column 27)",
            ),
            (r#"{"Stage Info":{"Stage ID":1}} {}"#, "something follows behind the end (column 31)"),
            ("job0\t0", "a value is missing, or is none that JSON has (column 1)"),
        ] {
            assert_eq!(fault::<Outer>(json.as_bytes()), expected, "{json}");
        }
        assert_eq!(fault::<Outer>(br#"{"Stage Info":{"Stage ID":1}}"#), "");
    }

    #[test]
    fn no_message_of_serde_speaks_of_types() {
        let texts = [
            "[]",
            "{\"Stage Info\":[]}",
            "{\"Stage Info\":true}",
            "\"\"",
            "{\"Stage Info\":{\"Stage ID\":1.5}}",
            "nul",
        ];
        for text in texts {
            let told = fault::<Outer>(text.as_bytes());
            for word in ["struct", "expected", "invalid type", "u32", "map", "sequence", "ident"] {
                assert!(!told.contains(word), "{text}: {told}");
            }
        }
    }
}
