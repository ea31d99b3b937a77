//! Small worlds, exhaustively. `HOLDFAST_DEPTH` (default 6) is the number of events.

#![allow(clippy::print_stderr, reason = "progress of a long run")]

use holdfast_reference::history::Reached;
use holdfast_reference::small_world::explore;

#[test]
fn all_short_histories_agree() {
    let depth = std::env::var("HOLDFAST_DEPTH");
    let depth = depth.map_or(6, |text| text.parse().expect("HOLDFAST_DEPTH is a number"));
    let mut reached = Reached::default();
    let loud = depth > 6;
    let explored = explore(depth, &mut reached, |level, explored| {
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
    for outcome in ["ended Overridden", "ended Expired", "ended Used", "reoffer", "veto held"] {
        assert!(reached.counts().contains_key(outcome), "never reached: {outcome}");
    }
}
