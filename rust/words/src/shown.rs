//! The one way of names to a terminal, a page or a document. Tenants choose names: of workflows, pools, applications
//! and hosts, in files that anybody may have written.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

/// Returns whether a character steers what shows it, or is not seen: control characters, line breaks, and what turns
/// the direction of writing or has no width. Joiners stay: scripts and emoji need them.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a name in one line, with the number of each character that [`steers`]: `\u{1b}`, `\n`.
pub fn shown(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\n' | '\r' | '\t' => text.extend(c.escape_default()),
            c if steers(c) => text.extend(c.escape_unicode()),
            c => text.push(c),
        }
    }
    text
}

/// Returns how many columns of a terminal a character takes: two where it is as wide as it is high.
pub const fn columns(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200c}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' => 2,
        '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Returns a path in the same way.
pub fn shown_path(path: &(impl AsRef<Path> + ?Sized)) -> String {
    shown(&path.as_ref().to_string_lossy())
}

/// Returns a name as the text of an HTML or SVG element, or of an attribute in double quotes.
pub fn html(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for c in shown(name).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

/// Returns a document. Names are whole in it; as `\u009b` stands what a terminal would obey.
///
/// # Errors
///
/// When the value has no form in JSON.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    if !text.contains(|c| c != '\n' && steers(c)) {
        return Ok(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // Those below 0x20 are escaped already where they are in a name.
        if c == '\n' || !steers(c) {
            safe.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    Ok(safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_steers_a_terminal_is_told_by_its_number() {
        assert_eq!(
            shown("clear\u{1b}[2J, SELECT 1\n\tFROM t"),
            "clear\\u{1b}[2J, SELECT 1\\n\\tFROM t"
        );
        assert_eq!(shown("\u{202e}größer\u{9b}1m 日本"), "\\u{202e}größer\\u{9b}1m 日本");
        assert_eq!(shown("👩\u{200d}💻"), "👩\u{200d}💻");
    }

    #[test]
    fn names_cannot_become_markup() {
        assert_eq!(html("<a href='x'>&\"\n"), "&lt;a href='x'&gt;&amp;&quot;\\n");
    }

    proptest! {
        #[test]
        fn nothing_that_steers_comes_through(name in any::<String>()) {
            prop_assert!(!shown(&name).contains(steers));
            prop_assert!(!html(&name).contains(|c| steers(c) || "<>\"".contains(c)));
        }

        #[test]
        fn documents_have_names_as_they_are(name in any::<String>(), key in any::<String>()) {
            let document = json(&serde_json::json!({ &key: [&name] })).unwrap();
            prop_assert!(!document.contains(|c| c != '\n' && steers(c)));
            let back: serde_json::Value = serde_json::from_str(&document).unwrap();
            prop_assert_eq!(back[&key][0].as_str(), Some(name.as_str()));
        }
    }
}
