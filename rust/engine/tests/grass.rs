//! Rules for stragglers (GR-1 to GR-6, GR-8) in small: what is picked, what is offered when, and what is counted.

mod common;

use common::{Host, SECOND};
use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Copies, Decision, Event, ExecutorId, GrassSwitch, JobId,
    Outcome, SetId, StageId, Stragglers,
};

/// A host with executors of one slot each, and a workflow 1 of one job.
fn host(config: &Config, executors: usize) -> Host {
    let config = Config { copies: Copies::All, ..config.clone() };
    let mut host = Host::new(config, &vec![1; executors]);
    host.workflow(1, 0);
    host.job(1, 1, true, &[]);
    host
}

fn rule(stragglers: Stragglers) -> Config {
    Config { stragglers, explore_ppm: 0, ..Config::default() }
}

fn bounded(host: &mut Host, bound: Bound, value: u32) {
    host.say(Event::StageBounded { job: JobId(1), stage: StageId(1), bound, value });
}

fn sized(host: &mut Host, task: u32, units: u32) {
    host.say(Event::TaskSized { set: SetId(1), task, units });
}

fn reports(host: &mut Host, attempt: u32, done: u32) -> Vec<Decision> {
    host.say(Event::Progressed { attempt: AttemptId(attempt), done })
}

fn pick(host: &Host, executor: u32) -> Choice {
    host.engine.pick(SetId(1), ExecutorId(executor)).expect("both are known")
}

/// Task 0 takes a second on executor 0; tasks 1 and 2 go on at 1 and 2.
fn one_of_three(rule_of: Stragglers) -> Host {
    let mut host = host(&rule(rule_of), 4);
    host.set(1, 1, 3);
    (0..3).for_each(|task| _ = host.launch(task, 1, task, task));
    host.now = SECOND;
    host.free(0);
    host
}

#[test]
fn attempts_of_an_ended_set_are_not_those_of_the_next_of_that_name() {
    let mut host = host(&rule(Stragglers::Gs), 4);
    host.set(1, 1, 3);
    host.launch(7, 1, 2, 0);
    host.launch(8, 1, 0, 3);
    host.end(1);
    host.set(1, 1, 2);
    host.launch(0, 1, 0, 1);
    host.launch(1, 1, 1, 2);
    host.now = SECOND;
    host.free(1);
    host.at(3 * SECOND);
    assert_eq!(reports(&mut host, 8, 1_000_000), [], "it is none of this set's");
    assert_eq!(pick(&host, 3), Choice::Copy(0));
    host.free(7);
    assert_eq!(host.engine.sets()[0].unfinished, 1);
}

/// GR-3: to look through the pending tasks at each launch costs more than their order gains.
#[test]
fn a_large_set_keeps_the_hosts_order() {
    let mut host = host(&rule(Stragglers::Ras), 1);
    bounded(&mut host, Bound::Error, 0);
    host.set(1, 1, 4_097);
    sized(&mut host, 7, 3_000);
    assert_eq!(pick(&host, 0), Choice::Host);
    host.launch(0, 1, 0, 0);
    let picked = pick(&host, 0);
    assert!(matches!(picked, Choice::Pending { .. }), "4,096 are pending: {picked:?}");
}

#[test]
fn sizes_count_before_the_first_launch() {
    let mut host = host(&rule(Stragglers::Ras), 1);
    bounded(&mut host, Bound::Error, 500_000);
    host.set(1, 1, 2);
    sized(&mut host, 0, 5);
    assert_eq!(pick(&host, 0), Choice::Pending { largest: true, most: 1 });
    sized(&mut host, 1, 9);
    assert_eq!(pick(&host, 0), Choice::Pending { largest: true, most: 5 });
}

