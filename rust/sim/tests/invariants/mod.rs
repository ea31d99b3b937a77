//! The engine's invariants R1 to R11, R16, R17, R19, R20, after every step of a simulation, by the naive twin.

use holdfast_engine::{Config, Engine};
use holdfast_log::{Entry, Reader};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Timed, replay};
use holdfast_sim::{Outcome, World};

/// Panics unless all of them held; nothing holds of Spark alone. The outcome has its log.
pub fn check(world: &World, outcome: &Outcome) {
    let Some(config) = &world.engine else { return };
    let records = Reader::new(outcome.log.as_deref().unwrap()).unwrap().map(Result::unwrap);
    let steps = records.filter_map(|record| match record.entry {
        Entry::Event { event, .. } => Some(Timed { now: record.now, event }),
        _ => None,
    });
    let steps: Vec<Timed> = steps.collect();
    assert_eq!(steps.len() as u64, outcome.steps);
    let models = |config: &Config| (Engine::new(config.clone()), Reference::new(config.clone()));
    let failure = replay(config, &steps, Checks::ALL, models);
    assert!(failure.is_none(), "seed {}: {failure:?}", world.seed);
}
