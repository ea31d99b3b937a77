//! Variants of a world compared on many seeds.
//!
//! ```text
//!   request -> source, traced: which worlds -> study: series x seeds, on all cores -> measures: what seeds say together
//!                                                                                    tables, files, page: documents
//! ```

pub mod files;
pub mod measures;
pub mod page;
pub mod request;
pub mod source;
pub mod study;
pub mod tables;
pub mod traced;
