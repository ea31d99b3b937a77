//! What the program writes goes through here: nothing that steers a terminal leaves it but line ends and the styles of
//! [`crate::text`]. Names are shown by `holdfast_words::shown` where they are put into a line; this catches what is
//! not.

use std::fmt::Display;
use std::io::{self, Write};

use holdfast_words::{shown, steers};

use crate::text::BAD;

/// What the styles of [`crate::text`] are made of: none, bold, red, green.
const STYLES: [&str; 4] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m"];

/// A writer of whole lines.
pub(crate) struct Screen<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) const fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }

    fn pass(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.inner.write_all(safe(&String::from_utf8_lossy(&line)).as_bytes())
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.pass()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass()?;
        self.inner.flush()
    }
}

/// Returns a line with our own styles, and without anything else that steers.
fn safe(line: &str) -> String {
    if !line.contains(|c| c != '\n' && steers(c)) {
        return line.to_owned();
    }
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let style = STYLES.iter().find(|style| rest.starts_with(**style));
        let size = style.map_or(c.len_utf8(), |style| style.len());
        match style {
            Some(style) => text.push_str(style),
            None if c == '\n' => text.push(c),
            None => text.push_str(&shown(&rest[..size])),
        }
        rest = &rest[size..];
    }
    text
}

/// Tells the user, where that does not disturb the output.
pub(crate) fn tell(line: impl Display) {
    let mut err = Screen::new(anstream::stderr());
    let _ = writeln!(err, "{line}").and_then(|()| err.flush());
}

/// Tells of something that limits or explains the output.
pub(crate) fn note(text: impl Display) {
    tell(format_args!("note: {text}"));
}

/// Tells what went wrong.
pub(crate) fn fail(text: impl Display) {
    tell(format_args!("{BAD}holdfast:{BAD:#} {text}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{GOOD, HEAD};

    #[test]
    fn only_our_own_styles_pass() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out);
        let name = "a\u{1b}[2J\u{1b}[1mb\u{9b}31m\r\u{202e}";
        write!(screen, "{HEAD}{name}{HEAD:#} {BAD}x{BAD:#}{GOOD}y{GOOD:#}\n\tno end").unwrap();
        screen.flush().unwrap();
        let expected = format!(
            "{HEAD}a\\u{{1b}}[2J{HEAD}b\\u{{9b}}31m\\r\\u{{202e}}{HEAD:#} {BAD}x{BAD:#}{GOOD}y{GOOD:#}\n\\tno end"
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
