//! Small worlds, exhaustively. `HOLDFAST_DEPTH` (default 6) is the number of events; with rules for stragglers more may
//! happen each time, and it is one less, or two of more than six.

#![allow(clippy::print_stderr, reason = "progress of a long run")]

use holdfast_engine::{Config, Stragglers};
use holdfast_reference::history::Reached;
use holdfast_reference::small_world::{config, explore, with_rule};

fn depth() -> usize {
    let depth = std::env::var("HOLDFAST_DEPTH");
    depth.map_or(6, |text| text.parse().expect("HOLDFAST_DEPTH is a number"))
}

/// Plays all histories. Returns what they have reached.
fn all_agree(config: &Config, depth: usize) -> Reached {
    let mut reached = Reached::default();
    let loud = depth > 6;
    let explored = explore(config, depth, &mut reached, |level, explored| {
        if loud {
            eprintln!("depth {level}: {explored:?}");
        }
    });
    let explored = match explored {
        Ok(explored) => explored,
        Err((history, failure)) => {
            let lines: Vec<String> =
                history.iter().map(|s| format!("  {} {:?}", s.now.0, s.event)).collect();
            panic!("{:?}: {}\n{}", failure.rule, failure.seen, lines.join("\n"));
        }
    };
    assert!(explored.states > 1_000, "the world is too small to mean anything: {explored:?}");
    reached
}

#[test]
fn all_short_histories_agree() {
    let reached = all_agree(&config(), depth());
    for outcome in ["ended Overridden", "ended Expired", "ended Used", "reoffer", "veto held"] {
        assert!(reached.counts().contains_key(outcome), "never reached: {outcome}");
    }
}

#[test]
fn all_short_histories_agree_about_stragglers() {
    for rule in [Stragglers::Grass, Stragglers::Gs, Stragglers::Late, Stragglers::Mantri] {
        let fewer = if depth() > 6 { 2 } else { 1 };
        let reached = all_agree(&with_rule(rule), depth() - fewer);
        let copies = format!("copy by {rule:?}");
        let reaches = reached.counts().contains_key(copies.as_str());
        assert!(reaches || rule == Stragglers::Late, "never reached: {copies}");
    }
}
