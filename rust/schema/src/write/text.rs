//! Lines, names and comments.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns `code` as rustfmt writes it.
pub(super) fn formatted(root: &Path, code: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot run rustfmt: {e}");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    rustfmt.stdin.take().map_or(Ok(()), |mut to| to.write_all(code.as_bytes())).map_err(failed)?;
    let out = rustfmt.wait_with_output().map_err(failed)?;
    if !out.status.success() {
        return Err(format!("rustfmt refuses generated code:\n{code}"));
    }
    String::from_utf8(out.stdout).map_err(|e| e.to_string())
}

const BEGIN: &str =
    "  // Generated from rust/schema, up to the next mark: change the tables there.\n";
const END: &str = "  // End of what is generated.\n";

/// Returns a file of `root` with `text` between its marks.
pub(super) fn between_marks(root: &Path, name: &str, text: &str) -> Result<String, String> {
    let file = std::fs::read_to_string(root.join(name)).map_err(|e| format!("{name}: {e}"))?;
    let lacks = || format!("{name} lacks the marks around its generated part");
    let (before, rest) = file.split_once(BEGIN).ok_or_else(lacks)?;
    let (_, after) = rest.split_once(END).ok_or_else(lacks)?;
    Ok(format!("{before}{BEGIN}\n{text}\n{END}{after}"))
}

/// Breaks `text` at spaces into lines of at most `width` characters.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A Rust doc comment that is indented by `indent`.
pub(super) fn doc(indent: usize, text: &str) -> String {
    let space = " ".repeat(indent);
    let lines = wrapped(text, 116 - indent);
    lines.iter().map(|line| format!("{space}/// {line}\n")).collect()
}

/// `HoldEnded` as `hold_ended`.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `HoldEnded` as `HOLD_ENDED`.
pub(super) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// `HoldEnded` as `hold ended`.
pub(super) fn words(name: &str) -> String {
    snake(name).replace('_', " ")
}

/// A doc comment without links into the code.
pub(super) fn plain(doc: &str) -> String {
    let mut out = String::new();
    let mut rest = doc;
    while let Some((before, after)) = rest.split_once("[`") {
        let (name, behind) = after.split_once("`]").expect("a link that ends");
        let (of, last) = name.rsplit_once("::").unwrap_or(("", name));
        out += before;
        out += &if of == "TenantId" { "0".to_owned() } else { format!("*{}*", words(last)) };
        rest = behind;
    }
    out += rest;
    out
}
