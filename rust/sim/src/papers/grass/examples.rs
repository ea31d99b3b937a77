//! The worked examples of the paper (NSDI'14, Fig. 1 and 2), played on the engine: a set of tasks on executors of one slot
//! each, whose attempts take whole seconds and report exactly.

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Engine, EngineError, Event, ExecutorId, JobId, Outcome,
    PoolId, ProfileId, Resources, SetId, StageId, StageKind, Stragglers, Time, WorkflowId,
};

const SECOND: u64 = 1_000_000_000;
const SET: SetId = SetId(1);
const JOB: JobId = JobId(1);
const STAGE: StageId = StageId(1);

/// An attempt that runs.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    id: u32,
    task: u32,
    slot: u32,
    from: u64,
    ends: u64,
}

/// What came of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// When each task was done, in seconds, the first first.
    pub done: Vec<u64>,
    /// The tasks that were copied, from 0 on, in order.
    pub copies: Vec<u32>,
}

/// An example while it is played.
#[derive(Debug)]
pub struct Play {
    engine: Engine,
    now: u64,
    running: Vec<Attempt>,
    /// What a new attempt of each task takes.
    sizes: Vec<u32>,
    attempts: u32,
    /// Tasks that have not begun.
    pending: Vec<u32>,
    outcomes: Outcomes,
}

impl Play {
    /// Task `i` takes `tasks[i].0` seconds when it begins anew; those with an end run from the beginning on, in a slot each.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn new(
        rule: Stragglers,
        (bound, value): (Bound, u32),
        tasks: &[(u32, Option<u64>)],
    ) -> Result<Self, EngineError> {
        let config = Config { stragglers: rule, explore_ppm: 0, ..Config::default() };
        let mut play = Self {
            engine: Engine::new(config),
            now: 0,
            running: Vec::new(),
            sizes: tasks.iter().map(|task| task.0).collect(),
            attempts: 0,
            pending: (0..).zip(tasks).map(|(task, _)| task).collect(),
            outcomes: Outcomes { done: Vec::new(), copies: Vec::new() },
        };
        let begun: Vec<(u32, u64)> =
            (0..).zip(tasks).filter_map(|(task, &(_, ends))| Some((task, ends?))).collect();
        play.submit(begun.len(), (bound, value))?;
        for (slot, (task, ends)) in (0..).zip(begun) {
            play.launch(slot, task, ends)?;
        }
        Ok(play)
    }

    /// Tells the engine of executors, of the job, and of the size of each task.
    fn submit(&mut self, slots: usize, (bound, value): (Bound, u32)) -> Result<(), EngineError> {
        let (profile, core) = (ProfileId(0), Resources::cpu(1_000));
        self.say(Event::ProfileDefined { profile, runs_on: profile, demand: core })?;
        for executor in (0..).map(ExecutorId).take(slots) {
            self.say(Event::ExecutorAdded { executor, profile, capacity: core })?;
        }
        let (workflow, isolation, pool) = (WorkflowId(1), STRICT, PoolId::ROOT);
        self.say(Event::WorkflowOpened { workflow, priority: 0, isolation, parallelism: 0, pool })?;
        self.say(Event::JobSubmitted { job: JOB, workflow, continues: false })?;
        let tasks = u32::try_from(self.sizes.len()).unwrap_or(u32::MAX);
        self.say(Event::StageBounded { job: JOB, stage: STAGE, bound, value })?;
        let (fills_cache, kind) = (false, StageKind::Result);
        self.say(Event::SetSubmitted {
            set: SET,
            job: JOB,
            stage: STAGE,
            tasks,
            profile,
            fills_cache,
            kind,
        })?;
        let sizes = self.sizes.clone();
        (0..).zip(sizes).try_for_each(|(task, units)| self.resize(task, units))
    }

    fn say(&mut self, event: Event) -> Result<(), EngineError> {
        self.engine.step(Time(self.now * SECOND), &event, &mut Vec::new())
    }

    /// Says that a new attempt of a task would take so many seconds.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn resize(&mut self, task: u32, units: u32) -> Result<(), EngineError> {
        self.say(Event::TaskSized { set: SET, task, units })
    }

    fn launch(&mut self, slot: u32, task: u32, ends: u64) -> Result<(), EngineError> {
        let (attempt, executor) = (AttemptId(self.attempts), ExecutorId(slot));
        self.say(Event::Launched { attempt, set: SET, task, executor, local: true })?;
        self.running.push(Attempt { id: self.attempts, task, slot, from: self.now, ends });
        self.attempts += 1;
        self.pending.retain(|&other| other != task);
        Ok(())
    }

    /// Ends the next attempt and kills the others of its task, and lets all that run say how far they are.
    ///
    /// Returns the slots that are free then; none when nothing runs.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn end_next(&mut self) -> Result<Vec<u32>, EngineError> {
        let Some(next) = self.running.iter().min_by_key(|a| (a.ends, a.task)).copied() else {
            return Ok(Vec::new());
        };
        self.now = next.ends;
        let (ended, running): (Vec<Attempt>, Vec<Attempt>) =
            self.running.iter().partition(|a| a.task == next.task);
        self.running = running;
        self.say(Event::SlotFreed { attempt: AttemptId(next.id), outcome: Outcome::Finished })?;
        for other in ended.iter().filter(|a| a.id != next.id) {
            let (attempt, outcome) = (AttemptId(other.id), Outcome::NotFinished);
            self.say(Event::SlotFreed { attempt, outcome })?;
        }
        self.outcomes.done.push(next.ends);
        for a in self.running.clone() {
            let done = (self.now - a.from) * 1_000_000 / (a.ends - a.from);
            let done = u32::try_from(done).unwrap_or(u32::MAX);
            self.say(Event::Progressed { attempt: AttemptId(a.id), done })?;
        }
        let mut slots = vec![next.slot];
        slots.extend(ended.iter().filter(|a| a.id != next.id).map(|a| a.slot));
        Ok(slots)
    }

    /// Returns what the engine would launch in a slot.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn choice(&self, slot: u32) -> Result<Choice, EngineError> {
        self.engine.pick(SET, ExecutorId(slot))
    }

    /// The task that a host takes of those that nobody runs.
    fn take(&self, largest: bool, most: u32) -> Option<u32> {
        let mut pending: Vec<(u32, u32)> =
            self.pending.iter().map(|&task| (self.sizes[task as usize], task)).collect();
        pending.sort_unstable();
        let few = pending.iter().rfind(|&&(units, _)| units <= most).filter(|_| largest);
        let units = few.or(pending.first())?.0;
        pending.iter().find(|other| other.0 == units).map(|&(_, task)| task)
    }

    /// Plays until the time, or until so many tasks are done.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn run(mut self, until: u64, tasks: usize) -> Result<Outcomes, EngineError> {
        let next = |play: &Self| play.running.iter().map(|a| a.ends).min();
        while self.outcomes.done.len() < tasks && next(&self).is_some_and(|next| next <= until) {
            for slot in self.end_next()? {
                if self.now < until {
                    self.fill(slot)?;
                }
            }
        }
        Ok(self.outcomes)
    }

    fn fill(&mut self, slot: u32) -> Result<(), EngineError> {
        let task = match self.choice(slot)? {
            Choice::Copy(task) => {
                self.outcomes.copies.push(task);
                Some(task)
            }
            Choice::Pending { largest, most } => self.take(largest, most),
            Choice::Host => self.pending.first().copied(),
            Choice::Nothing => None,
        };
        let Some(task) = task else { return Ok(()) };
        self.launch(slot, task, self.now + u64::from(self.sizes[task as usize]))
    }
}

