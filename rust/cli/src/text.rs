//! Times, colours and small tables. Colours vanish when the output is no terminal.

use std::io::{self, Write};

use clap::builder::styling::{AnsiColor, Style};
use holdfast_engine::Time;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HEAD: Style = Style::new().bold();

/// A duration as a reader wants it.
pub(crate) fn duration(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{} µs", nanos / 1_000),
        1_000_000..1_000_000_000 => format!("{} ms", nanos / 1_000_000),
        _ => format!("{} s", seconds(u128::from(nanos))),
    }
}

/// Seconds with milliseconds.
pub(crate) fn seconds(nanos: u128) -> String {
    format!("{}.{:03}", nanos / 1_000_000_000, nanos / 1_000_000 % 1_000)
}

/// A time, counted from the first event.
pub(crate) fn at(time: Time, origin: Time) -> String {
    if time == Time::NEVER {
        return "never".to_owned();
    }
    let sign = if time < origin { '-' } else { '+' };
    format!("{sign}{} s", seconds(u128::from(time.0.abs_diff(origin.0))))
}

/// `1 hold`, `2 holds`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `1,000`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A name that somebody else has given, fit for a terminal: without line breaks, and with what would steer the terminal
/// or turn the direction of writing told by its number.
pub(crate) fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\n' | '\r' | '\t' => text.push(' '),
            '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                text.extend(c.escape_unicode());
            }
            c if c.is_control() => text.extend(c.escape_unicode()),
            c => text.push(c),
        }
    }
    text
}

/// A table with a bold head; the first column is left-aligned, the others right.
pub(crate) fn table(out: &mut dyn Write, head: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let width = |i: usize| {
        let cells = rows.iter().map(|row| row[i].chars().count());
        cells.chain([head[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (i, cell) in cells.enumerate() {
            let width = widths[i];
            if i == 0 {
                line.push_str(&format!("{cell:<width$}"));
            } else {
                line.push_str(&format!("  {cell:>width$}"));
            }
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
    fn names_of_others_do_not_steer_the_terminal() {
        assert_eq!(
            printable("clear\u{1b}[2J, SELECT 1\n  FROM t"),
            "clear\\u{1b}[2J, SELECT 1   FROM t"
        );
        assert_eq!(printable("\u{202e}größer 日本"), "\\u{202e}größer 日本");
    }

    #[test]
    fn large_numbers_are_grouped_by_thousands() {
        let texts = [0, 999, 1_000, 20_000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "20,000", "1,234,567"]);
    }

    #[test]
    fn times_count_from_the_first_event() {
        let origin = Time(5_000_000_000);
        assert_eq!(at(Time(6_250_000_000), origin), "+1.250 s");
        assert_eq!(at(Time(4_000_000_000), origin), "-1.000 s");
        assert_eq!(at(Time::NEVER, origin), "never");
    }
}
