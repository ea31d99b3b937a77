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

/// Pages that still fail. A page that passes must leave the list.
const TO_REWRITE: [&str; 57] = [
    "CONTRIBUTING.md",
    "README.md",
    "docs/explanation/architecture.md",
    "docs/adr/0001-owner-passes-its-own-hold.md",
    "docs/adr/0002-absolute-cap.md",
    "docs/adr/0003-need-instead-of-counting-finishers.md",
    "docs/adr/0004-total-rank.md",
    "docs/adr/0005-holds-belong-to-the-workflow.md",
    "docs/adr/0006-look-ahead.md",
    "docs/adr/0007-grow-and-spread.md",
    "docs/adr/0008-claims-need-a-competitor.md",
    "docs/adr/0009-one-event-ends-an-attempt.md",
    "docs/adr/0010-order-in-the-root-pool.md",
    "docs/adr/0011-newest-hold-is-least-useful.md",
    "docs/adr/0012-deadline-of-a-barrier.md",
    "docs/adr/0013-copies-of-stragglers.md",
    "docs/adr/0014-fair-comparison-after-the-grant.md",
    "docs/adr/0015-predictor-of-order-two.md",
    "docs/adr/0016-runs-are-followed.md",
    "docs/adr/0017-warm-jvms.md",
    "docs/adr/0018-unknown-gaps.md",
    "docs/adr/README.md",
    "docs/how-to/is-it-on.md",
    "docs/how-to/repeat-the-papers-experiments.md",
    "docs/figures.md",
    "docs/reference/masters.md",
    "docs/mechanisms/README.md",
    "docs/mechanisms/ssr/accounts.md",
    "docs/mechanisms/ssr/approval.md",
    "docs/mechanisms/ssr/baselines.md",
    "docs/mechanisms/ssr/budget.md",
    "docs/mechanisms/ssr/copies.md",
    "docs/mechanisms/ssr/fair-sharing.md",
    "docs/mechanisms/ssr/history.md",
    "docs/mechanisms/ssr/isolation.md",
    "docs/mechanisms/ssr/locality.md",
    "docs/mechanisms/ssr/look-ahead.md",
    "docs/mechanisms/ssr/pre-reservation.md",
    "docs/mechanisms/priorities.md",
    "docs/mechanisms/ssr/reservation.md",
    "docs/mechanisms/ssr/slot-sizes.md",
    "docs/mechanisms/spark.md",
    "docs/mechanisms/workflows.md",
    "docs/reference/platforms.md",
    "docs/how-to/release.md",
    "docs/results.md",
    "docs/reference/security.md",
    "docs/reference/simulator.md",
    "docs/reference/spark-versions.md",
    "docs/how-to/thrift-server.md",
    "docs/reference/traces.md",
    "docs/reference/vendors.md",
    "docs/reference/whatif.md",
    "gradle/release/python/README.md",
    "rust/engine/README.md",
    "rust/reference/README.md",
    "rust/sim/README.md",
];

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

/// Returns what is wrong with a page.
fn faults(path: &str, text: &str) -> Vec<String> {
    let page = parse(text);
    let mut faults = wide_lines(text);
    let all: Vec<String> = page.blocks.iter().flat_map(|block| sentences(block)).collect();
    let mut lengths: Vec<usize> = all.iter().map(|sentence| words(sentence)).collect();
    for sentence in all.iter().filter(|sentence| words(sentence) > LONGEST) {
        faults.push(format!("{} words: {sentence}", words(sentence)));
    }
    lengths.sort_unstable();
    if lengths.len() >= ENOUGH {
        for (share, limit) in [(50, MEDIAN), (90, P90)] {
            let is = quantile(&lengths, share);
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
    if text.lines().count() > limit {
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
        let waits = TO_REWRITE.contains(&path.as_str());
        let shown = asked.as_ref().is_some_and(|asked| path.contains(asked.as_str()));
        if shown || (!faults.is_empty() && !waits) {
            wrong.push(format!("{path}:\n  {}", faults.join("\n  ")));
        } else if faults.is_empty() && waits {
            wrong.push(format!("{path} passes: take it off the list TO_REWRITE"));
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
