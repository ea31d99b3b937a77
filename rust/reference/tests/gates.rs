//! Random histories with the gate for tests: engine and twin agree while it refuses every second ask of the fair pools.

use holdfast_engine::{Config, Due, Engine, Event};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Reached, Timed, play, replay};

/// The invariants know three gates only.
const COMPARED: Checks = Checks { compare: true, invariants: false };

fn models(config: &Config) -> (Engine, Reference) {
    (Engine::new(config.clone()), Reference::new(config.clone()))
}

/// The same history, with every pool in the hands of the gate.
fn guarded(steps: &[Timed]) -> Vec<Timed> {
    let mut steps = steps.to_vec();
    for step in &mut steps {
        if let Event::PoolDefined { weight, .. } = &mut step.event {
            *weight = 77_777;
        }
    }
    steps
}

#[test]
fn engine_and_twin_agree_about_one_more_gate() {
    let mut closed = 0;
    for seed in 1..=300 {
        let played = play(seed, COMPARED, &mut Reached::default(), models);
        let steps = guarded(&played.steps);
        let failure = replay(&played.config, &steps, COMPARED, models);
        assert!(failure.is_none(), "seed {seed}: {failure:?}");
        let (mut engine, mut out) = (Engine::new(played.config), Vec::new());
        for step in &steps {
            let _ = engine.step(step.now, &step.event, &mut out);
            closed += u64::from(engine.timers().iter().any(|timer| timer.due == Due::GateOpens));
        }
    }
    assert!(closed > 100, "the gate was closed {closed} times only");
}
