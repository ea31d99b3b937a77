//! Papers' figures, computed.
//!
//! A figure is one file with one function, `figure`, in the folder of its paper, and an entry in that
//! folder's table. It answers
//! numbers, how to plot them, and sets the paper's statements next to them; `csv`, `page` and `markdown` write them.

pub mod ask;
pub mod csv;
pub mod figure;
pub mod markdown;
pub mod page;
mod ssr;

use std::fs;
use std::io;
use std::path::Path;

use ask::Ask;
use figure::Figure;

use crate::Failure;

/// A figure that can be asked for.
pub struct Entry {
    /// As in file names.
    pub name: &'static str,
    /// Returns its number in the paper and its title, for a cluster of this many nodes.
    pub title: fn(u32) -> String,
    /// Computes it.
    pub figure: fn(&Ask) -> Result<Figure, Failure>,
}

/// Nodes of the paper's simulated cluster.
pub const NODES: u32 = 1000;

/// All figures, paper by paper.
pub const ALL: [Entry; 5] = ssr::FIGURES;

/// Writes a file of figures.
///
/// # Errors
/// It cannot be written; the text names it.
pub fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).map_err(|e| unwritten(file, &e))
}

/// Says that a path cannot be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {error}", path.display()))
}
