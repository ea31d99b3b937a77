//! `holdfast-schema write` generates what follows from the tables; `holdfast-schema check` compares it.

mod write;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: holdfast-schema write|check [root of the repository]";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let root = arguments.next().map_or_else(repository, PathBuf::from);
    let result = match command.as_str() {
        "write" => visit(&root, |path, text| {
            fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
        }),
        "check" => visit(&root, |path, _| {
            Err(format!(
                "{} is not what the tables say: run cargo run -p holdfast-schema -- write",
                path.display()
            ))
        }),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(&why);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "a tool of the build")]
fn complain(why: &str) {
    eprintln!("{why}");
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Calls `f` with each generated file that differs from its text.
fn visit(root: &Path, f: impl Fn(&Path, &str) -> Result<(), String>) -> Result<(), String> {
    for (name, text) in write::files(root)? {
        let path = root.join(name);
        let equal = fs::read_to_string(&path).is_ok_and(|now| now == text);
        if !equal {
            f(&path, &text)?;
        }
    }
    Ok(())
}
