//! The liveness phase (R17): no more faults and arrivals; everything finishes, nothing remains.

use holdfast_engine::{
    AttemptId, Event, ExecutorId, JobId, Outcome, Policy, ProfileId, Resources, SetId, StageKind,
    Time, Verdict,
};

use super::{Failure, Pair, Reached, Rule, Timed};
use crate::invariants::Invariant;
use crate::model::Model;

const MILLI: u64 = 1_000_000;
/// More than any history of the generator needs.
const MOST_STEPS: u32 = 20_000;

struct Drain<'a, A, B> {
    pair: &'a mut Pair<A, B>,
    reached: &'a mut Reached,
    now: Time,
    next: u32,
    left: u32,
}

/// Lets everything finish.
pub(super) fn drain<A: Model, B: Model>(
    pair: &mut Pair<A, B>,
    reached: &mut Reached,
) -> Result<(), Failure> {
    let now = pair.seen().now;
    let mut drain = Drain { pair, reached, now, next: 1 << 30, left: MOST_STEPS };
    drain.mend()?;
    loop {
        let ended = drain.finish()? | drain.end()? | drain.submit()? | drain.launch()?;
        if ended {
            continue;
        }
        let Some(deadline) = drain.pair.first().next_deadline() else {
            break;
        };
        drain.now = drain.now.max(deadline);
        drain.say(Event::Tick)?;
    }
    drain.nothing_left()
}

impl<A: Model, B: Model> Drain<'_, A, B> {
    fn say(&mut self, event: Event) -> Result<(), Failure> {
        self.now = self.now.after(MILLI);
        if self.left == 0 {
            return Err(self.stuck("no end in sight"));
        }
        self.left -= 1;
        self.pair.step(Timed { now: self.now, event }, self.reached)?;
        Ok(())
    }

    fn stuck(&self, why: &str) -> Failure {
        let seen = self.pair.seen();
        let seen = format!("{why}: {:?} {:?} {:?}", seen.holds, seen.sets, seen.workflows);
        self.pair.failure(Rule::Broken(Invariant::R17), seen)
    }

    /// Makes the cluster whole, and large enough for everybody.
    fn mend(&mut self) -> Result<(), Failure> {
        let executors: Vec<ExecutorId> = self.pair.truth.executors.keys().copied().collect();
        for executor in executors {
            self.say(Event::ExecutorBarred { executor, barred: false })?;
        }
        if self.pair.truth.profiles.is_empty() {
            let demand = Resources::cpu(1);
            self.say(Event::ProfileDefined {
                profile: ProfileId(0),
                runs_on: ProfileId(0),
                demand,
            })?;
        }
        let sets: Vec<SetId> = self.pair.truth.sets.keys().copied().collect();
        for set in sets {
            let profile = self.pair.truth.set_profiles[&set];
            let demand = self.pair.truth.demands[&set];
            self.next += 1;
            let executor = ExecutorId(self.next);
            let capacity = self.room_for(profile, demand);
            self.say(Event::ExecutorAdded { executor, profile, capacity })?;
        }
        Ok(())
    }

    /// Room for two tasks beside all that may be set aside.
    fn room_for(&self, executors: ProfileId, demand: Resources) -> Resources {
        let config = self.pair.first().config();
        let aside = if config.policy == Policy::Static { config.static_slots } else { 0 };
        let own = self.pair.truth.profiles.get(&executors).map(|(_, demand)| *demand);
        demand.times(2).plus(own.unwrap_or_default().times(aside))
    }

    fn finish(&mut self) -> Result<bool, Failure> {
        let running: Vec<AttemptId> = self.pair.truth.attempts.keys().copied().collect();
        for attempt in &running {
            self.say(Event::SlotFreed { attempt: *attempt, outcome: Outcome::Finished })?;
        }
        Ok(!running.is_empty())
    }

    fn end(&mut self) -> Result<bool, Failure> {
        let sets: Vec<SetId> = self.pair.truth.sets.keys().copied().collect();
        let mut any = false;
        for set in sets {
            if self.pair.truth.complete(set) {
                any = true;
                self.say(Event::SetEnded { set })?;
            }
        }
        let jobs: Vec<JobId> = self.pair.truth.jobs.keys().copied().collect();
        for job in jobs {
            if self.pair.truth.waiting_stage(job).is_none() && !self.pair.truth.busy(job) {
                any = true;
                self.say(Event::JobEnded { job, succeeded: true })?;
            }
        }
        Ok(any)
    }

    fn submit(&mut self) -> Result<bool, Failure> {
        let jobs: Vec<JobId> = self.pair.truth.jobs.keys().copied().collect();
        let mut any = false;
        for job in jobs {
            let waiting = self.pair.truth.waiting_stage(job);
            let (Some((stage, tasks)), false) = (waiting, self.pair.truth.busy(job)) else {
                continue;
            };
            let Some((profile, (home, demand))) =
                self.pair.truth.profiles.iter().next().map(|(p, d)| (*p, *d))
            else {
                continue;
            };
            any = true;
            self.next += 1;
            let (set, executor) = (SetId(self.next), ExecutorId(self.next));
            let capacity = self.room_for(home, demand);
            self.say(Event::ExecutorAdded { executor, profile: home, capacity })?;
            let tasks = tasks.clamp(1, 8);
            let (fills_cache, kind) = (false, StageKind::Result);
            self.say(Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind })?;
        }
        Ok(any)
    }

    /// Every executor is offered to every set, by the first model's verdicts.
    fn launch(&mut self) -> Result<bool, Failure> {
        let mut any = false;
        let sets: Vec<SetId> = self.pair.truth.sets.keys().copied().collect();
        for set in sets {
            let pending = self.pair.truth.pending(set);
            let mut pending = pending.iter().copied();
            let executors: Vec<ExecutorId> =
                self.pair.truth.executors.keys().rev().copied().collect();
            for executor in executors {
                while self.allowed(set, executor) {
                    let Some(task) = pending.next() else { break };
                    any = true;
                    self.next += 1;
                    let attempt = AttemptId(self.next);
                    self.say(Event::Launched { attempt, set, task, executor, local: true })?;
                }
            }
        }
        Ok(any)
    }

    fn allowed(&self, set: SetId, executor: ExecutorId) -> bool {
        let seen = self.pair.seen();
        let Some(view) = seen.executor(executor) else {
            return false;
        };
        let free = view.capacity.minus(view.running);
        let fits = self.pair.truth.demands.get(&set).is_some_and(|demand| free.covers(demand));
        let model = self.pair.first();
        let admitted = model.admits(set) == Ok(true);
        let verdict = model.verdict(set, executor, &free);
        fits && admitted && matches!(verdict, Ok(Verdict::Allow | Verdict::AllowHeld))
    }

    fn nothing_left(&self) -> Result<(), Failure> {
        let (seen, truth) = (self.pair.seen(), &self.pair.truth);
        let finished = truth.attempts.is_empty() && truth.jobs.is_empty() && truth.sets.is_empty();
        if !finished {
            return Err(self.stuck("work is left, and nobody will ever be told"));
        }
        let idle = seen.workflows.iter().all(|w| !w.active && w.held == 0);
        if !seen.holds.is_empty() || !seen.sets.is_empty() || !idle {
            return Err(self.stuck("something is left"));
        }
        Ok(())
    }
}
