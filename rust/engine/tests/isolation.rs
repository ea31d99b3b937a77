//! Isolation P (SSR-8; ICDCS'17, section IV-B): until when a barrier is held.

mod common;

use common::{Host, SECOND, ended, holds};
use holdfast_engine::pareto::{self, STRICT};
use holdfast_engine::{Config, EndCause, Event, JobId, PoolId, WorkflowId};

const CAP: u64 = 60 * SECOND;

fn opened(host: &mut Host, isolation: u32) {
    let workflow = WorkflowId(1);
    host.say(Event::WorkflowOpened {
        workflow,
        priority: 1,
        isolation,
        parallelism: 0,
        pool: PoolId::ROOT,
    });
}

/// `tasks` tasks of a stage that another of that width follows run since time 0, on as many slots.
fn one_wave(isolation: u32, tasks: u32) -> Host {
    let mut host = Host::new(Config::default(), &[tasks]);
    opened(&mut host, isolation);
    host.job(1, 1, false, &[(1, tasks, tasks), (2, tasks, 0)]);
    host.set(1, 1, tasks);
    for task in 0..tasks {
        host.launch(task, 1, task, 0);
    }
    host
}

fn deadlines(host: &Host) -> Vec<u64> {
    host.engine.holds().iter().map(|hold| hold.deadline.0).collect()
}

/// D for P = 0.4 and 20 tasks whose first finisher took a second: 6.9673 s.
fn d() -> u64 {
    pareto::times(SECOND, pareto::deadline(0.4, 20, pareto::PRIOR_ALPHA))
}

#[test]
fn ssr_8_the_first_finisher_gives_the_deadline() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    assert!(holds(&host.free(0)));
    assert_eq!(deadlines(&host), [d()]);
    assert_eq!(d() / 100_000, 69_673, "6.9673 s");
}

#[test]
fn ssr_8_after_the_deadline_everything_is_given_back_until_the_next_stage() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    host.free(0);
    assert!(host.at(d()).contains(&ended(0, EndCause::Expired)));
    assert!(!holds(&host.free(1)), "the barrier is given up");
    for task in 2..20 {
        host.free(task);
    }
    host.end(1);
    host.set(2, 1, 20);
    for task in 0..20 {
        host.launch(100 + task, 2, task, 0);
    }
    host.now += SECOND;
    assert!(!holds(&host.free(100)), "nothing follows the last stage");
}

#[test]
fn ssr_8_equal_tasks_make_the_deadline_shorter() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    (0..19).for_each(|task| drop(host.free(task)));
    host.end(1);
    host.set(2, 1, 20);
    host.job(2, 1, false, &[(3, 20, 20)]);
    for task in 0..20 {
        host.launch(100 + task, 2, task, 0);
    }
    host.now += SECOND;
    host.free(100);
    let later = deadlines(&host)[0];
    // Nineteen samples of the first stage say: no tail. The prior still counts as much.
    assert!(later < SECOND + d() * 2 / 3, "{later}");
}

#[test]
fn ssr_8_counts_from_the_last_wave() {
    let mut host = Host::new(Config::default(), &[20]);
    opened(&mut host, 400_000);
    host.job(1, 1, false, &[(1, 40, 20)]);
    host.set(1, 1, 40);
    (0..20).for_each(|task| drop(host.launch(task, 1, task, 0)));
    host.at(SECOND);
    for task in 0..20 {
        host.free(task);
        assert_eq!(deadlines(&host), [SECOND + CAP], "while tasks wait only the cap counts");
        host.launch(20 + task, 1, 20 + task, 0);
    }
    host.at(2 * SECOND);
    host.free(20);
    let wave = deadlines(&host)[0] - SECOND;
    // The second wave's N is 20, too; nineteen equal durations have been seen.
    assert!(wave > SECOND && wave < d(), "{wave}");
}

