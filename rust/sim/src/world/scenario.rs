//! Scenarios: worlds as text that people write, JSON with comments.

use std::fmt;

use holdfast_words::shown;
use serde_path_to_error::Error as At;

use crate::World;

/// How alike two names are, from 0 to 1, if one is a slip of the other.
const ALIKE: f64 = 0.75;
/// Longer lines are not shown: files that programs write are one line.
const SHOWN: usize = 160;

/// What is wrong with a text. As text it begins with `:line:column`, if there is such a place, and ends with a fix.
#[derive(Debug)]
pub struct Wrong {
    /// From 1; none if it is about several lines.
    place: Option<(usize, usize)>,
    why: String,
    /// The line.
    line: String,
    fix: Option<String>,
}

impl std::error::Error for Wrong {}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, why, line, fix } = self;
        if let Some((line, column)) = place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {why}")?;
        if let Some((number, column)) = place.filter(|_| (1..=SHOWN).contains(&line.len())) {
            let before = line.get(..column.saturating_sub(1)).unwrap_or("");
            write!(f, "\n{number:>6} | {line}\n       | {}^", " ".repeat(before.chars().count()))?;
        }
        if let Some(fix) = fix {
            write!(f, "\n  fix: {fix}")?;
        }
        Ok(())
    }
}

/// Reads the world that a text describes.
///
/// # Errors
/// It is none, or none that can be simulated: with the place, the field, the value, and what to write instead.
pub fn parse(text: &str) -> Result<World, Wrong> {
    let mut plain = text.to_owned();
    // Comments become spaces: whatever is wrong stays where it is.
    let stripped = json_strip_comments::strip(&mut plain);
    stripped.map_err(|_| general("a / that begins no comment; write // before comments"))?;
    let mut from = serde_json::Deserializer::from_str(&plain);
    let world: World =
        serde_path_to_error::deserialize(&mut from).map_err(|at| wrong(text, &plain, &at))?;
    from.end().map_err(|why| placed(text, &plain, "", &why))?;
    world.check().map_err(|why| general(&why.to_string()))?;
    Ok(world)
}

fn general(why: &str) -> Wrong {
    Wrong { place: None, why: shown(why), line: String::new(), fix: None }
}

fn wrong(text: &str, plain: &str, at: &At<serde_json::Error>) -> Wrong {
    let path = at.path().to_string();
    // A `.` or a `?` stands for what has no name.
    placed(text, plain, path.trim_end_matches(['.', '?']), at.inner())
}

fn placed(text: &str, plain: &str, field: &str, why: &serde_json::Error) -> Wrong {
    let place = place(text, plain, why.line(), why.column());
    let full = why.to_string();
    let said = full.rfind(" at line ").map_or(full.as_str(), |end| &full[..end]);
    let fix = fix(said, why.is_eof());
    // A tab would move what follows away from its mark.
    let line = text.lines().nth(place.0.saturating_sub(1)).unwrap_or("").replace('\t', " ");
    let why = if said.starts_with("unknown field") {
        shown(&format!("{field}: {}", holdfast_words::said(said)))
    } else {
        holdfast_words::placed(field, why)
    };
    Wrong { place: Some(place), why, line, fix }
}

/// Returns line and column of the text as it was: a comment of several lines is one line in `plain`.
fn place(text: &str, plain: &str, line: usize, column: usize) -> (usize, usize) {
    let before: usize =
        plain.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column.saturating_sub(1)).min(text.len());
    let read = &text.as_bytes()[..at];
    let begin = read.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    (1 + read.iter().filter(|&&byte| byte == b'\n').count(), at - begin + 1)
}

/// Returns what to write instead.
fn fix(said: &str, is_cut_off: bool) -> Option<String> {
    if is_cut_off {
        return Some("close what is open: a ], a } or a \" is missing".to_owned());
    }
    let quoted: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
    if said.starts_with("unknown ") {
        let (written, known) = quoted.split_first()?;
        let like = |name: &&&str| strsim::jaro_winkler(written, name);
        let best = known.iter().max_by(|a, b| like(a).total_cmp(&like(b)))?;
        return Some(if like(&best) > ALIKE {
            format!("did you mean {best}?")
        } else {
            format!("write one of {}, or leave it out", known.join(", "))
        });
    }
    if said.starts_with("missing field") {
        return Some(format!("add \"{}\": ...", quoted.first()?));
    }
    let expected = said.split_once("expected ")?.1;
    let instead = match expected {
        "u16" | "u32" | "u64" | "usize" => "a whole number, at least 0, without quotes",
        "i32" | "i64" => "a whole number, without quotes",
        "f64" => "a number, without quotes",
        "a boolean" => "true or false, without quotes",
        "a sequence" => "a list in [ ]",
        "a string" => "text in quotes",
        expected if expected.starts_with("struct ") => "fields in { }",
        expected if expected.starts_with("an array of length") => {
            "[CPU in thousandths of a core, memory in MiB, and two further resources]"
        }
        _ => return None,
    };
    Some(format!("write {instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"// A comment
{
  "cluster": [{"nodes": 1, "executors_per_node": 1, "capacity": [1000, 0, 0, 0]}], /* two
  lines */ "workflows": [
    {"arrival_ms": 0, "jobs": [{"stages": [
      {"tasks": 4, "durations": {"kind": "constant", "ms": 10}}]}]}, // another one
  ]
}"#;

    fn said(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from));
        parse(&GOOD.replace(from, to)).unwrap_err().to_string()
    }

    #[test]
    fn comments_and_last_commas_are_no_mistakes() {
        assert_eq!(parse(GOOD).unwrap().workflows[0].jobs[0].stages[0].tasks, 4);
    }

    #[test]
    fn a_mistake_is_shown_where_it_is_with_its_fix() {
        assert_eq!(
            said("\"tasks\": 4", "\"tasks\": \"4\""),
            ":6:19: the field \"workflows[0].jobs[0].stages[0].tasks\" is the text \"4\"; wanted is a whole number from 0 to 4294967295\n     \
             6 |       {\"tasks\": \"4\", \"durations\": {\"kind\": \"constant\", \"ms\": 10}}]}]}, // another one\n       \
             |                   ^\n  fix: write a whole number, at least 0, without quotes"
        );
        let odd = said("arrival_ms", "arrival\\u001b");
        assert!(odd.contains("workflows[0].arrival\\u{1b}: there is no field"), "{odd}");
        for (from, to, fix) in [
            ("arrival_ms", "arrival", "did you mean arrival_ms?"),
            ("\"tasks\": 4, ", "", "add \"tasks\": ..."),
            ("constant", "konstant", "did you mean constant?"),
            ("  ]\n}", "  ]", "close what is open"),
            ("\"arrival_ms\": 0", "\"arrival_ms\": -1", "write a whole number, at least 0"),
            ("[1000, 0, 0, 0]", "[1000]", "[CPU in thousandths"),
        ] {
            let said = said(from, to);
            assert!(said.contains("\n  fix: ") && said.contains(fix), "{from}: {said}");
        }
    }

    #[test]
    fn what_cannot_be_simulated_names_its_field_and_value() {
        let why = said("\"tasks\": 4", "\"tasks\": 0");
        assert_eq!(why, ": workflows[0].jobs[0].stages[0].tasks: 0; write 1 to 16777216");
    }
}
