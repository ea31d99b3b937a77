//! `holdfast explain --stage --task` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::collections::BTreeMap;

use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Copies, Engine, Event, ExecutorId, JobId, Outcome, PoolId,
    ProfileId, Resources, SetId, StageId, StageKind, Stragglers, Time, WorkflowId,
};
use holdfast_log::{Header, LogWriter, NameKind};
use program::{Ran, file, holdfast};

/// A job of one stage on executors of one slot each, and its log. Seconds.
struct Play {
    engine: Engine,
    log: LogWriter,
    now: Time,
}

impl Play {
    fn new(stragglers: Stragglers, copies: Copies) -> Self {
        let config = Config { stragglers, copies, explore_ppm: 0, ..Config::default() };
        let mut log = LogWriter::new(&Header::new(config.clone(), BTreeMap::new())).unwrap();
        log.name(NameKind::Workflow, 1, "analyst");
        let mut play = Self { engine: Engine::new(config), log, now: Time(0) };
        let (profile, demand) = (ProfileId(0), Resources::cpu(1000));
        play.say(0, Event::ProfileDefined { profile, runs_on: profile, demand });
        for executor in (0..4).map(ExecutorId) {
            play.say(0, Event::ExecutorAdded { executor, profile, capacity: demand });
        }
        for (workflow, priority) in [(1, 0), (2, 5)] {
            let (workflow, pool) = (WorkflowId(workflow), PoolId::ROOT);
            let opened =
                Event::WorkflowOpened { workflow, priority, isolation: 0, parallelism: 0, pool };
            play.say(0, opened);
        }
        play
    }

    fn job(&mut self, id: u32, tasks: u32, bound: Option<(Bound, u32)>) {
        let (job, set, stage) = (JobId(id), SetId(id), StageId(id));
        let submitted = Event::JobSubmitted { job, workflow: WorkflowId(id), continues: false };
        self.say(0, submitted);
        if let Some((bound, value)) = bound {
            self.say(0, Event::StageBounded { job, stage, bound, value });
        }
        let (profile, kind) = (ProfileId(0), StageKind::Result);
        let submitted =
            Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache: false, kind };
        self.say(0, submitted);
    }

    /// After so many milliseconds.
    fn say(&mut self, after: u64, event: Event) {
        self.now = self.now.after(after * 1_000_000);
        let mut decisions = Vec::new();
        self.engine.step(self.now, &event, &mut decisions).unwrap();
        self.log.event(self.now, &event, &decisions, None);
    }

    fn launch(&mut self, attempt: u32, task: u32, executor: u32) {
        let (attempt, set) = (AttemptId(attempt), SetId(1));
        let executor = ExecutorId(executor);
        self.say(0, Event::Launched { attempt, set, task, executor, local: true });
    }

    fn freed(&mut self, after: u64, attempt: u32, outcome: Outcome) {
        self.say(after, Event::SlotFreed { attempt: AttemptId(attempt), outcome });
    }

    fn read(&mut self, after: u64, attempt: u32, done: u32) {
        self.say(after, Event::Progressed { attempt: AttemptId(attempt), done });
    }

    fn explain(mut self, name: &str, options: &[&str]) -> Ran {
        self.log.end();
        let mut bytes = Vec::new();
        self.log.write_to(&mut bytes).unwrap();
        let path = file(name, bytes);
        holdfast(&[&["explain", path.to_str().unwrap()], options].concat())
    }
}

fn task(task: &str) -> [&str; 4] {
    ["--stage", "1", "--task", task]
}

/// Task 0 takes a second; task 1 has read a tenth after 2 s, so it ends at 20 s.
fn straggler(rule: Stragglers, copies: Copies, bound: Option<(Bound, u32)>) -> Play {
    let mut play = Play::new(rule, copies);
    play.job(1, 2, bound);
    play.launch(10, 0, 0);
    play.launch(11, 1, 1);
    play.freed(1000, 10, Outcome::Finished);
    play.read(1000, 11, 100_000);
    play
}