#[test]
fn ssr_8_the_floor_counts_for_short_tasks_and_nothing_at_isolation_0() {
    let mut host = one_wave(400_000, 4);
    host.at(1_000);
    host.free(0);
    assert_eq!(deadlines(&host), [250_000_000]);
    let mut none = one_wave(0, 4);
    none.at(SECOND);
    assert!(!holds(&none.free(0)));
}

#[test]
fn ssr_8_strict_isolation_ends_with_the_cap_only() {
    let mut host = one_wave(STRICT, 20);
    host.at(SECOND);
    host.free(0);
    assert_eq!(deadlines(&host), [SECOND + CAP]);
}

#[test]
fn ssr_8_a_stage_that_is_done_in_time_keeps_its_slots_for_the_next() {
    let mut host = one_wave(400_000, 4);
    host.at(SECOND);
    (0..4).for_each(|task| drop(host.free(task)));
    assert_eq!(deadlines(&host), [SECOND + CAP; 4], "nothing can be late any more");
    host.end(1);
    host.at(50 * SECOND);
    assert_eq!(host.held(), 4, "the driver takes its time");
}

#[test]
fn ssr_8_a_task_that_runs_again_begins_the_wave_anew() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    host.free(0);
    host.at(2 * SECOND);
    host.fail(1);
    assert_eq!(deadlines(&host), [SECOND + CAP; 2], "while it waits");
    host.launch(100, 1, 1, 0);
    // Eighteen have run for 2 s and go on: the shape is the heaviest that there may be.
    assert!(20.0 / (12.5 + 18.0 * 2.0_f64.ln()) < 1.01);
    let mut terms = vec![(2.0, 2.0); 18];
    terms.push((1.0, 0.0));
    let [deadline] = deadlines(&host)[..] else { panic!("one hold is left") };
    assert_keeps(deadline - 2 * SECOND, &terms, 1.01);
}

/// Checks that a wave is held for as long as it takes to keep it with probability 0.4. Of each task: from which duration
/// on it is Pareto distributed, and for how long it had run when the wave began, in seconds.
fn assert_keeps(held: u64, terms: &[(f64, f64)], alpha: f64) {
    let held = held as f64 / 1e9;
    let missed = |(scale, before): &(f64, f64)| (scale / (before + held)).powf(alpha);
    let kept: f64 = terms.iter().map(|term| 1.0 - missed(term)).product();
    assert!((kept - 0.4).abs() < 1e-5, "{kept} after {held} s");
}

#[test]
fn ssr_8_who_has_run_for_long_when_the_last_wave_begins_is_waited_for() {
    let mut host = Host::new(Config::default(), &[2]);
    opened(&mut host, 400_000);
    host.job(1, 1, false, &[(1, 3, 2), (2, 2, 0)]);
    host.set(1, 1, 3);
    host.launch(0, 1, 0, 0);
    host.launch(1, 1, 1, 0);
    host.at(SECOND);
    host.free(1);
    host.at(4 * SECOND);
    host.launch(2, 1, 2, 0);
    host.at(5 * SECOND);
    host.free(2);
    // Task 0 had run for 4 s then, four times as long as the only one that had ended.
    let alpha = 20.0 / (12.5 + 4.0_f64.ln());
    let [deadline] = deadlines(&host)[..] else { panic!("one is held") };
    let terms = [(4.0, 4.0), (1.0, 0.0)];
    assert_keeps(deadline - 4 * SECOND, &terms, alpha);
    let eq_2 = pareto::times(SECOND, pareto::deadline(0.4, 2, pareto::PRIOR_ALPHA));
    assert!(deadline - 4 * SECOND > eq_2 + SECOND / 2, "{deadline}, {eq_2}");
}

