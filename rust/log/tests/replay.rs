//! Replay finds what was changed, and nothing else.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use holdfast_engine::{Decision, EndCause, EngineError, HoldId};
use holdfast_log::{Difference, Entry, Reader, Replayed, replay};

fn replayed(bytes: &[u8]) -> Replayed {
    replay(&mut Reader::new(bytes).unwrap())
}

#[test]
fn the_same_engine_decides_the_same() {
    let bytes = common::recorded(|_, _| {});
    let result = replayed(&bytes);
    assert!(result.difference.is_none(), "{:?}", result.difference);
    assert!(result.ended);
    assert_eq!(result.events, common::events().len() as u64);
    assert_eq!(result.records, result.events + 1);
    assert_eq!(
        (result.totals.made, result.totals.used, result.left),
        (12, 8, 0),
        "four each: claimed, over the barrier, into the gap"
    );
    assert!(result.decisions >= 16);
}

#[test]
fn a_refused_event_is_recorded_with_its_code() {
    let bytes = common::recorded(|_, _| {});
    let errors: Vec<_> = Reader::new(&bytes[..])
        .unwrap()
        .filter_map(|record| match record.unwrap().entry {
            Entry::Event { error, .. } => error,
            Entry::Name { .. } => None,
        })
        .collect();
    assert_eq!(errors, [EngineError::UnknownJob.code()]);
}

#[test]
fn a_changed_decision_is_found_where_it_is() {
    let steps = common::events().len();
    let mut changed = 0;
    for step in 0..steps {
        let had = std::cell::Cell::new(false);
        let bytes = common::recorded(|i, decisions| {
            if let (true, Some(last)) = (i == step, decisions.last_mut()) {
                had.set(true);
                *last = match *last {
                    Decision::HoldEnded { hold, .. } => {
                        Decision::HoldEnded { hold, cause: EndCause::ExecutorGone }
                    }
                    Decision::Held { .. } => Decision::Reoffer,
                    Decision::Reoffer => {
                        Decision::HoldEnded { hold: HoldId(0), cause: EndCause::Moved }
                    }
                };
            }
        });
        let difference = replayed(&bytes).difference;
        assert_eq!(difference.is_some(), had.get());
        if let Some(Difference { number, recorded, got, .. }) = difference {
            assert_eq!(number, step as u64 + 1, "one name comes first");
            assert_ne!(recorded, got);
            changed += 1;
        }
    }
    assert!(changed >= 8, "only {changed} steps with decisions");
}

#[test]
fn a_missing_decision_is_found() {
    let bytes = common::recorded(|_, decisions| {
        decisions.pop();
    });
    assert!(replayed(&bytes).difference.is_some());
}
