//! What a figure is made of.

use std::fmt;

/// A figure: its numbers, how to plot them, and the paper's statements beside what came out.
pub(crate) struct Figure {
    /// What is computed and how to read it: paragraphs.
    pub(crate) about: Vec<String>,
    /// All numbers, in the order of the CSV file.
    pub(crate) rows: Vec<Row>,
    /// What is drawn.
    pub(crate) panels: Vec<Panel>,
    /// Numbers worth reading as such.
    pub(crate) tables: Vec<Table>,
    /// What the paper says.
    pub(crate) claims: Vec<Claim>,
}

/// One number.
#[derive(Clone)]
pub(crate) struct Row {
    /// Under which conditions, such as `N=20`. No commas.
    pub(crate) setting: String,
    /// Where on the horizontal axis.
    pub(crate) x: X,
    /// Which of the lines. No commas.
    pub(crate) series: String,
    pub(crate) point: Point,
}

/// Where on the horizontal axis a number stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum X {
    At(f64),
    /// A place among names, from 0 on, and the name there. No commas.
    Named(u8, &'static str),
}

impl X {
    /// The number, or the place.
    pub(crate) fn place(self) -> f64 {
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
pub(crate) struct Point {
    pub(crate) value: f64,
    /// If there is none, nothing was drawn, as it comes from a formula, or only once.
    pub(crate) spread: Option<Spread>,
}

impl Point {
    /// A value that follows from a formula.
    pub(crate) const fn exact(value: f64) -> Self {
        Self { value, spread: None }
    }

    /// The interval, or the value alone.
    pub(crate) fn interval(&self) -> (f64, f64) {
        self.spread.map_or((self.value, self.value), |spread| (spread.lo, spread.hi))
    }
}

/// An interval: that in which the values of 95 of 100 seeds lie, of few seeds all; or the 95 % confidence interval of
/// their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    /// How many seeds were drawn from.
    pub(crate) seeds: usize,
    /// The first of them.
    pub(crate) seed: u64,
}

/// A statement of the paper, and what came out here.
pub(crate) struct Claim {
    /// In our words, with the section.
    pub(crate) paper: &'static str,
    /// In numbers; where they do not agree, also why.
    pub(crate) got: String,
    pub(crate) met: bool,
}

/// Numbers under a heading; the first column is text.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// One plot of a figure: lines, or bars where the horizontal axis has names.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
}

/// An axis from its first tick to its last.
pub(crate) struct Axis {
    pub(crate) label: &'static str,
    /// Ascending, at least two; none where there are names.
    pub(crate) ticks: Vec<f64>,
    pub(crate) scale: Scale,
}

/// How an axis counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    /// Linear, with shares written as per cent.
    Percent,
    /// By powers of ten.
    Log,
    /// Names at the places 0, 1, 2 ...
    Names(&'static [&'static str]),
}

/// A line of a plot, or the bars of one kind.
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) style: Style,
    pub(crate) points: Vec<(f64, Point)>,
}

/// How a line looks: told apart without colours, too. Bars have the colour only.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) colour: &'static str,
    /// Lengths of dashes and spaces; empty if it is drawn through.
    pub(crate) dash: &'static str,
    pub(crate) width: f64,
    pub(crate) marker: Option<Marker>,
}

/// What marks a point.
#[derive(Clone, Copy)]
pub(crate) enum Marker {
    Circle,
    Square,
    Triangle,
}

/// The points of one line.
pub(crate) fn line(rows: &[Row], setting: &str, series: &str) -> Vec<(f64, Point)> {
    let own = rows.iter().filter(|row| row.setting == setting && row.series == series);
    own.map(|row| (row.x.place(), row.point)).collect()
}
