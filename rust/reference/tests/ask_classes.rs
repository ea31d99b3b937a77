//! Random histories: sets of one ask class get equal answers everywhere.

use std::collections::BTreeMap;

use holdfast_engine::{AskClass, Config, Engine, ExecutorView, Policy, Resources, SetId, Verdict};
use holdfast_reference::history::{Checks, Reached, play};

const NO_CHECKS: Checks = Checks { compare: false, invariants: false };

fn answers(engine: &Engine, set: SetId, e: &ExecutorView, free: &Resources) -> (Verdict, u32) {
    let verdict = engine.verdict(set, e.id, free).expect("known");
    (verdict, engine.barrier_room(set, e.id, free).expect("known"))
}

/// Checks all sets after one step. Returns how many shared a class, and how many were refused.
fn check(engine: &Engine, stock: &Engine, seed: u64) -> (u64, u64) {
    let (mut shared, mut refused) = (0, 0);
    let mut seen = BTreeMap::new();
    let executors = engine.executors();
    for set in engine.sets() {
        let class: AskClass = engine.ask_class(set.id).expect("known");
        let first = *seen.entry(class.number).or_insert(set.id);
        shared += u64::from(first != set.id);
        assert!(first == set.id || class.shared, "seed {seed}: {class:?} has several sets");
        assert_eq!(engine.admits(set.id), engine.admits(first), "seed {seed}, {class:?}");
        for e in &executors {
            let frees = [e.capacity, e.capacity.minus(e.running), e.held];
            for free in frees {
                let own = answers(engine, set.id, e, &free);
                assert_eq!(own, answers(engine, first, e, &free), "seed {seed}, {class:?}, {e:?}");
                // Without holds a workflow is forgotten with its last job: what comes in a gap is unknown then.
                let Ok(fits) = stock.barrier_room(set.id, e.id, &free) else { continue };
                refused += u64::from(fits > 0 && matches!(own.0, Verdict::Veto(_)));
                if class.by_holds && e.held == Resources::default() {
                    assert_eq!(own.1, fits, "seed {seed}: nothing is held, {class:?}");
                }
                assert!(class.may_widen || own.0 != Verdict::AllowHeld, "seed {seed}, {class:?}");
            }
        }
    }
    (shared, refused)
}

#[test]
fn sets_of_one_class_get_equal_answers() {
    let (mut shared, mut refused) = (0, 0);
    for seed in 1..=200 {
        let models =
            |config: &_| (Engine::new(Clone::clone(config)), Engine::new(Clone::clone(config)));
        let played = play(seed, NO_CHECKS, &mut Reached::default(), models);
        let (mut engine, mut out) = (Engine::new(played.config.clone()), Vec::new());
        let mut stock = Engine::new(Config { policy: Policy::Stock, ..played.config.clone() });
        for step in &played.steps {
            let _ = engine.step(step.now, &step.event, &mut out);
            let _ = stock.step(step.now, &step.event, &mut out);
            out.clear();
            let (others, vetoes) = check(&engine, &stock, seed);
            (shared, refused) = (shared + others, refused + vetoes);
        }
    }
    assert!(shared > 100 && refused > 100, "{shared} shared, {refused} refused");
}
