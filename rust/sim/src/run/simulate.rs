//! One simulation from its world to its outcome.

use std::sync::atomic::Ordering;

use holdfast_engine::Time;

use crate::driver::events;
use crate::driver::read_ahead::read_ahead;
use crate::driver::state::{Driver, Wanted};
use crate::run::drawn;
use crate::run::options::{Options, Progress};
use crate::run::outcome::{Failure, Outcome};
use crate::world::{MOST_SLOTS, World};

/// Events between two looks at progress and interrupt.
const LOOK_EVERY: u64 = 1 << 16;

/// Planned events that leave the queue room for those of the time until the next look.
const MOST_EVENTS: u64 = 3 * MOST_SLOTS;
/// Ten years in nanoseconds.
const LONG: u64 = 10 * 365 * 24 * 3600 * 1_000_000_000;

/// Simulates a world until everything has ended; what outlives all workflows, until the time that is the most.
///
/// # Errors
/// See [`Failure`].
pub fn simulate(world: &World, options: &Options) -> Result<Outcome, Failure> {
    world.check().map_err(Failure::World)?;
    drawn::say(world, options.only);
    let wanted = Wanted {
        log: options.log,
        placements: options.placements,
        exhaustive: options.exhaustive,
        only: options.only,
    };
    let mut driver = Driver::new(world, wanted).map_err(Failure::Log)?;
    events::begin(&mut driver);
    let most = Time(if options.most_ns == 0 { LONG } else { options.most_ns });
    let mut events = 0;
    while events::turn(&mut driver) {
        read_ahead(&mut driver);
        events += 1;
        if let Some((event, error)) = driver.shim.wire.refused {
            return Err(Failure::Refused(event, error));
        }
        if driver.agenda.now > most && driver.dag.open > 0 {
            return Err(Failure::TooLong(most.0, driver.dag.open));
        }
        if driver.agenda.now > most {
            // Executors that join or are lost, and attempts of jobs that are over, change nothing any more.
            return Ok(outcome(driver, events));
        }
        if events % LOOK_EVERY == 0 {
            look(&driver, options, events)?;
        }
    }
    if driver.dag.open > 0 {
        return Err(Failure::Stuck(driver.agenda.now.0, driver.dag.open));
    }
    let left = driver.shim.wire.engine().map_or(0, holdfast_engine::Engine::left);
    if left + driver.tasks.sets.len() + driver.tasks.attempts.len() > 0 {
        return Err(Failure::Left(left + driver.tasks.sets.len() + driver.tasks.attempts.len()));
    }
    Ok(outcome(driver, events))
}

fn look(driver: &Driver, options: &Options, events: u64) -> Result<(), Failure> {
    if let Some(progress) = options.progress {
        progress(Progress { now_ns: driver.agenda.now.0, events, open: driver.dag.open });
    }
    if driver.agenda.queue.len() as u64 > MOST_EVENTS {
        return Err(Failure::TooMany);
    }
    let interrupted = options.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if interrupted { Err(Failure::Interrupted) } else { Ok(()) }
}

fn outcome(driver: Driver, events: u64) -> Outcome {
    let Driver { shim, meter, record, .. } = driver;
    let mut wire = shim.wire;
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
        steps: wire.count.steps,
        decisions: wire.count.decisions,
        asks: (wire.count.asks, wire.count.vetoes),
        totals: wire.engine().map(|engine| *engine.totals()),
        fingerprint: record.fingerprint.bits(),
        bounded: record.bounded,
        placements: record.placements.unwrap_or_default(),
        log: wire.finish_log(),
        workflows: meter.times,
    }
}
