//! Launches: what an attempt takes, and what is told of it (`prepareLaunchingTask` of Spark 4.1 and of the shim).

use crate::cluster::level::Level;
use crate::cluster::place::Place;
use crate::driver::decisions::tell;
use crate::driver::reports::begin_reports;
use crate::driver::sizes::millis;
use crate::driver::state::Driver;
use crate::driver::tasks::attempt::{Attempt, Ending};
use crate::driver::tasks::set::TaskSet;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::ids::index;
use crate::measure::placement::Placement;
use crate::world::draw::About;
use crate::world::{Faults, parents, whole};
use holdfast_engine::{AttemptId, Event as EngineEvent, ExecutorId};

/// The third attempt of a task does not fail.
const MOST_FAILURES: u16 = 2;

/// Commits a launch. The attempt begins when the round is over.
pub(crate) fn launch(
    driver: &mut Driver<'_>,
    set: u32,
    task: u32,
    level: Level,
    executor: u32,
    copy: bool,
) {
    let nearest = driver.nearest(set);
    let number = driver.tasks.next_attempt;
    driver.tasks.next_attempt += 1;
    let s = &mut driver.tasks.sets[set as usize];
    let t = &mut s.tasks[task as usize];
    s.count.waiting -= u32::from(t.waits());
    if s.count.waiting == 0 {
        driver.tasks.calls[set as usize] = 0;
    }
    t.copies += 1;
    let next = std::mem::replace(&mut t.latest, index(driver.tasks.attempts.vacant_key()));
    if t.attempts == 0 {
        t.executor = executor;
    }
    // A copy may be launched in the same round.
    let nth = t.attempts;
    t.attempts += 1;
    s.count.running += 1;
    s.count.unsettled += 1;
    s.queued.fresh = true;
    let (id, demand, pool) = (s.id, s.kind.demand, driver.queues.order.lanes[s.lane as usize].pool);
    driver.queues.order.pools[pool as usize].running += 1;
    let attempt = driver.tasks.attempts.insert(Attempt {
        number,
        set,
        task,
        executor,
        nth,
        launched: driver.agenda.now,
        end: None,
        ending: Ending::Finished,
        runs: true,
        settled: false,
        superseded: false,
        doomed: false,
        copy,
        next,
    });
    driver.agenda.idle_since = None; // no timer may ring while it runs
    driver.cluster.take(executor, demand);
    if driver.round.launched.is_empty() {
        note_copiers(driver);
    }
    driver.round.launched.push((driver.round.offers.place(executor), index(attempt)));
    let local = level <= nearest || level == Level::NoPreference;
    driver.meter.launched(
        driver.agenda.now,
        driver.tasks.sets[set as usize].kind.foreground,
        driver.tasks.sets[set as usize].pending.place(task),
        level,
        copy,
    );
    if !driver.tasks.sets[set as usize].life.over {
        let (attempt, executor) = (AttemptId(number), ExecutorId(executor));
        tell(driver, EngineEvent::Launched { attempt, set: id, task, executor, local });
    }
}

/// Notes which sets want copies before a round's first launch: others that want some later take part in the next round.
fn note_copiers(driver: &mut Driver<'_>) {
    driver.round.copiers.clear();
    for &set in &driver.queues.special {
        let s = &driver.tasks.sets[set as usize];
        if !s.life.zombie && !s.is_schedulable() && driver.shim.wire.wants_copies(s.id) {
            driver.round.copiers.push(set);
        }
    }
}

