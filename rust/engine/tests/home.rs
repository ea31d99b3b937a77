//! Holds lie where the workflow's input lies (docs/mechanisms/ssr/locality.md).

mod common;

use common::{Host, P, ended, literal};
use holdfast_engine::{
    Config, Decision, EndCause, Event, ExecutorId, HoldId, JobId, Reason, SetId, StageId,
    StageKind, WorkflowId,
};

fn grow() -> Config {
    Config { grow: true, ..literal() }
}

/// Workflow 1 has cached one partition each on executors 0 and 1 of four with two slots, and holds both slots for its
/// next stage. The background has the other slots (attempts 10 to 15 on executors 0, 1, 2, 2, 3, 3) and waits for more.
fn cached(config: Config) -> Host {
    let mut host = Host::new(config, &[2, 2, 2, 2]);
    host.simple(9, 0, 64, 0);
    host.workflow(1, 1);
    host.job(1, 1, true, &[(1, 2, 2), (2, 2, 0)]);
    let (set, job, stage, fills_cache) = (SetId(1), JobId(1), StageId(1), true);
    let (profile, kind) = (P, StageKind::ShuffleMap);
    host.say(Event::SetSubmitted { set, job, stage, tasks: 2, profile, fills_cache, kind });
    for (task, executor) in (0..).zip([0, 1]) {
        host.launch(task, 1, task, executor);
    }
    for (task, executor) in (0..).zip([0, 1, 2, 2, 3, 3]) {
        host.launch(10 + task, 9, task, executor);
    }
    host.free(0);
    host.free(1);
    host.end(1);
    assert_eq!(places(&host), [0, 1]);
    host
}

/// Executors of workflow 1's holds, in the order of their making.
fn places(host: &Host) -> Vec<u32> {
    host.engine.holds().iter().map(|hold| hold.executor.0).collect()
}

fn newest(host: &Host) -> HoldId {
    host.engine.holds().last().expect("a hold").id
}

fn bar(host: &mut Host, executor: u32, barred: bool) {
    host.say(Event::ExecutorBarred { executor: ExecutorId(executor), barred });
}

/// The same, but one of the holds is on executor 3: while 1 was barred its hold was lost. Now the background has all of 1
/// (attempts 11 and 20).
fn away(config: Config) -> Host {
    let mut host = cached(config);
    bar(&mut host, 1, true);
    host.free(14);
    assert_eq!(places(&host), [0, 3]);
    bar(&mut host, 1, false);
    host.launch(20, 9, 6, 1);
    host
}

fn nearer(decisions: &[Decision]) -> Option<u32> {
    decisions.iter().find_map(|decision| match decision {
        Decision::Held { executor, reason: Reason::Nearer, .. } => Some(executor.0),
        _ => None,
    })
}

#[test]
fn a_hold_is_given_up_for_one_where_the_input_lies() {
    let mut host = away(grow());
    let worse = newest(&host);
    let decisions = host.free(11);
    assert_eq!(decisions[0], ended(worse.0, EndCause::Moved));
    assert_eq!(nearer(&decisions), Some(1));
    assert_eq!(decisions.last(), Some(&Decision::Reoffer), "what it gave up is for others");
    assert_eq!(places(&host), [0, 1]);
    assert_eq!(nearer(&host.free(20)), None, "there is one partition, and one slot for it");
}

#[test]
fn a_slot_where_nothing_lies_is_no_better() {
    let mut host = away(grow());
    assert_eq!(nearer(&host.free(12)), None);
    assert_eq!(nearer(&host.free(10)), None, "0 has its slot");
    assert_eq!(places(&host), [0, 3]);
}

#[test]
fn nobody_who_is_as_important_loses_a_slot_by_it() {
    let mut host = away(grow());
    host.workflow(9, 1);
    assert_eq!(nearer(&host.free(11)), None);
}

#[test]
fn when_nobody_waits_no_hold_moves() {
    let mut host = away(grow());
    let job = JobId(9);
    host.say(Event::JobEnded { job, succeeded: true });
    assert_eq!(nearer(&host.free(11)), None);
}

#[test]
fn what_a_workflow_claims_it_claims_at_home_first() {
    let mut host = cached(grow());
    host.say(Event::WorkflowClosed { workflow: WorkflowId(1) });
    host.say(Event::JobEnded { job: JobId(1), succeeded: true });
    // The background takes what it gave back; executors 0 to 3 have a slot free each when it comes again.
    bar(&mut host, 0, true);
    for attempt in [10, 11, 12, 14] {
        host.free(attempt);
    }
    host.launch(21, 9, 7, 1);
    host.launch(22, 9, 8, 2);
    bar(&mut host, 0, false);
    host.launch(23, 9, 9, 0);
    host.workflow(1, 1);
    host.job(2, 1, false, &[(5, 2, 0)]);
    host.set_of_stage(5, 2, 5, 2);
    assert_eq!(places(&host), [0, 1], "and not 3, nor a second one on 0");
}

