//! What a host says and does about bounded jobs, where it says that runs end, and who is akin: drawn apart from all
//! else, so that seeds without a rule for stragglers go on as they did.

use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Event, GrassSwitch, JobId, SetId, StageId, Stragglers,
    WorkflowId,
};

use super::host::Host;
use super::rng::Rng;
use super::setup::MILLIS;

/// Draws `linger.query`, `stragglers` and its keys; in half of the cases these stay what they are.
pub(super) fn config(rng: &mut Rng, mut config: Config) -> Config {
    config.linger_query_ns = rng.pick(&[0, 50, 500, 10_000]).unwrap_or(500) * MILLIS;
    if rng.chance(50) {
        return config;
    }
    let rules = [
        Stragglers::Grass,
        Stragglers::Grass,
        Stragglers::Grass,
        Stragglers::Gs,
        Stragglers::Ras,
        Stragglers::Late,
        Stragglers::Mantri,
        Stragglers::Off,
    ];
    let switches = [GrassSwitch::Learned, GrassSwitch::Learned, GrassSwitch::Waves];
    Config {
        stragglers: rng.pick(&rules).unwrap_or(Stragglers::Grass),
        explore_ppm: rng.pick(&[0, 150_000, 500_000, 1_000_000]).unwrap_or(0),
        explore_seed: rng.below(1_000),
        grass_switch: rng.pick(&switches).unwrap_or(GrassSwitch::Learned),
        grass_factors: rng.below(8),
        ..config
    }
}

/// What the host says about bounds, and how often.
#[derive(Clone, Debug)]
pub(super) struct Says {
    rng: Rng,
    /// How often it says something at all, in percent.
    often: u32,
    /// How long it waits at most before that, in microseconds.
    pace: u32,
    /// How often it says that a run has ended, or who is akin to whom, in percent.
    ends: u32,
}

impl Says {
    pub(super) fn nothing(seed: u64) -> Self {
        Self { rng: Rng::beside(seed), often: 0, pace: 1, ends: 0 }
    }

    /// With a rule for stragglers it says a lot; without one now and then, to no avail.
    pub(super) fn new(mut rng: Rng, stragglers: Stragglers) -> Self {
        let races = !matches!(stragglers, Stragglers::Holds | Stragglers::Off);
        let much = rng.pick(&[20, 40, 60]).unwrap_or(20);
        let often = if races { much } else { rng.pick(&[0, 0, 0, 5]).unwrap_or(0) };
        let pace = rng.pick(&[1, 1_000, 100_000, 1_000_000]).unwrap_or(1);
        let ends = rng.pick(&[0, 2, 10, 25]).unwrap_or(0);
        Self { rng, often, pace, ends }
    }
}

impl Host {
    /// Something about bounds, sizes or progress, a run's end or kinship, if it is time for that.
    pub(super) fn says(&mut self) -> Option<Event> {
        if self.says.rng.chance(self.says.ends) {
            let workflow = WorkflowId(self.says.rng.below(5));
            if self.says.rng.chance(20) {
                let to = WorkflowId(self.says.rng.below(5));
                return Some(Event::Akin { workflow, to });
            }
            return Some(Event::RunEnded { workflow });
        }
        if !self.says.rng.chance(self.says.often) {
            return None;
        }
        let event = match self.says.rng.below(20) {
            0..4 => self.stage_bounded(),
            4..8 => self.task_sized(),
            8..17 => self.progressed(),
            _ => Some(self.sampled()),
        }?;
        if self.says.rng.chance(70) {
            let wait = u64::from(self.says.rng.below(self.says.pace));
            self.now = self.now.after(wait * MILLIS / 1_000);
        }
        Some(event)
    }

    /// Of a stage that is planned, or that has a set; now and then of none, or of an unknown job.
    fn stage_bounded(&mut self) -> Option<Event> {
        let planned = |job: &JobId| self.truth.jobs[job].stages.iter().map(|stage| stage.0);
        let jobs = self.truth.jobs.keys();
        let planned = jobs.flat_map(|job| planned(job).map(|stage| (*job, stage)));
        let running = self.truth.sets.values().map(|set| (set.job, set.stage));
        let stages: Vec<(JobId, StageId)> = planned.chain(running).collect();
        let rng = &mut self.says.rng;
        let (job, stage) = if rng.chance(3) {
            (JobId(rng.below(60)), StageId(rng.below(60)))
        } else {
            rng.pick(&stages)?
        };
        let (bound, value) = if rng.chance(45) {
            let longest = rng.pick(&[1, 20, 500, 3_000, 60_000]).unwrap_or(1);
            let some = rng.below(longest);
            (Bound::Deadline, rng.pick(&[0, some, some, some, some, u32::MAX]).unwrap_or(0))
        } else {
            let shares =
                [0, 1, 100_000, 200_000, 300_000, 500_000, 700_000, 1_000_000, 1_000_001, u32::MAX];
            (Bound::Error, rng.pick(&shares).unwrap_or(0))
        };
        Some(Event::StageBounded { job, stage, bound, value })
    }