/// Begins an attempt: its end is planned.
pub(crate) fn start(driver: &mut Driver<'_>, attempt: u32) {
    let a = driver.tasks.attempts[attempt as usize];
    let s = &driver.tasks.sets[a.set as usize];
    let partition = s.partition(a.task);
    // Spark numbers the attempts of a task in the order of their launches.
    let number = a.nth;
    let of = [u64::from(s.source.stage_attempt), u64::from(partition), u64::from(number)];
    let what = |draw: crate::world::draw::Draw| of.iter().fold(draw, |draw, &part| draw.of(part));
    let placement = Placement {
        at_ns: driver.agenda.now.0,
        executor: a.executor,
        stage: s.source.stage_id,
        stage_attempt: s.source.stage_attempt,
        partition,
        attempt: u32::from(number),
        copy: a.copy,
    };
    let stage = || &driver.dag.stages[s.stage as usize];
    let mut ms = millis(driver, s, a.task, number);
    let drawn = |about| what(stage().draw(driver.draw.about(about))).uniform();
    let ending = fate(driver, s, number, || drawn(About::Failure));
    if ending != Ending::Finished {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let part = ms as f64 * drawn(About::FailurePoint);
        ms = whole(part).max(1);
    }
    record(driver, placement);
    let factor = factor(driver, &a);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let nanos =
        if factor == 1.0 { ms * MILLI } else { whole(libm::round((ms * MILLI) as f64 * factor)) };
    let launch = whole(driver.world.spark.launch_ms * 1e6);
    let end = driver.agenda.plan(launch.saturating_add(nanos.max(1)), SimEvent::End(attempt));
    let a = &mut driver.tasks.attempts[attempt as usize];
    a.end = Some(end);
    a.ending = ending;
    begin_reports(driver, attempt);
}

/// Returns how an attempt of a task ends, by its number; `drawn` is from 0 to 1.
fn fate(driver: &Driver<'_>, set: &TaskSet, number: u16, drawn: impl Fn() -> f64) -> Ending {
    let Faults { failing, fetch_failing, .. } = driver.world.faults;
    if set.kind.together || (failing == 0.0 && fetch_failing == 0.0) {
        return Ending::Finished;
    }
    let stage = &driver.dag.stages[set.stage as usize];
    let reads = set.source.stage_attempt == 0
        && !parents(driver.dag.job_spec(driver.world, set.source.job), stage.place as usize)
            .is_empty();
    let drawn = drawn();
    if reads && drawn >= 1.0 - fetch_failing {
        Ending::FetchFailed
    } else if number < MOST_FAILURES && drawn < failing {
        Ending::Failed
    } else {
        Ending::Finished
    }
}

/// Keeps a launch, if launches are wanted, and its part of the fingerprint.
fn record(driver: &mut Driver<'_>, placement: Placement) {
    let Placement { at_ns, executor, stage, partition, attempt, .. } = placement;
    let what = u64::from(stage) << 32 | u64::from(partition);
    let whom = u64::from(executor) << 32 | u64::from(attempt);
    driver.record.fingerprint = driver.record.fingerprint.of(at_ns).of(what).of(whom);
    if let Some(placements) = &mut driver.record.placements {
        placements.push(placement);
    }
}

/// Returns how many times as long as at its best place an attempt takes where it is.
fn factor(driver: &mut Driver<'_>, a: &Attempt) -> f64 {
    let e = &driver.cluster.executors[a.executor as usize];
    let spark = &driver.world.spark;
    let s = &driver.tasks.sets[a.set as usize];
    let distance = match s.pending.place(a.task) {
        Place::Executor(executor, host) if host == e.host => {
            if executor == a.executor {
                1.0
            } else {
                spark.node_penalty
            }
        }
        Place::Host(host) if host == e.host => 1.0,
        Place::Anywhere => 1.0,
        Place::Executor(..) if driver.preferences().reads_output_of(s.stage, a.executor) => 1.0,
        Place::Executor(..) | Place::Host(_) => spark.remote_penalty,
    };
    let mut factor = distance / e.speed;
    if let Some(warm_up) = &spark.warm_up {
        let begun = driver.cluster.warmth.entry((s.owner, a.executor)).or_default();
        if *begun < warm_up.attempts {
            *begun += 1;
            factor *= warm_up.factor;
        }
    }
    factor
}
