//! Papers' figures, computed.
//!
//! A figure is one file with one function, `figure`, in the folder of its paper, and an entry in that
//! folder's table. It answers
//! numbers, how to plot them, and sets the paper's statements next to them; `csv`, `page` and `markdown` write them.

pub mod ask;
pub mod csv;
pub mod figure;
mod grass;
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

/// A paper whose figures can be asked for.
pub struct Paper {
    /// As users write it.
    pub name: &'static str,
    /// Who wrote what, where.
    pub citation: &'static str,
    /// Its figures, in its order.
    pub figures: &'static [Entry],
}

/// All papers. The first one is meant if nobody says which.
pub const PAPERS: [Paper; 2] = [
    Paper {
        name: "ssr",
        citation: "Chen, Wang, Li: \"Speculative Slot Reservation: Enforcing Service Isolation for Dependent Data-Parallel \
                   Computations\", ICDCS 2017",
        figures: &ssr::FIGURES,
    },
    Paper {
        name: "grass",
        citation: "Ananthanarayanan, Hung, Ren, Stoica, Wierman, Yu: \"GRASS: Trimming Stragglers in Approximation \
                   Analytics\", NSDI 2014",
        figures: &grass::FIGURES,
    },
];

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
