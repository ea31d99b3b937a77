//! Random histories with the pick for tests: engine and twin agree about every task it names and every timer it sets.

use holdfast_engine::{Config, Copies, Due, Engine, Stragglers};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Reached, play, replay};

/// The invariants know no such pick.
const COMPARED: Checks = Checks { compare: true, invariants: false };

fn models(config: &Config) -> (Engine, Reference) {
    (Engine::new(config.clone()), Reference::new(config.clone()))
}

#[test]
fn engine_and_twin_agree_about_one_more_pick() {
    let (mut timers, mut wanted) = (0, 0);
    for seed in 1..=300 {
        let played = play(seed, COMPARED, &mut Reached::default(), models);
        let (stragglers, copies) = (Stragglers::Off, Copies::All);
        let config = Config { stragglers, copies, explore_seed: 77_777, ..played.config };
        let failure = replay(&config, &played.steps, COMPARED, models);
        assert!(failure.is_none(), "seed {seed}: {failure:?}");
        let (mut engine, mut out) = (Engine::new(config), Vec::new());
        for step in &played.steps {
            let _ = engine.step(step.now, &step.event, &mut out);
            timers +=
                u64::from(engine.timers().iter().any(|timer| timer.due == Due::SetIsReviewed));
            let sets = engine.sets();
            let mut ids = sets.iter().map(|set| set.id);
            wanted += u64::from(ids.any(|set| engine.wants_copies(set) == Ok(true)));
        }
    }
    assert!(timers > 1_000 && wanted > 1_000, "{timers} timers, copies wanted {wanted} times");
}
