//! What a plot is made of.

use crate::statistics::Point;

/// One plot of a figure: lines, or bars where the horizontal axis has names.
pub struct Panel {
    /// Above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub lines: Vec<Line>,
}

/// An axis from its first tick to its last.
pub struct Axis {
    /// What it counts.
    pub label: &'static str,
    /// Ascending, at least two; none where there are names.
    pub ticks: Vec<f64>,
    /// How it counts.
    pub scale: Scale,
}

/// How an axis counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// In equal steps.
    Linear,
    /// Linear, with shares written as per cent.
    Percent,
    /// By powers of ten.
    Log,
    /// Names at the places 0, 1, 2 ...
    Names(&'static [&'static str]),
}

/// A line of a plot, or the bars of one kind.
pub struct Line {
    /// In the legend.
    pub label: String,
    /// How it looks.
    pub style: Style,
    /// Places on the horizontal axis, and the values there.
    pub points: Vec<(f64, Point)>,
}

/// How a line looks: told apart without colours, too. Bars have the colour only.
#[derive(Clone, Copy)]
pub struct Style {
    /// As SVG names it.
    pub colour: &'static str,
    /// Lengths of dashes and spaces; empty if it is drawn through.
    pub dash: &'static str,
    /// In pixels.
    pub width: f64,
    /// At each point; none: the line alone.
    pub marker: Option<Marker>,
}

/// What marks a point.
#[derive(Clone, Copy)]
pub enum Marker {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
}
