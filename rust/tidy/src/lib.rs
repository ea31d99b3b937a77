//! Reads the repository for its own checks: sources as text, pages as a reader sees them.

pub mod modules;
pub mod names;
pub mod page;
pub mod shapes;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Returns the files below `folder` with one of these endings and their text, outside build output, sorted by path.
pub fn sources(folder: &Path, endings: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !["build", "target"].contains(&name) && !name.starts_with('.') {
            found.extend(sources(&path, endings));
        } else if path.is_file() && endings.iter().any(|ending| name.ends_with(ending)) {
            found.push((path.clone(), fs::read_to_string(&path).expect("readable text")));
        }
    }
    found.sort();
    found
}

/// Returns a path as the repository names it, with `/`.
pub fn relative(path: &Path) -> String {
    let short = path.strip_prefix(root()).unwrap_or(path);
    short.iter().filter_map(|part| part.to_str()).collect::<Vec<_>>().join("/")
}

/// Returns all pages: what stands at the root, in docs, beside crates, and in the Python package.
pub fn pages() -> Vec<(String, String)> {
    let root = root();
    let mut found: Vec<_> = ["docs", "rust", "gradle/release"]
        .iter()
        .flat_map(|folder| sources(&root.join(folder), &[".md"]))
        .map(|(path, text)| (relative(&path), text))
        .filter(|(path, _)| !path.contains("/tests/data/"))
        .collect();
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        found.push((name.into(), fs::read_to_string(root.join(name)).expect("a page at the root")));
    }
    found
}
