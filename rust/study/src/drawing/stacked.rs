//! Bars that are stacked: what became of all slots, one bar for each variant.

use crate::drawing::svg::{self, Anchor};

const LABELS: f64 = 250.0;
const BARS: f64 = 420.0;
const NUMBERS: f64 = 230.0;
const LINE: f64 = 24.0;
const TOP: f64 = 62.0;
/// Busy, held idle, free: dark to light, told apart in print, too.
const PARTS: [(&str, &str); 3] =
    [("busy", "#0072b2"), ("held idle", "#e69f00"), ("free", "#e3e6ea")];

/// Returns a drawing with one bar for each label and its shares: busy, held idle, free.
pub fn svg(title: &str, rows: &[(String, [f64; 3])]) -> String {
    let mut parts = vec![svg::heading((12.0, 20.0), title)];
    for (i, (name, colour)) in PARTS.iter().enumerate() {
        let left = LABELS + 110.0 * i as f64;
        parts.push(bar(left, 32.0, 14.0, colour, ""));
        parts.push(svg::text((left + 20.0, 43.0), Anchor::Start, name));
    }
    for (i, (label, shares)) in rows.iter().enumerate() {
        parts.extend(row(label, shares, TOP + LINE * i as f64));
    }
    svg::image(LABELS + BARS + NUMBERS, TOP + LINE * rows.len() as f64 + 10.0, title, &parts)
}

fn row(label: &str, shares: &[f64; 3], top: f64) -> Vec<String> {
    let mut parts = vec![svg::text((LABELS - 10.0, top + 13.0), Anchor::End, label)];
    let mut left = LABELS;
    for ((name, colour), share) in PARTS.iter().zip(shares) {
        let width = BARS * share.clamp(0.0, 1.0);
        parts.push(bar(
            left,
            top,
            width,
            colour,
            &format!("{label}: {:.2} % {name}", share * 100.0),
        ));
        left += width;
    }
    let [busy, held, _] = shares.map(|share| share * 100.0);
    let numbers = format!("{busy:.1} % busy, {held:.2} % held idle");
    parts.push(svg::text((LABELS + BARS + 10.0, top + 13.0), Anchor::Start, &numbers));
    parts
}

fn bar(left: f64, top: f64, width: f64, colour: &str, title: &str) -> String {
    let (right, bottom) = (left + width, top + 17.0);
    svg::area(&[(left, top), (right, top), (right, bottom), (left, bottom)], colour, 1.0, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_beside_each_other_and_fill_the_bar() {
        let drawn = svg("t", &[("a < b".to_owned(), [0.5, 0.25, 0.25])]);
        for (corners, title) in [
            ("250.0,62.0 460.0,62.0 460.0,79.0 250.0,79.0", "a &lt; b: 50.00 % busy"),
            ("460.0,62.0 565.0,62.0 565.0,79.0 460.0,79.0", "a &lt; b: 25.00 % held idle"),
            ("565.0,62.0 670.0,62.0 670.0,79.0 565.0,79.0", "a &lt; b: 25.00 % free"),
        ] {
            assert!(drawn.contains(corners) && drawn.contains(title), "{title}: {drawn}");
        }
    }
}