#[test]
fn what_lies_elsewhere_is_given_back_first() {
    let mut host = away(grow());
    let worse = newest(&host);
    // A third slot, which is newer, and at home.
    host.declared(1, 3);
    host.say(Event::JobSubmitted { job: JobId(2), workflow: WorkflowId(1), continues: false });
    host.free(11);
    assert_eq!(places(&host), [0, 3, 1]);
    let trimmed = host.say(Event::JobEnded { job: JobId(2), succeeded: true });
    assert!(trimmed.contains(&ended(worse.0, EndCause::NotNeeded)), "{trimmed:?}");
}

#[test]
fn cached_partitions_stay_home_while_other_stages_run() {
    let mut host = away(grow());
    // The next stage runs on 0 and 3, and holds what it leaves on 3.
    host.set(2, 1, 2);
    host.launch(2, 2, 0, 0);
    host.launch(3, 2, 1, 3);
    host.free(3);
    let decisions = host.free(11);
    assert_eq!((nearer(&decisions), places(&host)), (Some(1), vec![1]), "{decisions:?}");
}

/// Six executors of one slot, each with a task of the background, which waits for more. The first stage of workflow 1 has
/// left its result on executor 0. Of its second one, of three tasks like what follows, two run on 1 and 2 (attempts 1 and
/// 2); for the third it holds a slot on 3. The background has 0 again (attempt 20).
fn in_the_second_stage() -> Host {
    let mut host = Host::new(grow(), &[1; 6]);
    host.simple(9, 0, 64, 0);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, 1, 3), (2, 3, 3), (3, 3, 0)]);
    host.set(1, 1, 1);
    host.launch(0, 1, 0, 0);
    for executor in 1..6 {
        host.launch(10 + executor, 9, executor, executor);
    }
    host.free(0);
    host.end(1);
    host.set(2, 1, 3);
    host.free(11);
    host.free(12);
    assert_eq!(places(&host), [0, 1, 2]);
    host.launch(1, 2, 0, 1);
    host.launch(2, 2, 1, 2);
    bar(&mut host, 0, true);
    host.free(13);
    bar(&mut host, 0, false);
    host.launch(20, 9, 6, 0);
    assert_eq!(places(&host), [3]);
    host
}

/// The third task runs on 3 (attempt 3), the first one has finished, and its slot on 1 is held.
fn with_nothing_pending() -> Host {
    let mut host = in_the_second_stage();
    host.launch(3, 2, 2, 3);
    host.free(1);
    assert_eq!(places(&host), [1]);
    host
}

#[test]
fn a_task_that_waits_reads_what_lay_before() {
    let mut host = in_the_second_stage();
    let worse = newest(&host);
    let decisions = host.free(20);
    assert_eq!(decisions[0], ended(worse.0, EndCause::Moved));
    assert_eq!((nearer(&decisions), places(&host)), (Some(0), vec![0]));
}

#[test]
fn while_tasks_wait_what_others_have_left_is_home_as_well() {
    let mut host = in_the_second_stage();
    let worse = newest(&host);
    host.free(1);
    assert_eq!(places(&host), [3, 1]);
    let decisions = host.free(20);
    assert_eq!(decisions[0], ended(worse.0, EndCause::Moved), "and not the newer one");
    assert_eq!(places(&host), [1, 0]);
}

#[test]
fn a_slot_of_the_present_stage_is_not_given_up_for_one_at_the_stage_before() {
    let mut host = with_nothing_pending();
    assert_eq!(nearer(&host.free(20)), None);
    assert_eq!(places(&host), [1]);
}

#[test]
fn what_follows_is_claimed_where_the_present_stage_has_finished() {
    let mut host = with_nothing_pending();
    // Nobody waits, so that nobody claims, until 0 and 1 are both free.
    host.say(Event::JobEnded { job: JobId(9), succeeded: true });
    bar(&mut host, 1, true);
    host.free(20);
    bar(&mut host, 1, false);
    assert_eq!(host.held(), 0);
    host.simple(8, 0, 64, 0);
    assert_eq!(places(&host), [1], "the result of the first stage is on 0");
}

#[test]
fn what_is_lost_is_at_home_nowhere() {
    let mut host = with_nothing_pending();
    let worse = newest(&host);
    let (set, task) = (SetId(2), 0);
    host.say(Event::Unfinished { set, task });
    let decisions = host.free(20);
    assert_eq!(decisions[0], ended(worse.0, EndCause::Moved));
    assert_eq!(places(&host), [0]);
}

#[test]
fn what_a_superseded_set_has_written_counts_nowhere() {
    let mut host = with_nothing_pending();
    let worse = newest(&host);
    host.set_of_stage(4, 1, 2, 1);
    let decisions = host.free(20);
    assert_eq!(decisions[0], ended(worse.0, EndCause::Moved));
    assert_eq!(places(&host), [0]);
}
