//! The engine for a JVM: `io.holdfast.bridge.NativeEngine`.
//!
//! ```text
//!   JVM thread -> exports   primitives and byte arrays; no panic leaves, errors become numbers
//!                    |
//!                 handles   index + generation; one lock for each engine; a panic breaks the handle for good
//!                    |
//!                 session   engine + log in memory        drain: blocks to the host, which owns the file
//! ```
//!
//! Architecture invariant: nothing here decides. No upcalls into the JVM, no threads, no files, no global references.
//! Architecture invariant: this is the only crate with `unsafe`, and only to give exports their names.

mod exports;
mod fault;
mod handles;
mod native_log;
mod numbers;
mod session;