/// Fig. 1: nine tasks on two slots until a deadline in seconds; T2 ends at 1, when T1 has 5 left and a new attempt of it
/// would take 2.
///
/// # Errors
/// Those of the engine.
pub fn fig_1(rule: Stragglers, deadline: u32) -> Result<Outcomes, EngineError> {
    let mut tasks = vec![(2, Some(6)), (1, Some(1))];
    tasks.extend([(1, None); 6]);
    tasks.push((3, None));
    let bound = (Bound::Deadline, 1_000 * deadline);
    Play::new(rule, bound, &tasks)?.run(deadline.into(), usize::MAX)
}

/// Fig. 2: six tasks on three slots, of which so many are wanted; T2 ends at 5, when T1 has 2 left and T3 has 6, which a new
/// attempt would do in 4.
///
/// # Errors
/// Those of the engine.
pub fn fig_2(rule: Stragglers, wanted: u32) -> Result<Outcomes, EngineError> {
    let tasks = [(5, Some(7)), (5, Some(5)), (4, Some(11)), (5, None), (5, None), (5, None)];
    // The largest share that may be missing for so many tasks to be needed.
    let bound = (Bound::Error, 6_u32.saturating_sub(wanted) * 1_000_000 / 6);
    Play::new(rule, bound, &tasks)?.run(u64::MAX, wanted as usize)
}
