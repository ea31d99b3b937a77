//! Plots of lines or bars: two in a row, each with its axes, what seeds differ by, and its legend below.

use super::bars;
use super::svg::{self, Anchor};
use crate::drawing::panel::{Axis, Line, Marker, Panel, Scale, Style};
use crate::statistics::Point;

/// A panel's width, and its plot inside.
const WIDTH: f64 = 450.0;
const LEFT: f64 = 66.0;
const TOP: f64 = 36.0;
const PLOT: (f64, f64) = (356.0, 240.0);
/// From the plot's lower edge to the first line of the legend.
const BELOW: f64 = 66.0;
const LEGEND: f64 = 19.0;
const COLUMNS: usize = 2;

/// Returns a drawing of all panels.
pub fn svg(title: &str, panels: &[Panel]) -> String {
    let mut parts = Vec::new();
    let mut top = 0.0;
    for row in panels.chunks(COLUMNS) {
        for (i, panel) in row.iter().enumerate() {
            parts.extend(draw(panel, (i as f64 * WIDTH + LEFT, top + TOP)));
        }
        let legends =
            row.iter().map(|panel| panel.lines.len().div_ceil(COLUMNS)).max().unwrap_or(0);
        top += TOP + PLOT.1 + BELOW + legends as f64 * LEGEND;
    }
    let columns = panels.len().min(COLUMNS) as f64;
    svg::image(columns * WIDTH, top, title, &parts)
}

/// From numbers to places.
pub(super) struct Place<'a> {
    pub(super) panel: &'a Panel,
    left: f64,
    top: f64,
}

impl Place<'_> {
    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.panel.x.share(value) * PLOT.0
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - self.panel.y.share(value)) * PLOT.1
    }

    /// Returns how wide and how high the plot is.
    pub const fn size(&self) -> (f64, f64) {
        PLOT
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x(x), self.y(y))
    }
}

impl Axis {
    fn ends(&self) -> (f64, f64) {
        if let Scale::Names(names) = self.scale {
            return (-0.5, names.len() as f64 - 0.5);
        }
        let end = |tick: Option<&f64>| self.counted(tick.copied().unwrap_or(1.0));
        (end(self.ticks.first()), end(self.ticks.last()))
    }

    fn counted(&self, value: f64) -> f64 {
        if self.scale == Scale::Log { libm::log10(value) } else { value }
    }

    /// Returns how far along the axis a value lies, from 0 to 1; what is beyond an end lies there.
    fn share(&self, value: f64) -> f64 {
        let (from, to) = self.ends();
        ((self.counted(value) - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// Returns what is written at the axis, and where.
    fn marks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Names(names) => (0..names.len())
                .map(|i| i as f64)
                .zip(names.iter().map(ToString::to_string))
                .collect(),
            _ => self.ticks.iter().map(|&tick| (tick, self.tick(tick))).collect(),
        }
    }

    fn tick(&self, value: f64) -> String {
        match self.scale {
            // Rounded, so that 0.07 is 7 and not 7.000000000000001.
            Scale::Percent => format!("{} %", (value * 1e8).round() / 1e6),
            _ => value.to_string(),
        }
    }
}

/// Ticks from `from` to `most` or just beyond, four to ten of them, by 1, 2 or 5 times a power of ten.
pub fn ticks(from: f64, most: f64) -> Vec<f64> {
    let span = (most - from).max(1e-9);
    let power = libm::pow(10.0, libm::floor(libm::log10(span)) - 1.0);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| span / step <= 9.0).unwrap_or(span);
    let count = (span / step - 1e-9).ceil().max(1.0);
    // What is added up is rounded, so that 0.30000000000000004 is 0.3.
    let at = |i: f64| ((from + i * step) * 1e9).round() / 1e9;
    (0_u32..).map(f64::from).take_while(|i| *i <= count).map(at).collect()
}

/// Returns a share in whole per cents.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn draw(panel: &Panel, (left, top): (f64, f64)) -> Vec<String> {
    let place = Place { panel, left, top };
    let mut parts = vec![svg::heading((left, top - 14.0), &panel.title)];
    parts.extend(axes(&place));
    let has_bars = matches!(panel.x.scale, Scale::Names(_));
    if has_bars {
        parts.extend(bars::draw(&place));
    } else {
        parts.extend(panel.lines.iter().filter_map(|line| band(&place, line)));
        parts.extend(panel.lines.iter().flat_map(|line| drawn(&place, line)));
    }
    for (i, line) in panel.lines.iter().enumerate() {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let x = left - 20.0 + column as f64 * (PLOT.0 + 30.0) / COLUMNS as f64;
        let y = top + PLOT.1 + BELOW + row as f64 * LEGEND;
        parts.extend(if has_bars { bars::key((x, y), line) } else { key((x, y), line) });
    }
    parts
}

fn axes(place: &Place<'_>) -> Vec<String> {
    const GRID: &str = "#dddddd";
    const AXIS: &str = "#111111";
    let Place { panel, left, top } = place;
    let (right, bottom) = (left + PLOT.0, top + PLOT.1);
    let mut parts = Vec::new();
    for (tick, text) in panel.y.marks() {
        let y = place.y(tick);
        parts.push(svg::rule((*left, y), (right, y), GRID));
        parts.push(svg::text((left - 8.0, y + 4.0), Anchor::End, &text));
    }
    for (tick, text) in panel.x.marks() {
        let x = place.x(tick);
        parts.push(svg::rule((x, bottom), (x, bottom + 5.0), AXIS));
        parts.push(svg::text((x, bottom + 19.0), Anchor::Middle, &text));
    }
    parts.push(svg::rule((*left, bottom), (right, bottom), AXIS));
    parts.push(svg::rule((*left, *top), (*left, bottom), AXIS));
    let middle = (left + PLOT.0 / 2.0, top + PLOT.1 / 2.0);
    parts.push(svg::text((middle.0, bottom + 38.0), Anchor::Middle, panel.x.label));
    parts.push(svg::upright((left - 54.0, middle.1), panel.y.label));
    parts
}

