//! Says which modules of a program use which, and finds circles among them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources;

/// Maps a module to those that it uses.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// Returns the words of a text that begin with `start` and go on with letters, digits, `_` and `joint`.
fn words_from<'a>(
    text: &'a str,
    start: &'a str,
    joint: &'a [char],
) -> impl Iterator<Item = &'a str> {
    text.match_indices(start).map(move |(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && !joint.contains(&c));
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Returns a text without comments that take a line of their own, where names are no uses.
fn without_comments(text: &str) -> String {
    let comment =
        |line: &str| ["//", "*", "/*"].iter().any(|start| line.trim_start().starts_with(start));
    text.lines().filter(|line| !comment(line)).collect::<Vec<_>>().join("\n")
}

/// Returns which Java packages below `root_package` use which, by imports and full names.
pub fn java_packages(folder: &Path, root_package: &str) -> Uses {
    let mut uses = Uses::new();
    for (_, text) in sources(folder, &[".java"]) {
        let text = without_comments(&text);
        let Some(own) = text.lines().find_map(|line| line.strip_prefix("package ")) else {
            continue;
        };
        let own = own.trim_end_matches(';').to_owned();
        let named = words_from(&text, root_package, &['.']).filter_map(|name| {
            let class =
                name.split('.').position(|part| part.starts_with(|c: char| c.is_uppercase()))?;
            Some(name.split('.').take(class).collect::<Vec<_>>().join("."))
        });
        let named: BTreeSet<_> = named.filter(|package| *package != own).collect();
        uses.entry(own).or_default().extend(named);
    }
    uses
}

/// Returns which top modules of a crate use which, by `crate::` paths.
pub fn rust_modules(src: &Path) -> Uses {
    let mut uses = Uses::new();
    for (path, text) in sources(src, &[".rs"]) {
        let short = path.strip_prefix(src).unwrap_or(&path);
        let first = short.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
        let own = first.trim_end_matches(".rs").to_owned();
        if ["lib", "main"].contains(&own.as_str()) {
            continue;
        }
        let text = without_comments(&text);
        let mut named = BTreeSet::new();
        for name in words_from(&text, "crate::", &[':']) {
            named
                .extend(name.split("::").nth(1).filter(|part| !part.is_empty()).map(str::to_owned));
        }
        for group in text.split("crate::{").skip(1) {
            named.extend(heads(group));
        }
        let known = |module: &String| {
            src.join(module).is_dir() || src.join(format!("{module}.rs")).is_file()
        };
        uses.entry(own.clone())
            .or_default()
            .extend(named.into_iter().filter(|m| *m != own && known(m)));
    }
    uses
}

/// Returns the first names of a group's paths: `a::b, c::{d}}` gives `a` and `c`.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut found, mut name) = (1, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 1 && c != '}' {
            name.push(c);
        }
        if depth == 0 || (depth == 1 && c == ',') {
            let head = name.trim().trim_end_matches(',').split("::").next().unwrap_or_default();
            found.push(head.trim().to_owned());
            name.clear();
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Returns the modules that lie on a circle.
pub fn on_circles(uses: &Uses) -> Vec<String> {
    let reaches = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            open.extend(uses.get(module).into_iter().flatten().filter(|next| seen.insert(*next)));
        }
        seen.contains(from)
    };
    uses.keys().filter(|module| reaches(module)).cloned().collect()
}