#[test]
fn a_copy_is_explained_by_what_it_saves() {
    let mut play = straggler(Stragglers::Ras, Copies::Shuffle, Some((Bound::Deadline, 10_000)));
    assert_eq!(play.engine.pick(SetId(1), ExecutorId(2)), Ok(Choice::Copy(1)));
    play.launch(12, 1, 2);
    play.freed(1000, 12, Outcome::Finished);
    play.freed(100, 11, Outcome::NotFinished);
    let ran = play.explain("task-copied.hflog", &task("1"));
    let expected = "\
Task 1 of stage 1: a deadline in 10.000 s, stragglers ras
  +0.000 s: its stage has a deadline in 10.000 s
  +0.000 s: its stage (analyst) was submitted with 2 tasks
  +0.000 s: launched on executor #1
  +0.000 s: not copied: no task of its stage has finished, so t_new is not known
  +1.000 s: not copied: t_rem 542 ms, t_new 1.000 s: a copy would save no slot-time, saving -1.458 s (RAS)
  +2.000 s: it gets a copy on the next slot elsewhere, since t_rem 18.000 s, t_new 1.000 s, saving 16.000 s (RAS, \
8.000 s left to the deadline)
  +2.000 s: a copy was launched on executor #2, since t_rem 18.000 s, t_new 1.000 s, saving 16.000 s (RAS, \
8.000 s left to the deadline)
  +3.000 s: its copy finished on executor #2
  +3.100 s: it stopped unfinished on executor #1
";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, expected, ""));
}

#[test]
fn why_a_task_is_not_copied_is_told() {
    let deadline = |millis| Some((Bound::Deadline, millis));
    let error = |ppm| Some((Bound::Error, ppm));
    let (shuffle, all) = (Copies::Shuffle, Copies::All);
    let (gs, ras) = (Stragglers::Gs, Stragglers::Ras);
    let cases = [
        (straggler(gs, shuffle, None), "a second run of it is not safe (spark.holdfast.copies)"),
        (
            straggler(gs, all, deadline(2_500)),
            "a copy takes 1.000 s (t_new), and 500 ms are left to the deadline",
        ),
        (straggler(gs, all, error(500_000)), "enough tasks of its stage are done"),
    ];
    for (mut play, why) in cases {
        play.read(0, 11, 150_000);
        let ran = play.explain("task-not-copied.hflog", &task("1"));
        assert!(ran.out.contains(&format!("not copied: {why}\n")), "{why}: {}", ran.out);
    }
    let mut failed = straggler(ras, all, None);
    failed.freed(500, 11, Outcome::Failed);
    failed.launch(13, 1, 2);
    let ran = failed.explain("task-failed.hflog", &task("1"));
    assert!(ran.out.contains("not copied: it ran twice before, or has failed\n"), "{}", ran.out);
    let mut outranked = straggler(ras, all, None);
    outranked.job(2, 1, None);
    let ran = outranked.explain("task-outranked.hflog", &task("1"));
    let why = "not copied: tasks of a more important workflow wait for slots\n";
    assert!(ran.out.contains(why), "{}", ran.out);
    let mut near = straggler(gs, all, None);
    near.read(100, 11, 950_000);
    let ran = near.explain("task-near.hflog", &task("1"));
    assert!(ran.out.contains(": a copy would not end before it (GS)\n"), "{}", ran.out);
}

#[test]
fn what_copies_and_bounds_came_to_is_in_the_summary() {
    let mut play = straggler(Stragglers::Ras, Copies::All, Some((Bound::Deadline, 10_000)));
    play.launch(12, 1, 2);
    play.read(500, 12, 500_000);
    play.freed(500, 12, Outcome::Finished);
    play.freed(100, 11, Outcome::NotFinished);
    let ran = play.explain("task-summary.hflog", &[]);
    let expected = "\n1 copy of stragglers: 1 won, 3.100 slot-seconds for nothing, 0 before waiting equals\n\
                    bounds: 1 met, 0 missed\n\
                    estimates were right to 100 % of what tasks still took, and to 100 % of what new attempts took\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
    let quiet = Play::new(Stragglers::Ras, Copies::All).explain("task-quiet.hflog", &[]);
    assert!(!quiet.out.contains("stragglers:") && !quiet.out.contains("bounds:"), "{}", quiet.out);
}

#[test]
fn wrong_questions_are_answered_with_what_there_is() {
    let ran = straggler(Stragglers::Ras, Copies::All, None).explain("task-2.hflog", &task("2"));
    assert!(ran.code == 2 && ran.err.contains("stage 1 has no task 2"), "{}", ran.err);
    let other = ["--stage", "7", "--task", "0"];
    let ran = straggler(Stragglers::Ras, Copies::All, None).explain("task-7.hflog", &other);
    assert!(ran.code == 2 && ran.err.contains("the log has no stage 7"), "{}", ran.err);
    let ran = holdfast(&["explain", "x.hflog", "--task", "1"]);
    assert!(ran.code == 2 && ran.err.contains("--stage"), "{}", ran.err);
    let ran = straggler(Stragglers::Holds, Copies::All, None).explain("task-h.hflog", &task("1"));
    assert!(ran.out.contains("copies run on slots held for their workflow only"), "{}", ran.out);
}