/// Returns what the seeds differ by, if the line was drawn from any.
fn band(place: &Place<'_>, line: &Line) -> Option<String> {
    line.points.iter().any(|(_, point)| point.spread.is_some()).then(|| {
        let upper = line.points.iter().map(|(x, point)| place.at(*x, point.interval().1));
        let lower = line.points.iter().rev().map(|(x, point)| place.at(*x, point.interval().0));
        svg::area(&upper.chain(lower).collect::<Vec<_>>(), line.style.colour, 0.18, "")
    })
}

fn drawn(place: &Place<'_>, line: &Line) -> Vec<String> {
    let Line { label, style, points } = line;
    let places: Vec<_> = points.iter().map(|(x, point)| place.at(*x, point.value)).collect();
    let mut parts = vec![svg::path(&places, style.colour, style.width, style.dash)];
    for ((x, point), at) in points.iter().zip(places) {
        parts.extend(marker(style, at, &said(label, *x, point)));
    }
    parts
}

/// Returns what a point says when it is pointed at.
fn said(label: &str, x: f64, point: &Point) -> String {
    let (lo, hi) = point.interval();
    format!("{label}, at {x}: {:.3} ({lo:.3} to {hi:.3})", point.value)
}

fn marker(style: &Style, (x, y): (f64, f64), title: &str) -> Option<String> {
    let (colour, corners) = match style.marker? {
        Marker::Circle => return Some(svg::disc((x, y), 3.6, style.colour, title)),
        Marker::Square => (style.colour, vec![(-3.4, -3.4), (3.4, -3.4), (3.4, 3.4), (-3.4, 3.4)]),
        Marker::Triangle => (style.colour, vec![(0.0, -4.6), (4.4, 3.4), (-4.4, 3.4)]),
    };
    let corners: Vec<_> = corners.into_iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    Some(svg::area(&corners, colour, 1.0, title))
}

fn key((x, y): (f64, f64), line: &Line) -> Vec<String> {
    let Line { label, style, .. } = line;
    let mut parts = vec![svg::path(
        &[(x, y - 4.0), (x + 30.0, y - 4.0)],
        style.colour,
        style.width,
        style.dash,
    )];
    parts.extend(marker(style, (x + 15.0, y - 4.0), ""));
    parts.push(svg::text((x + 38.0, y), Anchor::Start, label));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(ticks: &[f64], scale: Scale) -> Axis {
        Axis { label: "", ticks: ticks.to_vec(), scale }
    }

    #[test]
    fn an_axis_runs_from_its_first_tick_to_its_last() {
        let shares = |axis: &Axis, values: [f64; 4]| values.map(|value| axis.share(value));
        let linear = axis(&[1.0, 2.0, 3.0], Scale::Linear);
        assert_eq!(shares(&linear, [1.0, 1.5, 3.0, 9.0]), [0.0, 0.25, 1.0, 1.0]);
        let log = axis(&[1.0, 10.0, 100.0, 10_000.0], Scale::Log);
        assert_eq!(shares(&log, [0.1, 10.0, 100.0, 10_000.0]), [0.0, 0.25, 0.5, 1.0]);
    }

    #[test]
    fn ticks_reach_as_far_as_the_values() {
        assert_eq!(ticks(0.0, 4.8), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(ticks(1.0, 1.27), [1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3]);
        assert_eq!(ticks(0.0, 11.9), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        assert_eq!(ticks(0.0, 0.3), [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
    }

    #[test]
    fn shares_are_written_as_per_cent() {
        let texts = [Scale::Linear, Scale::Percent, Scale::Log].map(|s| axis(&[], s).tick(0.2));
        assert_eq!(texts, ["0.2", "20 %", "0.2"]);
    }

    #[test]
    fn a_line_is_drawn_where_its_numbers_are() {
        let point = |value| Point::exact(value);
        let style = Style { colour: "#0072b2", dash: "", width: 2.0, marker: Some(Marker::Square) };
        let line = Line {
            label: "a < b".to_owned(),
            style,
            points: vec![(0.0, point(1.0)), (0.5, point(0.25)), (1.0, point(0.0))],
        };
        let unit = || axis(&[0.0, 1.0], Scale::Linear);
        let panel = Panel { title: "t".to_owned(), x: unit(), y: unit(), lines: vec![line] };
        let parts = draw(&panel, (100.0, 50.0)).join("\n");
        assert!(
            parts.contains("<polyline points=\"100.0,50.0 278.0,230.0 456.0,290.0\""),
            "{parts}"
        );
        assert!(
            parts.contains("<title>a &lt; b, at 0.5: 0.250 (0.250 to 0.250)</title>"),
            "{parts}"
        );
        // Three markers and one in the legend; no band, since nothing was drawn from seeds.
        assert_eq!(parts.matches("<polygon").count(), 4);
    }
}