#[test]
fn ssr_8_the_shortest_task_gives_the_scale_whoever_ends_first() {
    // The first to end takes 3 s; the one that begins last, 2.5 s later, 1 s.
    let mut host = Host::new(Config::default(), &[3]);
    opened(&mut host, 400_000);
    host.job(1, 1, false, &[(1, 4, 3), (2, 3, 3), (3, 3, 0)]);
    host.set(1, 1, 4);
    (0..2).for_each(|task| drop(host.launch(task, 1, task, 0)));
    host.at(2_500_000_000);
    host.launch(2, 1, 2, 0);
    host.at(3 * SECOND);
    host.free(0);
    host.at(3_500_000_000);
    host.free(2);
    host.launch(3, 1, 3, 0);
    // Task 1 has run for 3.5 s then. One sample: 3 s beside 1 s.
    let alpha = 21.0 / (12.5 + 3.0_f64.ln() + 3.5_f64.ln());
    host.at(4_500_000_000);
    host.free(3);
    let [deadline, ..] = deadlines(&host)[..] else { panic!("some are held") };
    assert_keeps(deadline - 3_500_000_000, &[(3.5, 3.5), (1.0, 0.0)], alpha);
}

#[test]
fn ssr_8_of_two_stages_the_later_deadline_counts() {
    let mut host = Host::new(Config::default(), &[8]);
    opened(&mut host, 400_000);
    host.job(1, 1, false, &[(1, 4, 8), (2, 4, 8)]);
    host.set(1, 1, 4);
    host.set(2, 1, 4);
    (0..4).for_each(|task| drop(host.launch(task, 1, task, 0)));
    (0..4).for_each(|task| drop(host.launch(4 + task, 2, task, 0)));
    host.at(SECOND);
    host.free(0);
    assert_eq!(deadlines(&host), [SECOND + CAP], "of the second nobody has finished");
    host.at(3 * SECOND);
    host.free(4);
    let later = pareto::times(3 * SECOND, pareto::deadline(0.4, 4, pareto::PRIOR_ALPHA));
    assert_eq!(deadlines(&host), [later; 2]);
}

#[test]
fn ssr_8_isolation_may_change_while_slots_are_held() {
    let mut host = one_wave(STRICT, 20);
    host.at(SECOND);
    host.free(0);
    opened(&mut host, 400_000);
    assert_eq!(deadlines(&host), [SECOND + CAP], "no duration is known yet");
    host.free(1);
    // All have run for a second when the isolation changes; of the nineteen one ends then.
    let mut terms = vec![(1.0, 1.0); 18];
    terms.push((1.0, 0.0));
    let all = deadlines(&host);
    assert_eq!(all, [all[0]; 2]);
    assert_keeps(all[0] - SECOND, &terms, pareto::PRIOR_ALPHA);
    opened(&mut host, 0);
    assert_eq!(host.held(), 0);
}

#[test]
fn ssr_9_barriers_kept_and_missed_are_counted_beside_what_was_asked_for() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    (0..19).for_each(|task| drop(host.free(task)));
    host.at(d() + 1);
    host.free(19);
    host.end(1);
    host.set(2, 1, 20);
    for task in 0..20 {
        host.launch(100 + task, 2, task, 0);
    }
    host.now += SECOND;
    (100..120).for_each(|task| drop(host.free(task)));
    let account = host.engine.accounts()[0].1;
    assert_eq!((account.barriers, account.kept, account.promised), (2, 1, 800_000));
    assert_eq!((account.made, account.expired, account.used), (19, 19, 0));
}

#[test]
fn ssr_9_a_barrier_that_outlived_the_cap_is_not_kept() {
    // D is near 27 minutes with a first finisher of a minute; the cap ends the holds after one.
    let mut host = one_wave(900_000, 20);
    host.at(CAP);
    (0..19).for_each(|task| drop(host.free(task)));
    let expired = host.at(2 * CAP).contains(&ended(0, EndCause::Expired));
    assert!(expired && 2 * CAP < 60 * pareto::times(SECOND, pareto::deadline(0.9, 20, 1.6)));
    host.free(19);
    let account = host.engine.accounts()[0].1;
    assert_eq!((account.barriers, account.kept, account.expired), (1, 0, 19));
}

