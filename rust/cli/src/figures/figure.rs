//! What a figure is made of.

use std::fmt;

/// A figure: its numbers, how to plot them, and the paper's statements beside what came out.
pub(super) struct Figure {
    /// What is computed and how to read it: paragraphs.
    pub(super) about: Vec<String>,
    /// All numbers, in the order of the CSV file.
    pub(super) rows: Vec<Row>,
    /// What is drawn.
    pub(super) panels: Vec<Panel>,
    /// Numbers worth reading as such.
    pub(super) tables: Vec<Table>,
    /// What the paper says.
    pub(super) claims: Vec<Claim>,
}

/// One number.
#[derive(Clone)]
pub(super) struct Row {
    /// Under which conditions, such as `N=20`. No commas.
    pub(super) setting: String,
    /// Where on the horizontal axis.
    pub(super) x: X,
    /// Which of the lines. No commas.
    pub(super) series: String,
    pub(super) point: Point,
}

/// Where on the horizontal axis a number stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum X {
    At(f64),
    /// A place among names, from 0 on, and the name there. No commas.
    Named(u8, &'static str),
}

impl X {
    /// The number, or the place.
    pub(super) fn place(self) -> f64 {
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

/// A value, and how far it is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) value: f64,
    /// Nothing was drawn if there is none: it comes from a formula.
    pub(super) spread: Option<Spread>,
}

impl Point {
    /// A value that follows from a formula.
    pub(super) const fn exact(value: f64) -> Self {
        Self { value, spread: None }
    }

    /// The interval, or the value alone.
    pub(super) fn interval(&self) -> (f64, f64) {
        self.spread.map_or((self.value, self.value), |spread| (spread.lo, spread.hi))
    }
}

/// The interval in which the values of 95 of 100 seeds lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// How many seeds were drawn from.
    pub(super) seeds: usize,
    /// The first of them.
    pub(super) seed: u64,
}

/// A statement of the paper, and what came out here.
pub(super) struct Claim {
    /// In our words, with the section.
    pub(super) paper: &'static str,
    /// In numbers; where they do not agree, also why.
    pub(super) got: String,
    pub(super) met: bool,
}

/// Numbers under a heading; the first column is text.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// One plot of a figure: lines, or bars where the horizontal axis has names.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) lines: Vec<Line>,
}

/// An axis from its first tick to its last.
pub(super) struct Axis {
    pub(super) label: &'static str,
    /// Ascending, at least two; none where there are names.
    pub(super) ticks: Vec<f64>,
    pub(super) scale: Scale,
}

/// How an axis counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    /// Linear, with shares written as per cent.
    Percent,
    /// By powers of ten.
    Log,
    /// Names at the places 0, 1, 2 ...
    Names(&'static [&'static str]),
}

/// A line of a plot, or the bars of one kind.
pub(super) struct Line {
    pub(super) label: String,
    pub(super) style: Style,
    pub(super) points: Vec<(f64, Point)>,
}

/// How a line looks: told apart without colours, too. Bars have the colour only.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) colour: &'static str,
    /// Lengths of dashes and spaces; empty if it is drawn through.
    pub(super) dash: &'static str,
    pub(super) width: f64,
    pub(super) marker: Option<Marker>,
}

/// What marks a point.
#[derive(Clone, Copy)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
}

/// The points of one line.
pub(super) fn line(rows: &[Row], setting: &str, series: &str) -> Vec<(f64, Point)> {
    let own = rows.iter().filter(|row| row.setting == setting && row.series == series);
    own.map(|row| (row.x.place(), row.point)).collect()
}
