//! Line plots: two beside each other, each with its axes, bands of what seeds differ by, and its legend below.

use super::figure::{Axis, Line, Marker, Panel, Point, Scale, Style};
use super::svg::{self, Anchor};

/// A panel's width, and its plot inside.
const WIDTH: f64 = 450.0;
const LEFT: f64 = 66.0;
const TOP: f64 = 36.0;
const PLOT: (f64, f64) = (356.0, 240.0);
/// From the plot's lower edge to the first line of the legend.
const BELOW: f64 = 66.0;
const LEGEND: f64 = 19.0;
const COLUMNS: usize = 2;

/// A drawing of all panels.
pub(crate) fn svg(title: &str, panels: &[Panel]) -> String {
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
struct Place<'a> {
    panel: &'a Panel,
    left: f64,
    top: f64,
}

impl Place<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.panel.x.share(value) * PLOT.0
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - self.panel.y.share(value)) * PLOT.1
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x(x), self.y(y))
    }
}

impl Axis {
    fn ends(&self) -> (f64, f64) {
        let end = |tick: Option<&f64>| self.counted(tick.copied().unwrap_or(1.0));
        (end(self.ticks.first()), end(self.ticks.last()))
    }

    fn counted(&self, value: f64) -> f64 {
        if self.scale == Scale::Log { libm::log10(value) } else { value }
    }

    /// How far along the axis a value lies, from 0 to 1; what is beyond an end lies there.
    fn share(&self, value: f64) -> f64 {
        let (from, to) = self.ends();
        ((self.counted(value) - from) / (to - from)).clamp(0.0, 1.0)
    }

    fn tick(&self, value: f64) -> String {
        if self.scale == Scale::Percent { percent(value) } else { value.to_string() }
    }
}

/// A share in whole per cents.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn draw(panel: &Panel, (left, top): (f64, f64)) -> Vec<String> {
    let place = Place { panel, left, top };
    let mut parts = vec![svg::heading((left, top - 14.0), &panel.title)];
    parts.extend(axes(&place));
    parts.extend(panel.lines.iter().filter_map(|line| band(&place, line)));
    parts.extend(panel.lines.iter().flat_map(|line| drawn(&place, line)));
    for (i, line) in panel.lines.iter().enumerate() {
        let (row, column) = (i / COLUMNS, i % COLUMNS);
        let x = left - 20.0 + column as f64 * (PLOT.0 + 30.0) / COLUMNS as f64;
        let y = top + PLOT.1 + BELOW + row as f64 * LEGEND;
        parts.extend(key((x, y), line));
    }
    parts
}

fn axes(place: &Place<'_>) -> Vec<String> {
    const GRID: &str = "#dddddd";
    const AXIS: &str = "#111111";
    let Place { panel, left, top } = place;
    let (right, bottom) = (left + PLOT.0, top + PLOT.1);
    let mut parts = Vec::new();
    for &tick in &panel.y.ticks {
        let y = place.y(tick);
        parts.push(svg::rule((*left, y), (right, y), GRID));
        parts.push(svg::text((left - 8.0, y + 4.0), Anchor::End, &panel.y.tick(tick)));
    }
    for &tick in &panel.x.ticks {
        let x = place.x(tick);
        parts.push(svg::rule((x, bottom), (x, bottom + 5.0), AXIS));
        parts.push(svg::text((x, bottom + 19.0), Anchor::Middle, &panel.x.tick(tick)));
    }
    parts.push(svg::rule((*left, bottom), (right, bottom), AXIS));
    parts.push(svg::rule((*left, *top), (*left, bottom), AXIS));
    let middle = (left + PLOT.0 / 2.0, top + PLOT.1 / 2.0);
    parts.push(svg::text((middle.0, bottom + 38.0), Anchor::Middle, panel.x.label));
    parts.push(svg::upright((left - 50.0, middle.1), panel.y.label));
    parts
}

/// What the seeds differ by, if the line was drawn from any.
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

/// What a point says when it is pointed at.
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
