//! Bars: a group at each name, one bar a kind, its value above it and a whisker of what seeds differ by.

use super::plot::Place;
use super::svg::{self, Anchor};
use crate::drawing::panel::{Line, Scale};
use crate::statistics::Point;

/// Of the place of a name, this much is bars.
const FULL: f64 = 0.95;
/// Half of a whisker's ends.
const END: f64 = 3.0;
const INK: &str = "#111111";

/// Returns all bars of a panel.
pub(super) fn draw(place: &Place<'_>) -> Vec<String> {
    let Scale::Names(names) = place.panel.x.scale else { return Vec::new() };
    let lines = &place.panel.lines;
    let group = place.size().0 / names.len().max(1) as f64 * FULL;
    let width = group / lines.len().max(1) as f64;
    let mut parts = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        for (x, point) in &line.points {
            let left = place.x(*x) - group / 2.0 + i as f64 * width;
            let named = names.iter().enumerate().find(|(i, _)| *i as f64 == *x);
            let name = named.map_or("", |(_, name)| name);
            parts.extend(one(place, (left, width), line, name, point));
        }
    }
    parts
}

fn one(
    place: &Place<'_>,
    (left, width): (f64, f64),
    line: &Line,
    name: &str,
    point: &Point,
) -> [String; 5] {
    let zero = place.y(0.0);
    let (from, to) = (place.y(point.value).min(zero), place.y(point.value).max(zero));
    let (lo, hi) = point.interval();
    let (lo, hi) = (place.y(lo), place.y(hi));
    let middle = left + width / 2.0;
    let value = short(point.value);
    let (low, high) = point.interval();
    let title = format!("{}, {name}: {:.3} ({low:.3} to {high:.3})", line.label, point.value);
    let end = |y: f64| svg::rule((middle - END, y), (middle + END, y), INK);
    [
        svg::bar((left + 1.0, from), (width - 2.0, to - from), line.style.colour, &title),
        svg::rule((middle, hi), (middle, lo), INK),
        end(lo),
        end(hi),
        svg::text((middle, hi.min(from) - 4.0), Anchor::Middle, &value),
    ]
}

/// Four characters, whatever the size.
fn short(value: f64) -> String {
    if value.abs() < 9.995 { format!("{value:.2}") } else { format!("{value:.1}") }
}

/// Returns what a colour stands for.
pub(super) fn key((x, y): (f64, f64), line: &Line) -> Vec<String> {
    let label = svg::text((x + 38.0, y), Anchor::Start, &line.label);
    vec![svg::bar((x + 10.0, y - 10.0), (20.0, 11.0), line.style.colour, ""), label]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_room_above_their_bars() {
        let texts = [1.0, 9.994, 9.996, 12.345].map(short);
        assert_eq!(texts, ["1.00", "9.99", "10.0", "12.3"]);
    }
}
