//! Plots and pages: what they are made of, as SVG and HTML.

mod bars;
pub mod page;
pub mod panel;
pub mod plot;
pub mod stacked;
pub mod svg;
pub mod ticks;
