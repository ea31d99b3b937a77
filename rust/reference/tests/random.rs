//! Random histories of the engine against its twin.
//!
//! `HOLDFAST_SEED` (default 1) is the first seed and `HOLDFAST_HISTORIES` (default 5000) the number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use holdfast_engine::{Config, Engine};
use holdfast_reference::Reference;
use holdfast_reference::history::{Checks, Played, Reached, play, replay, shrink};

fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

fn models(config: &Config) -> (Engine, Reference) {
    (Engine::new(config.clone()), Reference::new(config.clone()))
}

fn report(seed: u64, played: &Played) -> String {
    let failure = played.failure.clone().expect("only failures are reported");
    let again = |steps: &[_]| replay(&played.config, steps, Checks::ALL, models);
    let (steps, failure) = shrink(&played.steps, &failure, again);
    let lines: Vec<String> = steps.iter().map(|s| format!("  {} {:?}", s.now.0, s.event)).collect();
    format!(
        "{:?} at step {}: {}\n{:?}\n{}\nrepeat: HOLDFAST_SEED={seed} HOLDFAST_HISTORIES=1 \
         cargo test -p holdfast-reference --test random",
        failure.rule,
        failure.step,
        failure.seen,
        played.config,
        lines.join("\n"),
    )
}

#[test]
fn engine_and_twin_agree() {
    let (first, histories) = (number("HOLDFAST_SEED", 1), number("HOLDFAST_HISTORIES", 5_000));
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let reached = Mutex::new(Reached::default());
    let failed: Mutex<Option<(u64, Played)>> = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut mine = Reached::default();
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= histories {
                        break;
                    }
                    let played = play(first + at, Checks::ALL, &mut mine, models);
                    if played.failure.is_some() {
                        stop.store(true, Ordering::Relaxed);
                        failed.lock().unwrap().get_or_insert((first + at, played));
                    }
                }
                reached.lock().unwrap().merge(mine);
            });
        }
    });
    if let Some((seed, played)) = failed.into_inner().unwrap() {
        panic!("{}", report(seed, &played));
    }
    let reached = reached.into_inner().unwrap();
    if histories >= 1_000 {
        assert!(reached.missing().is_empty(), "never reached: {:?}", reached.missing());
    }
    if std::env::var_os("HOLDFAST_COUNTS").is_some() {
        panic!("{:#?}", reached.counts());
    }
}
