//! One simulation from its world to its outcome.

use std::sync::atomic::Ordering;

use holdfast_engine::Time;

use crate::driver::state::Host;
use crate::run::options::{Options, Progress};
use crate::run::outcome::{Failure, Outcome};
use crate::world::{MOST_SLOTS, World};

/// So many events happen between two looks at progress and interrupt.
const LOOK_EVERY: u64 = 1 << 16;

/// So many planned events leave the queue room for those of the time until the next look.
const MOST_EVENTS: u64 = 3 * MOST_SLOTS;
/// Ten years in nanoseconds.
const LONG: u64 = 10 * 365 * 24 * 3600 * 1_000_000_000;

/// Simulates a world until everything has ended; what outlives all workflows, until the time that is the most.
///
/// # Errors
/// See [`Failure`].
pub fn simulate(world: &World, options: &Options) -> Result<Outcome, Failure> {
    world.check().map_err(Failure::World)?;
    let mut host = Host::new(world, options).map_err(Failure::Log)?;
    host.begin();
    let most = Time(if options.most_ns == 0 { LONG } else { options.most_ns });
    let mut events = 0;
    while host.turn() {
        host.read_ahead();
        events += 1;
        if let Some((event, error)) = host.wire.refused {
            return Err(Failure::Refused(event, error));
        }
        if host.now > most && host.open > 0 {
            return Err(Failure::TooLong(most.0, host.open));
        }
        if host.now > most {
            // Executors that join or are lost, and attempts that nobody waits for, change nothing any more.
            return Ok(outcome(host, events));
        }
        if events % LOOK_EVERY == 0 {
            look(&host, options, events)?;
        }
    }
    if host.open > 0 {
        return Err(Failure::Stuck(host.now.0, host.open));
    }
    let left = host.wire.engine().map_or(0, holdfast_engine::Engine::left);
    if left + host.sets.len() + host.attempts.len() > 0 {
        return Err(Failure::Left(left + host.sets.len() + host.attempts.len()));
    }
    Ok(outcome(host, events))
}

fn look(host: &Host, options: &Options, events: u64) -> Result<(), Failure> {
    if let Some(progress) = options.progress {
        progress(Progress { now_ns: host.now.0, events, open: host.open });
    }
    if host.queue.len() as u64 > MOST_EVENTS {
        return Err(Failure::TooMany);
    }
    let interrupted = options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

fn outcome(host: Host, events: u64) -> Outcome {
    let Host { mut wire, meter, placements, fingerprint, .. } = host;
    let ends = meter.times.iter().map(|times| times.ended_ns);
    let end_ns = ends.filter(|&end| end != u64::MAX).max().unwrap_or(0);
    Outcome {
        end_ns,
        usage: meter.usage_at_end(),
        foreground_ns: meter.foreground_ns,
        locality: meter.locality,
        copies: meter.copies,
        barriers: meter.barriers,
        attempts: meter.attempts,
        wasted: meter.wasted,
        events,
        steps: wire.steps,
        decisions: wire.decisions,
        asks: (wire.asks, wire.vetoes),
        totals: wire.engine().map(|engine| *engine.totals()),
        fingerprint: fingerprint.bits(),
        placements: placements.unwrap_or_default(),
        log: wire.finish_log(),
        workflows: meter.times,
    }
}
