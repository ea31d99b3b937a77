//! How much tasks have to do, and what the engine hears of it (GR-6).

use crate::driver::decisions::tell;
use crate::driver::state::Driver;
use crate::driver::tasks::set::TaskSet;
use crate::ids::index;
use crate::world::draw::About;
use crate::world::{ProgressSpec, whole};
use holdfast_engine::Event as EngineEvent;

/// The size of a task of which nothing is said.
const USUAL: u32 = 1_000;

/// Returns the milliseconds that an attempt of a task takes at its best place, by its number among those of the task.
pub(crate) fn millis(driver: &Driver<'_>, set: &TaskSet, task: u32, attempt: u16) -> u64 {
    let partition = set.partition(task);
    let spec = || driver.dag.stages[set.stage as usize].spec(driver.world);
    let of = [u64::from(set.source.stage_attempt), u64::from(partition), u64::from(attempt)];
    let draw = of.iter().fold(set.source.draw, |draw, &part| draw.of(part));
    let durations = set.source.durations.as_ref().unwrap_or_else(|| &spec().durations);
    let ms = if attempt == 0 {
        durations.millis(partition, draw)
    } else {
        durations.again(partition, draw)
    };
    if !set.source.sized {
        return ms;
    }
    let size = spec().sizes.get(partition as usize).copied().unwrap_or(USUAL);
    let sized = u128::from(ms) * u128::from(size) / u128::from(USUAL);
    u64::try_from(sized).unwrap_or(u64::MAX).max(1)
}

/// Tells the engine how large the tasks of a new set are, if it wants to know.
pub(crate) fn tell_sizes(driver: &mut Driver<'_>, set: u32) {
    let progress = driver.world.spark.progress.unwrap_or_default();
    let s = &driver.tasks.sets[set as usize];
    if !driver.shim.wire.picks || s.kind.together || !(s.source.sized || progress.oracle) {
        return;
    }
    let units: Vec<u32> = (0..index(s.tasks.len()))
        .map(|task| {
            if progress.oracle {
                next_millis(driver, s, task)
            } else {
                told(driver, s, task, progress)
            }
        })
        .collect();
    let id = s.id;
    for (task, &units) in (0..).zip(&units) {
        tell(driver, EngineEvent::TaskSized { set: id, task, units });
    }
    driver.tasks.sets[set as usize].source.units = units;
}

/// Tells the engine what one more attempt of a task takes that has just been launched, if that is known: an oracle's.
pub(crate) fn tell_next(driver: &mut Driver<'_>, set: u32, task: u32) {
    let s = &driver.tasks.sets[set as usize];
    let (id, units) = (s.id, next_millis(driver, s, task));
    tell(driver, EngineEvent::TaskSized { set: id, task, units });
    driver.tasks.sets[set as usize].source.units[task as usize] = units;
}

fn next_millis(driver: &Driver<'_>, set: &TaskSet, task: u32) -> u32 {
    let next = millis(driver, set, task, set.tasks[task as usize].attempts);
    u32::try_from(next).unwrap_or(u32::MAX)
}

/// Returns the size of a task as it is told: off by a drawn share.
fn told(driver: &Driver<'_>, set: &TaskSet, task: u32, progress: ProgressSpec) -> u32 {
    let partition = set.partition(task);
    let stage = &driver.dag.stages[set.stage as usize];
    let size = stage.spec(driver.world).sizes.get(partition as usize).copied().unwrap_or(USUAL);
    let drawn = stage.draw(driver.draw.about(About::Estimate)).of(u64::from(partition)).uniform();
    let off = 1.0 + off(progress.size_error, drawn);
    u32::try_from(whole(f64::from(size) * off)).unwrap_or(u32::MAX).max(1)
}

/// Returns by which share an estimate is off, whose mean absolute one is `mean`; `drawn` is from 0 to 1.
pub(crate) fn off(mean: f64, drawn: f64) -> f64 {
    2.0 * mean * (2.0 * drawn - 1.0)
}
