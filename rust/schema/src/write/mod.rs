//! The generated files.

mod api;
mod config;
mod errors;
mod java;
mod jni;
mod pages;
mod text;
mod wire;

use std::path::Path;

/// What generated Rust and Java files begin with.
const MARK: &str =
    "// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write\n";

/// Of these files the part between marks is generated.
const NATIVE: &str = "jvm-shim/src/main/java/io/holdfast/bridge/NativeEngine.java";
const KEYS: &str = "jvm-shim/src/main/java/io/holdfast/config/Keys.java";
const NAMED_KEYS: &str = "jvm-shim/src/main/java/io/holdfast/config/NamedKeys.java";

/// Returns name and text of each generated file. Files with generated parts are read from `root`.
///
/// # Errors
/// A file lacks its marks, or rustfmt cannot be run.
pub(crate) fn files(root: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let rust = [
        ("rust/engine/src/api/event.rs", api::events()),
        ("rust/engine/src/api/decision.rs", api::decisions()),
        ("rust/engine/src/api/error.rs", errors::engine()),
        ("rust/engine/src/api/config.rs", config::engine()),
        ("rust/engine/src/api/totals.rs", api::totals()),
        ("rust/log/src/wire.rs", wire::events()),
        ("rust/log/src/numbers.rs", wire::numbers()),
        ("rust/jni/src/numbers.rs", jni::numbers()),
    ];
    let mut files = Vec::new();
    for (name, code) in rust {
        files.push((name, text::formatted(root, &format!("{MARK}{code}"))?));
    }
    files.push((NATIVE, text::between_marks(root, NATIVE, &java::native())?));
    files.push((KEYS, text::between_marks(root, KEYS, &java::table())?));
    files.push((NAMED_KEYS, format!("{MARK}{}", java::named("io.holdfast.config"))));
    files.push(("docs/reference/configuration.md", pages::configuration()));
    files.push(("docs/reference/events.md", pages::events()));
    Ok(files)
}