#[test]
fn mantri_copies_what_saves_time_in_more_than_a_quarter_of_all_cases() {
    let mut host = host(&rule(Stragglers::Mantri), 6);
    host.set(1, 1, 5);
    (0..5).for_each(|task| _ = host.launch(task, 1, task, task));
    for (task, took) in (0..4).zip([1, 2, 3, 4]) {
        host.now = took * SECOND;
        host.free(task);
    }
    reports(&mut host, 4, 500_000);
    assert_eq!(pick(&host, 5), Choice::Nothing, "twice t_new is less in one of four cases");
    host.now += 1;
    reports(&mut host, 4, 500_001);
    assert_eq!(pick(&host, 5), Choice::Nothing);
    host.now += SECOND / 10;
    reports(&mut host, 4, 505_000);
    assert_eq!(pick(&host, 5), Choice::Copy(4), "4.01 s are more than twice 1 or 2 s");
}

#[test]
fn mantri_is_called_when_a_silent_task_is_old_enough_by_its_own_rule() {
    let mut host = host(&rule(Stragglers::Mantri), 5);
    host.set(1, 1, 4);
    (0..4).for_each(|task| _ = host.launch(task, 1, task, task));
    for (task, took) in (0..3).zip([10, 20, 21]) {
        host.now = took * SECOND / 10;
        host.free(task);
    }
    // A quarter takes 1 s, the median 2 s; of those that have run for 3.7 s half run for 2 s more.
    assert_eq!(pick(&host, 4), Choice::Nothing);
    let due = host.engine.next_deadline().expect("it waits").0;
    assert!((36..38).contains(&(due * 10 / SECOND)), "{due}");
    assert_eq!(host.at(due), [Decision::Reoffer]);
    assert_eq!(pick(&host, 4), Choice::Copy(3));
}

/// At its beginning a task is expected to take the median, then less and less, until it is old.
#[test]
fn a_copy_that_was_wanted_and_then_was_not_is_offered_again() {
    let mut host = host(&rule(Stragglers::Mantri), 5);
    host.set(1, 1, 4);
    (0..3).for_each(|task| _ = host.launch(task, 1, task, task));
    for (task, took) in (0..3).zip([10, 30, 31]) {
        host.now = took * SECOND / 10;
        host.free(task);
    }
    // A quarter takes 1 s, the median 3 s.
    assert_eq!(host.launch(3, 1, 3, 3), [Decision::Reoffer]);
    assert_eq!(pick(&host, 4), Choice::Copy(3));
    assert_eq!(host.at(host.now + SECOND + SECOND / 10), []);
    assert_eq!(pick(&host, 4), Choice::Nothing);
    let due = host.engine.next_deadline().expect("it waits").0;
    assert_eq!(host.at(due), [Decision::Reoffer]);
    assert_eq!(pick(&host, 4), Choice::Copy(3));
    assert_eq!(host.at(due + 1), [], "once");
}

#[test]
fn the_strawman_knows_what_a_median_task_takes_in_any_unit() {
    for units in [1, 1_000_000] {
        let straw = Config { grass_switch: GrassSwitch::Waves, ..rule(Stragglers::Grass) };
        let mut host = host(&straw, 4);
        bounded(&mut host, Bound::Deadline, 4_500);
        host.set(1, 1, 4);
        (0..4).for_each(|task| sized(&mut host, task, units));
        (0..2).for_each(|task| _ = host.launch(task, 1, task, task));
        host.now = 2 * SECOND;
        host.free(0);
        host.launch(2, 1, 2, 0);
        host.launch(3, 1, 3, 2);
        // 2.5 s left are more than one and less than two medians of 2 s: GS copies what takes 2.2 s.
        host.at(2 * SECOND + 1);
        reports(&mut host, 1, 476_191);
        assert_eq!(pick(&host, 3), Choice::Copy(1), "{units}");
    }
}

#[test]
fn only_copies_count_as_copies_before_equals() {
    let mut host = one_of_three(Stragglers::Gs);
    host.simple(2, 0, 1, 0);
    host.launch(3, 1, 1, 3);
    assert_eq!(host.engine.totals().copies_before_equals, 1);
    host.free(3);
    host.launch(4, 1, 1, 3);
    let totals = host.engine.totals();
    assert_eq!((totals.copies, totals.copies_before_equals), (1, 1), "task 1 is done");
}