#[test]
fn ssr_9_idle_and_busy_slot_time_are_summed() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    host.free(0);
    host.at(3 * SECOND);
    let account = host.engine.accounts()[0].1;
    assert_eq!(account.busy_ns, (20 + 2 * 19) * SECOND);
    assert_eq!(account.idle_ns, 2 * SECOND);
    assert_eq!(u128::from(account.idle_ns), host.engine.totals().idle_held_ns);
}

#[test]
fn ssr_9_what_is_held_towards_a_barrier_is_summed_apart_from_a_gap() {
    let mut host = Host::new(Config::default(), &[20]);
    opened(&mut host, 400_000);
    host.job(1, 1, true, &[(1, 20, 0)]);
    host.set(1, 1, 20);
    (0..20).for_each(|task| drop(host.launch(task, 1, task, 0)));
    host.at(SECOND);
    host.free(0);
    // One slot for two seconds; then all twenty for half a second in which the next job may come.
    host.at(3 * SECOND);
    (1..20).for_each(|task| drop(host.free(task)));
    host.end(1);
    host.say(Event::JobEnded { job: JobId(1), succeeded: true });
    host.at(3 * SECOND + SECOND / 2);
    let account = host.engine.accounts()[0].1;
    assert_eq!((account.barrier_idle_ns, account.idle_ns), (2 * SECOND, 12 * SECOND));
    assert!(account.barriers == 1 && account.barrier_idle_ns <= account.bound_ns);
}

#[test]
fn ssr_9_the_bound_of_eq_4_allows_for_all_that_is_held_until_the_deadline() {
    let mut host = one_wave(400_000, 20);
    host.at(SECOND);
    (0..20).for_each(|task| drop(host.free(task)));
    let allowed = 20.0 * (1.0 - pareto::utilization(0.4, 20, pareto::PRIOR_ALPHA));
    assert_eq!(host.engine.accounts()[0].1.bound_ns, pareto::times(d(), allowed));
}

/// Two workflows that hold `each` of ten slots each at a budget, from time 0.
fn on_a_budget(ppm: u32, each: u32) -> Host {
    let config = Config { idle_budget_ppm: Some(ppm), grow: false, ..Config::default() };
    let mut host = Host::new(config, &[10]);
    for (id, priority) in [(1, 2), (2, 1)] {
        host.simple(id, priority, each + 1, each + 1);
        for task in 0..=each {
            host.launch(10 * id + task, id, task, 0);
        }
        (0..each).for_each(|task| drop(host.free(10 * id + task)));
    }
    host
}

#[test]
fn ssr_9_an_idle_budget_ends_the_holds_of_the_least_important_first() {
    // 10 % of ten slots: one hold for ever, and a credit of 30 slot-seconds.
    let mut host = on_a_budget(100_000, 2);
    assert_eq!(host.held(), 4);
    let end = host.engine.next_deadline().map(|time| time.0);
    assert_eq!(end, Some(10 * SECOND), "four holds use three more than comes in");
    host.at(10 * SECOND);
    let owners: Vec<u32> = host.engine.holds().iter().map(|hold| hold.workflow.0).collect();
    assert_eq!(owners, [1], "one hold is within the budget");
    assert!(!holds(&host.free(12)), "nothing new is held");
}

#[test]
fn ssr_9_after_five_minutes_the_budget_is_kept_within_a_tenth() {
    let mut host = on_a_budget(100_000, 4);
    for second in 1..=300 {
        let due = |host: &Host| host.engine.next_deadline().filter(|t| t.0 <= second * SECOND);
        while let Some(time) = due(&host) {
            host.at(time.0);
        }
        host.at(second * SECOND);
        host.simple(100 + u32::try_from(second).expect("small"), 1, 1, 1);
        let id = 100 + u32::try_from(second).expect("small");
        host.launch(id, id, 0, 0);
        host.free(id);
    }
    let share = host.engine.totals().idle_held_ns as f64 / (10.0 * 300.0 * 1e9);
    assert!(share <= 0.11, "{share}");
}
