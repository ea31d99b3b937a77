//! Launches: what an attempt takes, and what is told of it (`prepareLaunchingTask` of Spark 4.1 and of the shim).

use holdfast_engine::{AttemptId, Event as EngineEvent, ExecutorId};

use crate::cluster::level::Level;
use crate::cluster::place::Place;
use crate::driver::state::{Event, Host, MILLI};
use crate::driver::tasks::attempt::{Attempt, Ending};
use crate::driver::tasks::set::TaskSet;
use crate::ids::{NONE, index};
use crate::measure::placement::Placement;
use crate::world::Faults;
use crate::world::draw::About;
use crate::world::parents;
use crate::world::whole;

/// The third attempt of a task does not fail.
const MOST_FAILURES: u16 = 2;

impl Host<'_> {
    /// Spark commits a launch. The attempt begins when the round is over.
    pub(crate) fn launch(&mut self, set: u32, task: u32, level: Level, executor: u32, copy: bool) {
        let nearest = self.nearest(set);
        let number = self.next_attempt;
        self.next_attempt += 1;
        let s = &mut self.sets[set as usize];
        let t = &mut s.tasks[task as usize];
        s.waiting -= u32::from(t.waits());
        if s.waiting == 0 {
            self.calls[set as usize] = 0;
        }
        t.copies += 1;
        let next = std::mem::replace(&mut t.latest, index(self.attempts.vacant_key()));
        if t.attempts == 0 {
            t.executor = executor;
        }
        t.attempts += 1;
        s.running += 1;
        s.unsettled += 1;
        s.fresh = true;
        let (id, demand, pool) = (s.id, s.demand, self.order.lanes[s.lane as usize].pool);
        self.order.pools[pool as usize].running += 1;
        let attempt = self.attempts.insert(Attempt {
            number,
            set,
            task,
            executor,
            launched: self.now,
            end: None,
            ending: Ending::Finished,
            runs: true,
            settled: false,
            superseded: false,
            doomed: false,
            copy,
            next,
        });
        self.idle_since = None; // no timer may ring while it runs
        self.cluster.take(executor, demand);
        if self.launched.is_empty() {
            self.note_copiers();
        }
        self.launched.push((self.offers.place(executor), index(attempt)));
        let local = level <= nearest || level == Level::NoPreference;
        self.meter.launched(
            self.now,
            self.sets[set as usize].foreground,
            self.sets[set as usize].pending.place(task),
            level,
            copy,
        );
        if !self.sets[set as usize].over {
            let (attempt, executor) = (AttemptId(number), ExecutorId(executor));
            self.tell(EngineEvent::Launched { attempt, set: id, task, executor, local });
        }
    }

    /// Before a round's first launch: who wants copies from then on only takes part in the next one.
    fn note_copiers(&mut self) {
        self.copiers.clear();
        for &set in &self.special {
            let s = &self.sets[set as usize];
            if !s.zombie && !s.is_schedulable() && self.wire.wants_copies(s.id) {
                self.copiers.push(set);
            }
        }
    }

    /// The executor has an attempt: its end is planned.
    pub(crate) fn start(&mut self, attempt: u32) {
        let a = self.attempts[attempt as usize];
        let s = &self.sets[a.set as usize];
        let partition = s.partition(a.task);
        // Spark numbers the attempts of a task in the order of their launches.
        let number = s.tasks[a.task as usize].attempts - 1;
        let of = [u64::from(s.stage_attempt), u64::from(partition), u64::from(number)];
        let what =
            |draw: crate::world::draw::Draw| of.iter().fold(draw, |draw, &part| draw.of(part));
        let placement = Placement {
            at_ns: self.now.0,
            executor: a.executor,
            stage: s.stage_id,
            stage_attempt: s.stage_attempt,
            partition,
            attempt: u32::from(number),
            copy: a.copy,
        };
        let stage = || &self.stages[s.stage as usize];
        let durations = s.durations.as_ref();
        let durations = durations.unwrap_or_else(|| &stage().spec(self.world).durations);
        let mut ms = durations.millis(partition, what(s.draw));
        let drawn = |about| what(stage().draw(self.draw.about(about))).uniform();
        let ending = self.fate(s, number, || drawn(About::Failure));
        if ending != Ending::Finished {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let part = ms as f64 * drawn(About::FailurePoint);
            ms = whole(part).max(1);
        }
        self.record(placement);
        let factor = self.factor(&a);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let nanos = if factor == 1.0 {
            ms * MILLI
        } else {
            whole(libm::round((ms * MILLI) as f64 * factor))
        };
        let launch = whole(self.world.spark.launch_ms * 1e6);
        let end = self.plan(launch.saturating_add(nanos.max(1)), Event::End(attempt));
        let a = &mut self.attempts[attempt as usize];
        a.end = Some(end);
        a.ending = ending;
    }

    /// How an attempt of a task ends, by its number; `drawn` is from 0 to 1.
    fn fate(&self, set: &TaskSet, number: u16, drawn: impl Fn() -> f64) -> Ending {
        let Faults { failing, fetch_failing, .. } = self.world.faults;
        if set.together || (failing == 0.0 && fetch_failing == 0.0) {
            return Ending::Finished;
        }
        let stage = &self.stages[set.stage as usize];
        let reads = set.stage_attempt == 0
            && !parents(self.job_spec(set.job), stage.place as usize).is_empty();
        let drawn = drawn();
        if reads && drawn >= 1.0 - fetch_failing {
            Ending::FetchFailed
        } else if number < MOST_FAILURES && drawn < failing {
            Ending::Failed
        } else {
            Ending::Finished
        }
    }

    fn record(&mut self, placement: Placement) {
        let Placement { at_ns, executor, stage, partition, attempt, .. } = placement;
        let what = u64::from(stage) << 32 | u64::from(partition);
        let whom = u64::from(executor) << 32 | u64::from(attempt);
        self.fingerprint = self.fingerprint.of(at_ns).of(what).of(whom);
        if let Some(placements) = &mut self.placements {
            placements.push(placement);
        }
    }

    /// How many times as long as at its best place an attempt takes where it is.
    fn factor(&mut self, a: &Attempt) -> f64 {
        let e = &self.cluster.executors[a.executor as usize];
        let spark = &self.world.spark;
        let s = &self.sets[a.set as usize];
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
            Place::Executor(..) if self.reads_output_of(s.stage, a.executor) => 1.0,
            Place::Executor(..) | Place::Host(_) => spark.remote_penalty,
        };
        let mut factor = distance / e.speed;
        if let Some(warm_up) = &spark.warm_up {
            let begun = self.cluster.warmth.entry((s.flow, a.executor)).or_default();
            if *begun < warm_up.attempts {
                *begun += 1;
                factor *= warm_up.factor;
            }
        }
        factor
    }

    /// Whether an attempt of a task has ever run on an executor.
    pub(crate) fn ran_on(&self, set: u32, task: u32, executor: u32) -> bool {
        self.attempts_of(set, task).any(|e| e == executor)
    }

    /// Where attempts of a task have run.
    pub(crate) fn attempts_of(&self, set: u32, task: u32) -> impl Iterator<Item = u32> {
        let s = &self.sets[set as usize];
        let mut next = s.tasks[task as usize].latest;
        let unsettled = std::iter::from_fn(move || {
            let a = (next != NONE).then(|| &self.attempts[next as usize])?;
            next = a.next;
            Some(a.executor)
        });
        let first = s.tasks[task as usize].executor;
        let ended = s.ended.iter().filter(move |ended| ended.task == task).map(|e| e.executor);
        unsettled.chain([first]).chain(ended)
    }
}
