//! Times, colours and small tables. Colours vanish when the output is no terminal.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use holdfast_engine::Time;
use holdfast_words::columns;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HEAD: Style = Style::new().bold();

/// Returns a duration as a reader wants it.
pub(crate) fn duration(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{} µs", nanos / 1_000),
        1_000_000..1_000_000_000 => format!("{} ms", nanos / 1_000_000),
        _ => format!("{} s", seconds(u128::from(nanos))),
    }
}

/// Returns seconds with milliseconds.
pub(crate) fn seconds(nanos: u128) -> String {
    format!("{}.{:03}", nanos / 1_000_000_000, nanos / 1_000_000 % 1_000)
}

/// Returns a time, counted from the first event.
pub(crate) fn at(time: Time, origin: Time) -> String {
    if time == Time::NEVER {
        return "never".to_owned();
    }
    let sign = if time < origin { '-' } else { '+' };
    format!("{sign}{} s", seconds(u128::from(time.0.abs_diff(origin.0))))
}

/// Returns how many columns a text takes.
fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

/// Writes a table with a bold head; the first column is left-aligned, the others right.
pub(crate) fn table(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let widest = |i: usize| {
        let cells = rows.iter().map(|row| width(&row[i]));
        cells.chain([width(head[i])]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(widest).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (i, cell) in cells.enumerate() {
            let space = " ".repeat(widths[i].saturating_sub(width(cell)));
            let (before, behind) = if i == 0 { ("", space.as_str()) } else { (space.as_str(), "") };
            line.push_str(if i == 0 { "" } else { "  " });
            line.extend([before, cell, behind]);
        }
        line
    };
    writeln!(out, "{HEAD}{}{HEAD:#}", line(&mut head.iter().copied()))?;
    for row in rows {
        writeln!(out, "{}", line(&mut row.iter().map(String::as_str)).trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_fitting_unit() {
        let texts = [7, 45_000, 45_999_999, 1_234_000_000, 61_000_000_000].map(duration);
        assert_eq!(texts, ["7 ns", "45 µs", "45 ms", "1.234 s", "61.000 s"]);
    }

    #[test]
    fn times_count_from_the_first_event() {
        let origin = Time(5_000_000_000);
        assert_eq!(at(Time(6_250_000_000), origin), "+1.250 s");
        assert_eq!(at(Time(4_000_000_000), origin), "-1.000 s");
        assert_eq!(at(Time::NEVER, origin), "never");
    }
}
