//! A host in short words: executors of `slots` cores, workflow = job = id, one profile of one core.
#![allow(dead_code, reason = "each test binary uses its part")]

use holdfast_engine::pareto::STRICT;
use holdfast_engine::{
    AttemptId, Config, Decision, EndCause, Engine, Event, ExecutorId, HoldId, JobId, Outcome,
    PoolId, ProfileId, Reason, Resources, SetId, StageId, StageKind, Time, Verdict, WorkflowId,
};

pub mod gaps;

pub const SECOND: u64 = 1_000_000_000;
pub const P: ProfileId = ProfileId(0);

pub struct Host {
    pub engine: Engine,
    pub now: u64,
}

impl Host {
    /// Executors 0.. with that many slots each.
    pub fn new(config: Config, slots: &[u32]) -> Self {
        let mut host = Self { engine: Engine::new(config), now: 0 };
        host.say(Event::ProfileDefined { profile: P, runs_on: P, demand: Resources::cpu(1_000) });
        for (id, slots) in (0..).zip(slots) {
            host.executor(id, *slots);
        }
        host
    }

    pub fn say(&mut self, event: Event) -> Vec<Decision> {
        let mut out = Vec::new();
        self.engine.step(Time(self.now), &event, &mut out).expect("a valid event");
        out
    }

    pub fn at(&mut self, now: u64) -> Vec<Decision> {
        self.now = now;
        self.say(Event::Tick)
    }

    pub fn executor(&mut self, id: u32, slots: u32) -> Vec<Decision> {
        let capacity = Resources::cpu(1_000 * slots);
        self.say(Event::ExecutorAdded { executor: ExecutorId(id), profile: P, capacity })
    }

    pub fn workflow(&mut self, id: u32, priority: i32) -> Vec<Decision> {
        self.say(Event::WorkflowOpened {
            workflow: WorkflowId(id),
            priority,
            isolation: STRICT,
            parallelism: 0,
            pool: PoolId::ROOT,
        })
    }

    /// Important, and of a declared parallelism.
    pub fn declared(&mut self, id: u32, parallelism: u32) -> Vec<Decision> {
        let (workflow, priority, isolation, pool) = (WorkflowId(id), 1, STRICT, PoolId::ROOT);
        self.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool })
    }

    /// A job of workflow `workflow` with stages `(stage, tasks, next)`.
    pub fn job(&mut self, job: u32, workflow: u32, continues: bool, plan: &[(u32, u32, u32)]) {
        let (job, workflow) = (JobId(job), WorkflowId(workflow));
        self.say(Event::JobSubmitted { job, workflow, continues });
        for (stage, tasks, next) in plan {
            let (stage, signature) = (StageId(*stage), *stage);
            let (tasks, next) = (*tasks, *next);
            self.say(Event::StagePlanned {
                job,
                stage,
                tasks,
                next,
                next_profile: ProfileId(0),
                signature,
            });
        }
    }

    /// A set named like its stage.
    pub fn set(&mut self, id: u32, job: u32, tasks: u32) -> Vec<Decision> {
        self.set_of(StageKind::Result, id, job, tasks)
    }

    pub fn set_of_stage(&mut self, id: u32, job: u32, stage: u32, tasks: u32) -> Vec<Decision> {
        let (set, job, stage) = (SetId(id), JobId(job), StageId(stage));
        let kind = StageKind::Result;
        let (profile, fills_cache) = (P, false);
        self.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind })
    }

    pub fn set_of(&mut self, kind: StageKind, id: u32, job: u32, tasks: u32) -> Vec<Decision> {
        let (set, job, stage) = (SetId(id), JobId(job), StageId(id));
        self.say(Event::SetSubmitted {
            set,
            job,
            stage,
            tasks,
            profile: P,
            fills_cache: false,
            kind,
        })
    }

    /// A workflow with one job of one planned stage, submitted: everything has the id `id`.
    pub fn simple(&mut self, id: u32, priority: i32, tasks: u32, next: u32) {
        self.workflow(id, priority);
        self.job(id, id, false, &[(id, tasks, next)]);
        self.set(id, id, tasks);
    }

    pub fn launch(&mut self, attempt: u32, set: u32, task: u32, executor: u32) -> Vec<Decision> {
        let (set, executor) = (SetId(set), ExecutorId(executor));
        self.say(Event::Launched { attempt: AttemptId(attempt), set, task, executor, local: true })
    }

    pub fn free(&mut self, attempt: u32) -> Vec<Decision> {
        self.say(Event::SlotFreed { attempt: AttemptId(attempt), outcome: Outcome::Finished })
    }

    pub fn fail(&mut self, attempt: u32) -> Vec<Decision> {
        self.say(Event::SlotFreed { attempt: AttemptId(attempt), outcome: Outcome::NotFinished })
    }

    pub fn end(&mut self, set: u32) -> Vec<Decision> {
        self.say(Event::SetEnded { set: SetId(set) })
    }

    /// The answer when `free` cores are free on an executor.
    pub fn ask(&self, set: u32, executor: u32, free: u32) -> Verdict {
        let free = Resources::cpu(1_000 * free);
        self.engine.verdict(SetId(set), ExecutorId(executor), &free).expect("both are known")
    }

    pub fn held(&self) -> usize {
        self.engine.holds().len()
    }
}

pub fn literal() -> Config {
    Config { need: holdfast_engine::NeedRule::Literal, grow: false, ..Config::default() }
}

pub fn held(hold: u32, workflow: u32, executor: u32, reason: Reason, deadline: u64) -> Decision {
    Decision::Held {
        hold: HoldId(hold),
        workflow: WorkflowId(workflow),
        executor: ExecutorId(executor),
        reason,
        deadline: Time(deadline),
    }
}

pub fn ended(hold: u32, cause: EndCause) -> Decision {
    Decision::HoldEnded { hold: HoldId(hold), cause }
}

/// Whether a hold was made.
pub fn holds(decisions: &[Decision]) -> bool {
    decisions.iter().any(|d| matches!(d, Decision::Held { .. }))
}
