//! Why calls are refused, by number.

use std::fmt::Write;

use holdfast_schema::ERRORS;

use super::text::doc;

/// The engine's `error.rs`.
pub(super) fn engine() -> String {
    let mut out = "//! Why an event or an ask was refused. A refused event changes nothing but time (R16).\n\n\
                   use std::fmt;\n\n"
        .to_owned();
    out += &doc(0, "Why an event or an ask was refused.");
    out += "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum EngineError {\n";
    for error in ERRORS {
        out += &doc(4, error.doc);
        _ = writeln!(out, "{},", error.name);
    }
    out += "}\n\nimpl EngineError {\n/// A stable number, from 1.\n#[must_use]\n\
            pub const fn code(self) -> i32 {\nmatch self {\n";
    for error in ERRORS {
        _ = writeln!(out, "Self::{} => {},", error.name, error.code);
    }
    out += "}\n}\n\n/// The error with that number.\n#[must_use]\n\
            pub const fn from_code(code: i32) -> Option<Self> {\nmatch code {\n";
    for error in ERRORS {
        _ = writeln!(out, "{} => Some(Self::{}),", error.code, error.name);
    }
    out += "_ => None,\n}\n}\n}\n\nimpl fmt::Display for EngineError {\n\
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\nf.write_str(match self {\n";
    for error in ERRORS {
        _ = writeln!(out, "Self::{} => \"{}\",", error.name, error.text);
    }
    out + "})\n}\n}\n\nimpl std::error::Error for EngineError {}\n"
}
