//! What a figure is made of.

use std::fmt;

use crate::drawing::page::Table;
use crate::drawing::panel::Panel;
use crate::statistics::Point;

/// A figure: its numbers, how to plot them, and the paper's statements, each with what came out.
pub struct Figure {
    /// What is computed and how to read it: paragraphs.
    pub about: Vec<String>,
    /// All numbers, in the order of the CSV file.
    pub rows: Vec<Row>,
    /// What is drawn.
    pub panels: Vec<Panel>,
    /// Numbers worth reading as such.
    pub tables: Vec<Table>,
    /// What the paper says.
    pub claims: Vec<Claim>,
}

/// One number.
#[derive(Clone)]
pub struct Row {
    /// Under which conditions, such as `N=20`. No commas.
    pub setting: String,
    /// Where on the horizontal axis.
    pub x: X,
    /// Which of the lines. No commas.
    pub series: String,
    /// The number itself.
    pub point: Point,
}

/// Where on the horizontal axis a number stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum X {
    /// At this number.
    At(f64),
    /// A place among names, from 0 on, and the name there. No commas.
    Named(u8, &'static str),
}

impl X {
    /// Returns the number, or the place.
    pub fn place(self) -> f64 {
        match self {
            Self::At(x) => x,
            Self::Named(place, _) => f64::from(place),
        }
    }
}

impl From<f64> for X {
    fn from(x: f64) -> Self {
        Self::At(x)
    }
}

impl fmt::Display for X {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(x) => x.fmt(f),
            Self::Named(_, name) => f.write_str(name),
        }
    }
}

/// A statement of the paper, and what came out here.
pub struct Claim {
    /// In our words, with the section.
    pub paper: &'static str,
    /// In numbers; where they do not agree, also why.
    pub got: String,
    /// Whether they agree.
    pub met: bool,
}

/// Returns the points of one line.
pub fn line(rows: &[Row], setting: &str, series: &str) -> Vec<(f64, Point)> {
    let own = rows.iter().filter(|row| row.setting == setting && row.series == series);
    own.map(|row| (row.x.place(), row.point)).collect()
}