#[test]
fn the_time_of_copies_that_lost_counts_when_their_executor_is_lost() {
    let mut host = one_of_three(Stragglers::Gs);
    host.launch(3, 1, 1, 3);
    host.now = 2 * SECOND;
    host.free(3);
    host.now = 3 * SECOND;
    host.say(Event::ExecutorLost { executor: ExecutorId(1) });
    assert_eq!(host.engine.totals().copies_lost_ns, u128::from(3 * SECOND));
}

#[test]
fn who_was_kept_from_copies_by_a_more_important_workflow_is_told() {
    let mut host = one_of_three(Stragglers::Gs);
    host.now = 2 * SECOND;
    assert_eq!(reports(&mut host, 1, 100_000), [Decision::Reoffer]);
    assert_eq!(pick(&host, 3), Choice::Copy(1));
    host.simple(2, 1, 1, 0);
    assert_eq!(pick(&host, 3), Choice::Nothing, "that one goes first");
    let ended = host.say(Event::JobEnded { job: JobId(2), succeeded: false });
    assert_eq!((ended, pick(&host, 3)), (vec![Decision::Reoffer], Choice::Copy(1)));
}

#[test]
fn the_second_best_copy_is_offered_too() {
    let mut host = one_of_three(Stragglers::Gs);
    assert_eq!(reports(&mut host, 1, 100_000), [Decision::Reoffer]);
    assert_eq!(pick(&host, 1), Choice::Nothing, "there it runs");
    assert_eq!(reports(&mut host, 2, 200_000), [Decision::Reoffer], "but that one does not");
    assert_eq!((pick(&host, 1), pick(&host, 3)), (Choice::Copy(2), Choice::Copy(1)));
    assert_eq!(reports(&mut host, 2, 200_001), [], "nothing new");
}

#[test]
fn a_copy_is_offered_again_after_a_task_was_pending() {
    let mut host = one_of_three(Stragglers::Gs);
    host.now = 2 * SECOND;
    assert_eq!(reports(&mut host, 1, 100_000), [Decision::Reoffer]);
    host.fail(2);
    assert_eq!(host.launch(3, 1, 2, 2), [Decision::Reoffer]);
    host.say(Event::ExecutorLost { executor: ExecutorId(2) });
    assert_eq!(host.launch(4, 1, 2, 0), [Decision::Reoffer]);
}

#[test]
fn a_task_that_failed_gets_no_copy_nor_a_second_one() {
    let mut host = one_of_three(Stragglers::Gs);
    host.say(Event::SlotFreed { attempt: AttemptId(1), outcome: Outcome::Failed });
    host.launch(3, 1, 1, 1);
    host.launch(4, 1, 2, 0);
    host.now = 3 * SECOND;
    reports(&mut host, 3, 100_000);
    reports(&mut host, 2, 100_000);
    assert_eq!(pick(&host, 3), Choice::Nothing);
    host.say(Event::SlotFreed { attempt: AttemptId(4), outcome: Outcome::NotFinished });
    assert_eq!(pick(&host, 3), Choice::Nothing);
}

#[test]
fn gr3_copies_are_of_the_bounds_share_of_what_is_left() {
    let mut host = host(&rule(Stragglers::Ras), 8);
    bounded(&mut host, Bound::Error, 500_000);
    host.set(1, 1, 6);
    (0..6).for_each(|task| _ = host.launch(task, 1, task, task));
    host.now = SECOND;
    host.free(0);
    host.free(1);
    // Of three needed tasks one is left, of four unfinished ones the half may get copies: 2, then 3.
    reports(&mut host, 2, 900_000);
    (3..6).for_each(|attempt| _ = reports(&mut host, attempt, 100_000));
    assert_eq!(pick(&host, 7), Choice::Copy(3));
}

#[test]
fn gr3_a_retried_stage_counts_what_is_done() {
    let mut host = host(&rule(Stragglers::Ras), 8);
    bounded(&mut host, Bound::Error, 200_000);
    host.set_of_stage(1, 1, 1, 10);
    (0..5).for_each(|task| _ = host.launch(task, 1, task, task));
    host.now = SECOND;
    (0..5).for_each(|attempt| _ = host.free(attempt));
    host.end(1);
    // Eight of ten are enough and five are done.
    host.set_of_stage(2, 1, 1, 5);
    (0..3).for_each(|task| _ = host.launch(10 + task, 2, task, task));
    host.now = 2 * SECOND;
    let again = |host: &Host| host.engine.pick(SetId(2), ExecutorId(7)).expect("both are known");
    (0..2).for_each(|task| _ = host.free(10 + task));
    assert!(matches!(again(&host), Choice::Pending { .. }), "one is missing");
    host.free(12);
    assert_eq!(again(&host), Choice::Nothing);
}

