//! Numbers of things: singular and plural, digits in groups.

/// Returns `1 hold`, `2 holds`, `2 launches`, `2 histories`.
pub fn count(n: u64, what: &str) -> String {
    format!("{n} {}", counted(n, what))
}

/// Returns the noun alone, as it stands behind that number.
pub fn counted(n: u64, what: &str) -> String {
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| what.ends_with(end));
    match what.strip_suffix('y') {
        _ if n == 1 => what.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if hisses => format!("{what}es"),
        _ => format!("{what}s"),
    }
}

/// Returns the verb's form behind that number: of `("takes", "take")` one.
pub const fn verb<'a>(n: u64, (one, more): (&'a str, &'a str)) -> &'a str {
    if n == 1 { one } else { more }
}

/// Returns a number with its digits in groups of three: `1,000`.
pub fn grouped(n: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_nothing_is_plural() {
        let told = [0, 1, 2].map(|n| count(n, "run"));
        assert_eq!(told, ["0 runs", "1 run", "2 runs"]);
        let nouns = ["launch", "entry", "delay", "loss"].map(|what| counted(2, what));
        assert_eq!(nouns, ["launches", "entries", "delays", "losses"]);
        assert_eq!((verb(1, ("is", "are")), verb(0, ("is", "are"))), ("is", "are"));
    }

    #[test]
    fn large_numbers_are_grouped_by_thousands() {
        let texts = [0, 999, 1_000, 20_000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "20,000", "1,234,567"]);
    }
}
