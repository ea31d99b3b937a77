//! The events of one millisecond in an order that does not depend on the log's.
//!
//! What a log has lost is rebuilt with its time, not with its place among the events of that time. So tasks that are
//! launched and stages that are submitted come last in their millisecond, wherever a log has them, unless they end in
//! it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::spark_event::{Millis, SparkEvent, StageKey};

/// Puts events that all happen at one time in order.
pub(crate) fn arrange(at: Millis, events: Vec<SparkEvent>) -> VecDeque<SparkEvent> {
    let moves = |event: &SparkEvent| {
        matches!(event, SparkEvent::TaskStart(_) | SparkEvent::StageSubmitted(_))
    };
    if events.len() == 1 || !events.iter().any(moves) {
        return events.into();
    }
    let (begins, fixed): (Vec<SparkEvent>, Vec<SparkEvent>) = events.into_iter().partition(moves);
    let mut tasks: FxHashMap<u64, usize> = FxHashMap::default();
    let mut stages: FxHashMap<StageKey, usize> = FxHashMap::default();
    for (place, event) in fixed.iter().enumerate() {
        match event {
            SparkEvent::TaskEnd { run, .. } if run.launched == at => {
                tasks.entry(run.task).or_insert(place);
                stages.entry(run.key).or_insert(place);
            }
            SparkEvent::StageCompleted { info, .. } => {
                stages.entry(info.key).or_insert(place);
            }
            _ => {}
        }
    }
    let spot = |event: &SparkEvent| match event {
        SparkEvent::TaskStart(run) => (tasks.get(&run.task), 1, run.task),
        SparkEvent::StageSubmitted(info) => {
            let StageKey { stage, attempt } = info.key;
            (stages.get(&info.key), 0, u64::from(stage) << 32 | u64::from(attempt))
        }
        _ => (None, 2, 0),
    };
    let key = |event: &SparkEvent| {
        let (place, rank, id) = spot(event);
        (place.copied().unwrap_or(usize::MAX), rank, id)
    };
    let mut begins: VecDeque<_> = begins.into_iter().map(|event| (key(&event), event)).collect();
    begins.make_contiguous().sort_by_key(|(key, _)| *key);
    let mut ordered = VecDeque::with_capacity(begins.len() + fixed.len());
    for (place, event) in fixed.into_iter().enumerate() {
        while begins.front().is_some_and(|(key, _)| key.0 <= place) {
            ordered.extend(begins.pop_front().map(|(_, begin)| begin));
        }
        ordered.push_back(event);
    }
    ordered.extend(begins.into_iter().map(|(_, begin)| begin));
    ordered
}
