//! Patterns for names.

/// Returns whether a name fits a pattern: `*` stands for any text, `?` for one character.
pub fn fits(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let (mut g, mut n) = (0, 0);
    // Where the latest star is, and the end of what it stands for.
    let mut star = None;
    while n < name.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, n));
                g += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (g, n) = (g + 1, n + 1),
            _ => {
                let Some((at, end)) = star else { return false };
                star = Some((at, end + 1));
                (g, n) = (at + 1, end + 1);
            }
        }
    }
    glob[g..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for glob in ["*", "etl-nightly", "etl-*", "*night*", "e?l-*y", "**y"] {
            assert!(fits(glob, "etl-nightly"), "{glob}");
        }
        for glob in ["", "etl", "*-", "?", "etl-nightly?"] {
            assert!(!fits(glob, "etl-nightly"), "{glob}");
        }
    }
}
