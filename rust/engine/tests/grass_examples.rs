//! The worked examples of GRASS (NSDI'14, introduction, Fig. 1 and 2), played on the engine: what a slot is used for, by
//! which rule, and how many tasks are done when.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Host, SECOND};
use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Event, ExecutorId, JobId, Outcome, SetId, StageId, Stragglers,
};

/// An attempt that runs.
#[derive(Clone, Copy)]
struct Attempt {
    id: u32,
    task: u32,
    slot: u32,
    from: u64,
    ends: u64,
}

/// A set of tasks on executors of one slot each. What attempts report is exact. Seconds.
struct Play {
    host: Host,
    running: Vec<Attempt>,
    /// What a new attempt of each task takes.
    sizes: Vec<u64>,
    attempts: u32,
    /// Tasks that have not begun.
    pending: Vec<u32>,
    done: Vec<u64>,
    copies: Vec<u32>,
}

impl Play {
    /// Task `i` takes `tasks[i].0` when it begins anew; those with an end run from the beginning on.
    fn new(rule: Stragglers, (bound, value): (Bound, u32), tasks: &[(u64, Option<u64>)]) -> Self {
        let config = Config { stragglers: rule, explore_ppm: 0, ..Config::default() };
        let running = tasks.iter().filter(|task| task.1.is_some());
        let mut host = Host::new(config, &vec![1; running.count()]);
        host.workflow(1, 0);
        let number = u32::try_from(tasks.len()).unwrap();
        host.job(1, 1, false, &[(1, number, 0)]);
        host.say(Event::StageBounded { job: JobId(1), stage: StageId(1), bound, value });
        host.set(1, 1, number);
        for (task, &(new, _)) in (0..).zip(tasks) {
            let units = u32::try_from(new).unwrap();
            host.say(Event::TaskSized { set: SetId(1), task, units });
        }
        let (running, done, copies) = (Vec::new(), Vec::new(), Vec::new());
        let sizes = tasks.iter().map(|task| task.0).collect();
        let pending = (0..number).collect();
        let mut play = Self { host, running, sizes, attempts: 0, pending, done, copies };
        let begun = (0..).zip(tasks).filter_map(|(task, &(_, ends))| Some((task, ends?)));
        for (slot, (task, ends)) in (0..).zip(begun) {
            play.launch(slot, task, 0, ends);
        }
        play
    }

    fn launch(&mut self, slot: u32, task: u32, from: u64, ends: u64) {
        self.host.launch(self.attempts, 1, task, slot);
        self.running.push(Attempt { id: self.attempts, task, slot, from, ends });
        self.attempts += 1;
        self.pending.retain(|&other| other != task);
    }

    /// Everything that runs says how far it is.
    fn report(&mut self, now: u64) {
        for a in self.running.clone() {
            let done = (now - a.from) * 1_000_000 / (a.ends - a.from);
            let done = u32::try_from(done).unwrap();
            self.host.say(Event::Progressed { attempt: AttemptId(a.id), done });
        }
    }

    /// The next attempt to end, whose others are killed; returns their slots.
    fn end_next(&mut self) -> Option<(u64, Vec<u32>)> {
        let next = *self.running.iter().min_by_key(|a| (a.ends, a.task))?;
        self.host.now = next.ends * SECOND;
        self.host.free(next.id);
        let others = self.running.iter().filter(|a| a.task == next.task && a.id != next.id);
        let others: Vec<Attempt> = others.copied().collect();
        for other in &others {
            let (attempt, outcome) = (AttemptId(other.id), Outcome::NotFinished);
            self.host.say(Event::SlotFreed { attempt, outcome });
        }
        self.running.retain(|a| a.task != next.task);
        self.done.push(next.ends);
        let slots = std::iter::once(next.slot).chain(others.iter().map(|a| a.slot));
        Some((next.ends, slots.collect()))
    }

    fn choice(&self, slot: u32) -> Choice {
        self.host.engine.pick(SetId(1), ExecutorId(slot)).unwrap()
    }

    /// The task that a host takes of those that nobody runs.
    fn take(&self, largest: bool, most: u32) -> u32 {
        let units = |task: &u32| u32::try_from(self.sizes[*task as usize]).unwrap();
        let mut pending = self.pending.clone();
        pending.sort_by_key(|task| (units(task), *task));
        let few = pending.iter().rfind(|task| units(task) <= most).filter(|_| largest);
        let same = few.map(units);
        same.and_then(|size| pending.iter().copied().find(|task| units(task) == size))
            .unwrap_or(pending[0])
    }