#[test]
fn gr4_an_exact_set_goes_over_in_its_last_wave() {
    for (rule, choice) in [(Stragglers::Grass, Choice::Copy(1)), (Stragglers::Ras, Choice::Nothing)]
    {
        let mut host = one_of_three(rule);
        // It takes another 1.5 s, and a copy takes one.
        reports(&mut host, 1, 400_000);
        assert_eq!(pick(&host, 3), choice, "{rule:?}");
    }
}

/// GR-7 (NSDI'14, section 5.2): two jobs with the same deadline, of a stage with one after it. The first one's later stage
/// takes 4 s, so the second one's deadline passes 4 s sooner; with another size of stage, or nothing after it, it does not.
#[test]
fn gr7_a_deadline_is_sooner_by_what_later_stages_of_similar_jobs_took() {
    let deadline = 10_000;
    let config = Config { copies: Copies::All, ..rule(Stragglers::Ras) };
    let mut host = Host::new(config, &[1; 4]);
    let bound = Bound::Deadline;
    let done = |host: &mut Host, job: u32, succeeded| {
        host.say(Event::JobEnded { job: JobId(job), succeeded });
    };
    let begin = |host: &mut Host, job: u32, tasks: u32, plan: &[(u32, u32, u32)]| {
        host.workflow(1, 0);
        host.job(job, 1, true, plan);
        host.say(Event::StageBounded {
            job: JobId(job),
            stage: StageId(plan[0].0),
            bound,
            value: deadline,
        });
        host.set_of_stage(job * 10, job, plan[0].0, tasks);
        let due = host.engine.next_deadline().expect("the deadline");
        due.0 - host.now
    };
    assert_eq!(begin(&mut host, 2, 3, &[(20, 3, 2), (21, 2, 0)]), 10 * SECOND, "nothing is known");
    (0..3).for_each(|task| _ = host.launch(task, 20, task, task));
    host.now += SECOND;
    (0..3).for_each(|attempt| _ = host.free(attempt));
    host.end(20);
    host.now += 4 * SECOND;
    done(&mut host, 2, true);
    assert_eq!(begin(&mut host, 3, 3, &[(30, 3, 2), (31, 2, 0)]), 6 * SECOND);
    host.end(30);
    done(&mut host, 3, false);
    assert_eq!(begin(&mut host, 4, 60, &[(40, 60, 2), (41, 2, 0)]), 10 * SECOND, "of another size");
    host.end(40);
    done(&mut host, 4, false);
    assert_eq!(begin(&mut host, 5, 3, &[(50, 3, 0)]), 10 * SECOND, "nothing comes after it");
}

/// What a report says passes with time, until the next says that it takes longer.
#[test]
fn a_copy_that_came_too_late_is_offered_again_when_the_task_takes_longer_than_it_said() {
    let mut host = host(&rule(Stragglers::Gs), 3);
    host.set(1, 1, 2);
    (0..2).for_each(|task| _ = host.launch(task, 1, task, task));
    host.now = SECOND;
    host.free(0);
    let attempt = AttemptId(1);
    assert_eq!(host.say(Event::Progressed { attempt, done: 250_000 }), [Decision::Reoffer]);
    assert_eq!(pick(&host, 2), Choice::Copy(1), "3 s are left, and a copy takes 1");
    assert_eq!(host.at(4 * SECOND), []);
    assert_eq!(pick(&host, 2), Choice::Nothing, "it should have ended");
    assert_eq!(host.say(Event::Progressed { attempt, done: 500_000 }), [Decision::Reoffer]);
    assert_eq!(pick(&host, 2), Choice::Copy(1), "4 s are left");
}
