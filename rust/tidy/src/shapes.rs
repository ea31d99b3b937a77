//! Counts the fields of structs, and the files over which the methods of a type are spread.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{relative, sources};

/// Returns the structs below a folder with their file and number of named fields.
pub fn structs(folder: &Path) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    for (path, text) in sources(folder, &[".rs"]) {
        let lines: Vec<_> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((before, rest)) = line.split_once("struct ") else { continue };
            let declares = before.trim_start().is_empty() || before.trim_start().starts_with("pub");
            if !declares || !line.trim_end().ends_with('{') {
                continue;
            }
            let indent = line.len() - line.trim_start().len();
            let body = lines[at + 1..].iter().take_while(|line| {
                let depth = line.len() - line.trim_start().len();
                line.trim().is_empty() || depth > indent
            });
            let fields = body.filter(|line| line.len() - line.trim_start().len() == indent + 4);
            let fields = fields.filter(|line| is_field(line.trim_start())).count();
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            found.push((name.unwrap_or_default().to_owned(), relative(&path), fields));
        }
    }
    found
}

/// Returns whether a line of a struct's body begins a field.
fn is_field(line: &str) -> bool {
    let bare = line
        .strip_prefix("pub ")
        .or_else(|| line.split_once(") ").map(|(_, rest)| rest))
        .unwrap_or(line);
    let bare = if line.starts_with("pub") { bare } else { line };
    let name = bare.split(':').next().unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    bare.contains(": ") && !name.is_empty() && name.chars().all(plain) && !line.starts_with("//")
}

/// Returns, for each type, the files with an `impl` block of its own methods.
pub fn impls(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources(folder, &[".rs"]) {
        for line in text.lines().filter(|line| line.starts_with("impl") && !line.contains(" for "))
        {
            let after = line.trim_start_matches("impl");
            let after = if after.starts_with('<') {
                after.split_once("> ").map_or("", |(_, rest)| rest)
            } else {
                after
            };
            let name: String =
                after.trim_start().chars().take_while(|c| c.is_alphanumeric()).collect();
            if !name.is_empty() {
                found.entry(name).or_default().insert(relative(&path));
            }
        }
    }
    found
}
