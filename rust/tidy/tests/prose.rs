//! Pages are written for a reader who scans: short sentences, nouns instead of stand-ins, numbers in tables.
//! `HOLDFAST_PAGES=how-to cargo test -p holdfast-tidy --test prose -- --nocapture` shows what is wrong where.

use holdfast_tidy::page::{numbers, parse, quantile, sentences, words};
use holdfast_tidy::pages;

const MEDIAN: usize = 15;
const P90: usize = 26;
const LONGEST: usize = 40;
const NUMBERS: usize = 4;
const LINES: usize = 200;
const README_LINES: usize = 150;
const WIDTH: usize = 120;

/// Words that stand in for a noun: at most one in a thousand.
const STAND_INS: [&str; 5] = ["nobody", "somebody", "so many", "what it is about", "beside"];

/// From this many sentences on a page has a median and a ninetieth percentile of its own.
const ENOUGH: usize = 10;

/// Returns whether a page is measured: records stay as they were written, and the changelog is a list of records.
fn measured(path: &str) -> bool {
    !path.starts_with("docs/measurements/") && path != "CHANGELOG.md"
}

/// Returns how often stand-ins occur in a text.
fn stand_ins(text: &str) -> Vec<&'static str> {
    let plain: String =
        text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let plain = format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "));
    let count = |word: &str| plain.matches(&format!(" {word} ")).count();
    STAND_INS.iter().flat_map(|&word| std::iter::repeat_n(word, count(word))).collect()
}

/// Returns the lines of prose that are too wide: not in a table or code, and with a blank to break at.
fn wide_lines(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        let prose = !fenced
            && !line.starts_with(['|', '#'])
            && !line.starts_with("    ")
            && !line.starts_with("<!--");
        let breakable = line.trim_start_matches([' ', '*', '-']).contains(' ');
        let image = line.starts_with("![");
        if prose && breakable && !image && line.chars().count() > WIDTH {
            found.push(format!("line {} is {} wide", number + 1, line.chars().count()));
        }
    }
    found
}

/// Returns the median, the ninetieth percentile and the largest of a page's sentence lengths, in words.
fn measures(text: &str) -> [usize; 3] {
    let blocks = parse(text).blocks;
    let all = blocks.iter().flat_map(|block| sentences(block));
    let mut lengths: Vec<usize> = all.map(|sentence| words(&sentence)).collect();
    lengths.sort_unstable();
    [50, 90, 100].map(|share| quantile(&lengths, share))
}

/// Returns what is wrong with a page.
fn faults(path: &str, text: &str) -> Vec<String> {
    let page = parse(text);
    let mut faults = wide_lines(text);
    let all: Vec<String> = page.blocks.iter().flat_map(|block| sentences(block)).collect();
    for sentence in all.iter().filter(|sentence| words(sentence) > LONGEST) {
        faults.push(format!("{} words: {sentence}", words(sentence)));
    }
    if all.len() >= ENOUGH {
        let [median, p90, _] = measures(text);
        for (share, is, limit) in [(50, median, MEDIAN), (90, p90, P90)] {
            if is > limit {
                faults.push(format!(
                    "{share} % of the sentences have up to {is} words, {limit} are enough"
                ));
            }
        }
    }
    for block in &page.blocks {
        let stated = numbers(block);
        if stated.len() > NUMBERS {
            faults.push(format!("{} numbers ({}): {block:.60}", stated.len(), stated.join(" ")));
        }
    }
    let text_only = page.blocks.join("\n");
    let found = stand_ins(&text_only);
    if found.len() > 1.max(words(&text_only) / 1000) {
        faults.push(format!("stand-ins for nouns: {}", found.join(", ")));
    }
    let limit = if path == "README.md" { README_LINES } else { LINES };
    let generated = text.contains("<!-- Generated");
    if text.lines().count() > limit && !generated {
        faults.push(format!("{} lines, {limit} are enough", text.lines().count()));
    }
    faults
}

#[test]
fn pages_are_easy_to_read() {
    let asked = std::env::var("HOLDFAST_PAGES").ok();
    let mut wrong = Vec::new();
    for (path, text) in pages().iter().filter(|(path, _)| measured(path)) {
        let faults = faults(path, text);
        let shown = asked.as_ref().is_some_and(|asked| path.contains(asked.as_str()));
        if shown || !faults.is_empty() {
            let [median, p90, longest] = measures(text);
            let lengths =
                format!("words in a sentence: median {median}, p90 {p90}, longest {longest}");
            wrong.push(format!("{path}: {lengths}\n  {}", faults.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn faults_are_found() {
    let long = format!("{}.", ["word"; 41].join(" "));
    let text =
        format!("# T\n\nNobody knows; somebody does.\n\n{long}\n\nIt is 1, 2, 3, 4 and 5.\n");
    let found = faults("a.md", &text);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        faults("a.md", "# T\n\nSpark 4.1 and `a 1 2 3 4 5` are one. So is Fig. 3.\n").is_empty()
    );
    let block = &parse("It is so. `code` begins one. ADR 7 ends, e.g. here.").blocks[0];
    assert_eq!(sentences(block).len(), 3);
}
