//! Random histories: made by a [`Host`], played against two models, shrunk when they fail.

mod acts;
mod bounds;
mod drain;
mod host;
mod pair;
mod reached;
mod reached_races;
mod rng;
mod setup;
mod shrink;
mod truth;

use std::panic::{AssertUnwindSafe, catch_unwind};

use holdfast_engine::{Config, Event, Time};

use crate::invariants::Invariant;
use crate::model::Model;

pub use host::Host;
pub use pair::{Checks, Pair};
pub use reached::Reached;
pub use shrink::shrink;

/// An event and when it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The host's time; not always later than the last one.
    pub now: Time,
    /// What happened.
    pub event: Event,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The models decide differently.
    Decisions,
    /// The models refuse differently.
    Errors,
    /// The models answer differently.
    Answers,
    /// The models show different books.
    Views,
    /// An invariant does not hold.
    Broken(Invariant),
    /// A model panicked.
    Panic,
}

/// A failure: where, by which rule, and what was seen.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Index of the step; that of the end when the liveness phase failed.
    pub step: usize,
    /// By which rule.
    pub rule: Rule,
    /// What was seen.
    pub seen: String,
}

/// A history, drawn from a seed while it was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The seed's configuration.
    pub config: Config,
    /// All that was said, without the liveness phase.
    pub steps: Vec<Timed>,
    /// The first failure.
    pub failure: Option<Failure>,
}

/// Draws the history of a seed and plays it against the two models that `make` gives.
pub fn play<A: Model, B: Model>(
    seed: u64,
    checks: Checks,
    reached: &mut Reached,
    make: impl Fn(&Config) -> (A, B),
) -> Played {
    let mut host = Host::new(seed);
    let config = host.config().clone();
    let length = host.length();
    let mut steps = Vec::with_capacity(length);
    let run = AssertUnwindSafe(|| {
        let (a, b) = make(&config);
        let mut pair = Pair::new(a, b, checks);
        for _ in 0..length {
            let timed = host.next(pair.first());
            steps.push(timed);
            if pair.step(timed, reached)? {
                host.accepted(&timed.event);
            }
        }
        drain::drain(&mut pair, reached)
    });
    let at = |steps: &Vec<Timed>| steps.len().saturating_sub(1);
    let failure = match catch_unwind(run) {
        Ok(result) => result.err(),
        Err(_) => Some(Failure { step: at(&steps), rule: Rule::Panic, seen: "panic".to_owned() }),
    };
    Played { config, steps, failure }
}

/// Plays a history again.
pub fn replay<A: Model, B: Model>(
    config: &Config,
    steps: &[Timed],
    checks: Checks,
    make: impl Fn(&Config) -> (A, B),
) -> Option<Failure> {
    let mut at = 0;
    let run = AssertUnwindSafe(|| {
        let (a, b) = make(config);
        let mut pair = Pair::new(a, b, checks);
        let mut reached = Reached::default();
        for (step, timed) in steps.iter().enumerate() {
            at = step;
            pair.step(*timed, &mut reached)?;
        }
        drain::drain(&mut pair, &mut reached)
    });
    match catch_unwind(run) {
        Ok(result) => result.err(),
        Err(_) => Some(Failure { step: at, rule: Rule::Panic, seen: "panic".to_owned() }),
    }
}