    /// Mostly of a set that has not begun.
    fn task_sized(&mut self) -> Option<Event> {
        let busy = |set: &SetId| self.truth.attempts.values().any(|a| a.set == *set);
        let known: Vec<SetId> = self.truth.sets.keys().copied().collect();
        let idle: Vec<SetId> = known.iter().filter(|set| !busy(set)).copied().collect();
        let rng = &mut self.says.rng;
        let set = if rng.chance(85) { rng.pick(&idle)? } else { rng.pick(&known)? };
        let tasks = self.truth.sets[&set].tasks;
        let task = if rng.chance(97) { rng.below(tasks) } else { rng.below(100) };
        let units = rng.pick(&[0, 1, 2, 3, 5, 8, 100, u32::MAX]).unwrap_or(1);
        Some(Event::TaskSized { set, task, units })
    }

    /// Reports of all kinds: early, late, going back, of all that there is and more, of attempts that are gone.
    fn progressed(&mut self) -> Option<Event> {
        let running: Vec<AttemptId> = self.truth.attempts.keys().copied().collect();
        let rng = &mut self.says.rng;
        let attempt = if rng.chance(3) { AttemptId(rng.below(200)) } else { rng.pick(&running)? };
        let some = rng.below(1_000_000);
        let dones = [0, 1, 20_000, 50_000, 1_000_000, 1_500_000, u32::MAX, some, some, some, some];
        let done = rng.pick(&dones).unwrap_or(0);
        Some(Event::Progressed { attempt, done })
    }

    /// Samples that agree: which rule is better depends on utilization.
    fn agreed(&mut self) -> Event {
        let rng = &mut self.says.rng;
        let bound = if rng.chance(50) { Bound::Deadline } else { Bound::Error };
        let (greedy, busy) = (rng.chance(50), rng.chance(50));
        let better = greedy != busy;
        let large = better == (bound == Bound::Deadline);
        let tasks = rng.pick(&[5, 9]).unwrap_or(5);
        Event::Sampled {
            greedy,
            bound,
            tasks,
            value: rng.pick(&[3, tasks, tasks]).unwrap_or(3),
            utilization: if busy { 1_000_000 } else { rng.below(300_000) },
            accuracy: rng.pick(&[0, 500_000, 900_000]).unwrap_or(0),
            score: rng.below(20) + if large { 900_000 } else { 100 },
        }
    }

    fn sampled(&mut self) -> Event {
        if self.says.rng.chance(70) {
            return self.agreed();
        }
        let rng = &mut self.says.rng;
        let bound = if rng.chance(50) { Bound::Deadline } else { Bound::Error };
        let tasks = rng.pick(&[0, 3, 9, 50, 51, 500, 501, u32::MAX]).unwrap_or(3);
        let some = rng.below(3_000);
        let value = rng.pick(&[0, 3, 9, some, some, u32::MAX]).unwrap_or(3);
        let score = rng.below(if bound == Bound::Deadline { 1_000_001 } else { 10_000 });
        Event::Sampled {
            greedy: rng.chance(50),
            bound,
            tasks,
            value,
            utilization: rng.below(1_000_001),
            accuracy: rng.below(1_000_001),
            score,
        }
    }

    /// What a host launches of a set with these pending tasks, as the engine picks.
    pub(super) fn picked(&self, set: SetId, pending: &[u32], choice: Choice) -> Option<u32> {
        let size = |task: &u32| self.truth.sizes.get(&(set, *task)).copied().unwrap_or(1);
        let smallest = pending.iter().min_by_key(|task| (size(task), **task));
        match choice {
            Choice::Host => pending.first().copied(),
            Choice::Copy(task) => Some(task),
            Choice::Nothing => None,
            Choice::Pending { largest: false, .. } => smallest.copied(),
            Choice::Pending { largest: true, most } => {
                let few = pending.iter().filter(|task| size(task) <= most);
                let order = |task: &&u32| (size(task), std::cmp::Reverse(**task));
                few.max_by_key(order).or(smallest).copied()
            }
        }
    }
}