    /// Plays until the time, or until so many tasks are done; returns when each was done.
    fn run(mut self, until: u64, tasks: usize) -> (Vec<u64>, Vec<u32>) {
        while self.done.len() < tasks {
            let next = self.running.iter().map(|a| a.ends).min();
            if next.is_none_or(|next| next > until) {
                break;
            }
            let Some((now, slots)) = self.end_next() else { break };
            if now == until {
                continue; // Others may end at the same time; nothing that begins now counts.
            }
            self.report(now);
            for slot in slots {
                let task = match self.choice(slot) {
                    Choice::Copy(task) => {
                        self.copies.push(task);
                        task
                    }
                    Choice::Pending { largest, most } => self.take(largest, most),
                    Choice::Nothing => continue,
                    Choice::Host => panic!("a bounded set is not the host's to choose from"),
                };
                self.launch(slot, task, now, now + self.sizes[task as usize]);
            }
        }
        (self.done, self.copies)
    }
}

const ALL: usize = usize::MAX;

/// Fig. 1: nine tasks on two slots; T2 ends at 1, when T1 has 5 left and a new attempt of it would take 2.
fn fig_1(rule: Stragglers, deadline: u32) -> (usize, Vec<u32>) {
    let mut tasks = vec![(2, Some(6)), (1, Some(1))];
    tasks.extend([(1, None); 6]);
    tasks.push((3, None));
    let bound = (Bound::Deadline, 1_000 * deadline);
    let (done, copies) = Play::new(rule, bound, &tasks).run(deadline.into(), ALL);
    (done.len(), copies)
}

/// Fig. 2: six tasks on three slots; T2 ends at 5, when T1 has 2 left and T3 has 6, which a new attempt would do in 4.
fn fig_2(rule: Stragglers, wanted: u32) -> (u64, Vec<u32>) {
    let tasks = [(5, Some(7)), (5, Some(5)), (4, Some(11)), (5, None), (5, None), (5, None)];
    // The largest share that may be missing for so many tasks to be needed.
    let bound = (Bound::Error, (6 - wanted) * 1_000_000 / 6);
    let (done, copies) = Play::new(rule, bound, &tasks).run(u64::MAX, wanted as usize);
    assert_eq!(done.len(), wanted as usize);
    (*done.last().unwrap(), copies)
}

#[test]
fn fig_1_a_copy_costs_gs_a_task_and_wins_ras_one() {
    assert_eq!(fig_1(Stragglers::Gs, 6).0, 7);
    let (done, copies) = fig_1(Stragglers::Ras, 6);
    assert_eq!((done, copies[0]), (8, 0), "RAS copies T1, which saves 5 - 2 x 2 = 1");
}

#[test]
fn fig_1_with_a_tight_deadline_gs_does_more() {
    assert_eq!(fig_1(Stragglers::Gs, 3), (3, vec![]));
    assert_eq!(fig_1(Stragglers::Ras, 3).0, 2);
}

#[test]
fn fig_2_gs_is_sooner_near_the_bound_and_ras_far_from_it() {
    let (three, copies) = fig_2(Stragglers::Gs, 3);
    assert_eq!((three, copies[0]), (9, 2), "GS copies T3, which takes longest");
    assert_eq!(fig_2(Stragglers::Ras, 3).0, 10);
    assert_eq!(fig_2(Stragglers::Gs, 4).0, 12);
    assert_eq!(fig_2(Stragglers::Ras, 4).0, 11);
}

/// A straggler has 5 left, a copy would take 4, and another task takes 5.
#[test]
fn the_introductions_straggler_is_copied_by_gs_and_not_by_ras() {
    for (rule, copied) in [(Stragglers::Gs, true), (Stragglers::Ras, false)] {
        let bound = (Bound::Deadline, 100_000);
        let mut play = Play::new(rule, bound, &[(4, Some(9)), (4, Some(4)), (5, None)]);
        let (now, slots) = play.end_next().unwrap();
        play.report(now);
        assert_eq!(play.choice(slots[0]) == Choice::Copy(0), copied, "{rule:?}");
    }
}

/// A host that learns what a new attempt would take says so: the pace of the others stays what it was.
#[test]
fn a_task_that_runs_may_get_another_size() {
    let bound = (Bound::Error, 0);
    let mut play = Play::new(Stragglers::Gs, bound, &[(5, Some(5)), (5, Some(12)), (5, Some(9))]);
    let (now, slots) = play.end_next().unwrap();
    play.report(now);
    assert_eq!(play.choice(slots[0]), Choice::Copy(1), "7 are left, and a copy takes 5");
    let (set, task) = (SetId(1), 1);
    play.host.say(Event::TaskSized { set, task, units: 10 });
    assert_eq!(play.choice(slots[0]), Choice::Nothing, "a copy would take 10");
    play.end_next().unwrap();
    play.host.say(Event::TaskSized { set, task, units: 2 });
    assert_eq!(play.choice(slots[0]), Choice::Copy(1), "3 are left, and a copy takes 2");
}
