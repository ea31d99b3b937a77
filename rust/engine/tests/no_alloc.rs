//! A warm engine allocates nothing: neither per step nor per ask.

mod common;

use common::{Host, P, SECOND};
use holdfast_engine::{
    AttemptId, Bound, Choice, Config, Copies, Decision, Event, ExecutorId, HoldFor, JobId, Outcome,
    PoolId, Resources, SetId, StageId, StageKind, Stragglers, Time,
};

const SLOTS: u32 = 400;

/// Frees and refills every slot of both workflows once, with asks in between.
fn turn(host: &mut Host, out: &mut Vec<Decision>) {
    for slot in 0..SLOTS {
        let (attempt, executor) = (AttemptId(slot), ExecutorId(slot / 4));
        let set = SetId(1 + slot % 2);
        host.now += 1_000;
        let freed = Event::SlotFreed { attempt, outcome: Outcome::NotFinished };
        let launched = Event::Launched { attempt, set, task: slot / 2, executor, local: true };
        for event in [freed, launched] {
            out.clear();
            host.engine.step(Time(host.now), &event, out).expect("a valid event");
        }
        let free = Resources::cpu(1_000);
        assert!(host.engine.verdict(set, executor, &free).is_ok());
        assert!(host.engine.admits(set).is_ok());
        assert!(host.engine.next_deadline().is_none_or(|time| time.0 > host.now));
    }
}

/// A full cluster in the given configuration, pools sharing fairly or not: turned once, then measured.
fn measure(config: Config, fair: bool) {
    let mut host = Host::new(config, &[4; 100]);
    let (pool, weight, min_share) = (PoolId::ROOT, 1, 0);
    host.say(Event::PoolDefined { pool, fair, weight, min_share });
    host.simple(1, 1, SLOTS / 2, SLOTS / 2);
    host.simple(2, 0, SLOTS, 0);
    let mut out = Vec::with_capacity(64);
    for slot in 0..SLOTS {
        host.launch(slot, 1 + slot % 2, slot / 2, slot / 4);
    }
    // By then each list is as long as it gets.
    (0..3).for_each(|_| turn(&mut host, &mut out));
    let made = host.engine.totals().made;
    let measured = allocation_counter::measure(|| turn(&mut host, &mut out));
    assert!(host.engine.totals().made > made, "holds were made meanwhile");
    assert!(host.now < SECOND, "nothing has expired meanwhile");
    assert_eq!(measured.count_total, 0, "{measured:?}");
}

#[test]
fn nothing_is_allocated_when_warm() {
    measure(Config::default(), false);
}

#[test]
fn nor_with_everything_switched_on() {
    let everything = Config {
        hold_for: HoldFor::All,
        idle_budget_ppm: Some(500_000),
        copies: Copies::All,
        ..Config::default()
    };
    measure(everything, true);
}

/// A stage of 32 tasks on all slots, from its first launch to its end; each is complete on other slots than the one before.
fn stage(host: &mut Host, id: u32, out: &mut Vec<Decision>) {
    let (set, job, stage, tasks) = (SetId(id), JobId(1), StageId(id), 32);
    let (profile, fills_cache, kind) = (P, false, StageKind::ShuffleMap);
    let attempt = |task| AttemptId(100 * id + task);
    let launched = (0..tasks).map(|task| Event::Launched {
        attempt: attempt(task),
        set,
        task,
        executor: ExecutorId((task + id) % 8),
        local: true,
    });
    let freed = (0..tasks)
        .map(|task| Event::SlotFreed { attempt: attempt(task), outcome: Outcome::Finished });
    let begin = Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind };
    for event in [begin].into_iter().chain(launched).chain(freed).chain([Event::SetEnded { set }]) {
        host.now += 1_000;
        out.clear();
        host.engine.step(Time(host.now), &event, out).expect("a valid event");
    }
}

#[test]
fn nor_by_stages_that_come_and_end() {
    let mut host = Host::new(Config::default(), &[4; 8]);
    host.simple(9, 0, 64, 0);
    host.workflow(1, 1);
    host.job(1, 1, true, &[]);
    let mut out = Vec::with_capacity(64);
    (10..14).for_each(|id| stage(&mut host, id, &mut out));
    let made = host.engine.totals().made;
    let measured = allocation_counter::measure(|| stage(&mut host, 14, &mut out));
    assert_eq!(host.engine.totals().made - made, 32, "each slot was held when it came free");
    assert_eq!(measured.count_total, 0, "{measured:?}");
}

/// Kills and launches each of a hundred attempts, which report; with picks in between. Returns how many were copies.
fn race(host: &mut Host, reported: u32, out: &mut Vec<Decision>) -> u32 {
    let mut copies = 0;
    for slot in 0..100 {
        let (attempt, executor) = (AttemptId(100 + slot), ExecutorId(slot / 4));
        let freed = Event::SlotFreed { attempt, outcome: Outcome::NotFinished };
        let launched =
            Event::Launched { attempt, set: SetId(1), task: 20 + slot, executor, local: true };
        for event in [freed, launched, Event::Progressed { attempt, done: reported + slot }] {
            host.now += 1_000;
            out.clear();
            host.engine.step(Time(host.now), &event, out).expect("a valid event");
            let pick = host.engine.pick(SetId(1), ExecutorId(slot % 25)).expect("both are known");
            copies += u32::from(matches!(pick, Choice::Copy(_)));
            assert!(host.engine.wants_copies(SetId(1)).is_ok());
        }
    }
    copies
}

/// 720 tasks of different sizes, of which 20 are done and 100 run.
#[test]
fn nor_by_picks_of_a_bounded_set() {
    for (bound, value) in [(Bound::Deadline, 60_000), (Bound::Error, 300_000)] {
        let config = Config { stragglers: Stragglers::Grass, explore_ppm: 0, ..Config::default() };
        let mut host = Host::new(config, &[4; 25]);
        host.workflow(1, 0);
        host.job(1, 1, false, &[(1, 720, 0)]);
        host.say(Event::StageBounded { job: JobId(1), stage: StageId(1), bound, value });
        host.set(1, 1, 720);
        for task in 0..720 {
            host.say(Event::TaskSized { set: SetId(1), task, units: 1 + task % 7 });
        }
        for task in 0..20 {
            host.now += 100_000;
            host.launch(task, 1, task, task);
            host.now += 1_000_000;
            host.free(task);
        }
        (0..100).for_each(|slot| _ = host.launch(100 + slot, 1, 20 + slot, slot / 4));
        let mut out = Vec::with_capacity(64);
        (0..3).for_each(|_| _ = race(&mut host, 1_000, &mut out));
        let mut copies = 0;
        let measured = allocation_counter::measure(|| copies = race(&mut host, 9, &mut out));
        assert!(copies > 0, "nothing was worth a copy");
        assert_eq!(measured.count_total, 0, "{bound:?}: {measured:?}");
    }
}

/// The last wave: each event asks again which task deserves a copy, and when the next may.
#[test]
fn nor_by_reviews_of_a_last_wave() {
    for stragglers in [Stragglers::Gs, Stragglers::Ras, Stragglers::Late, Stragglers::Mantri] {
        let config = Config { stragglers, copies: Copies::All, ..Config::default() };
        let mut host = Host::new(config, &[4; 25]);
        host.workflow(1, 0);
        host.job(1, 1, false, &[(1, 120, 0)]);
        let (job, stage, bound, value) = (JobId(1), StageId(1), Bound::Error, 50_000);
        host.say(Event::StageBounded { job, stage, bound, value });
        host.set(1, 1, 120);
        for task in 0..20 {
            host.launch(task, 1, task, task);
            host.now += 1_000_000;
            host.free(task);
        }
        (0..100).for_each(|slot| _ = host.launch(100 + slot, 1, 20 + slot, slot / 4));
        let mut out = Vec::with_capacity(64);
        let turn = |host: &mut Host, out: &mut Vec<Decision>| {
            for slot in 0..100 {
                let (attempt, executor) = (AttemptId(100 + slot), ExecutorId(slot / 4));
                let freed = Event::SlotFreed { attempt, outcome: Outcome::NotFinished };
                let (set, task, local) = (SetId(1), 20 + slot, true);
                let launched = Event::Launched { attempt, set, task, executor, local };
                for event in [freed, launched, Event::Tick] {
                    host.now += 30_000;
                    out.clear();
                    host.engine.step(Time(host.now), &event, out).expect("a valid event");
                }
            }
        };
        (0..3).for_each(|_| turn(&mut host, &mut out));
        assert!(host.engine.next_deadline().is_some() || stragglers == Stragglers::Late);
        let measured = allocation_counter::measure(|| turn(&mut host, &mut out));
        assert_eq!(measured.count_total, 0, "{stragglers:?}: {measured:?}");
    }
}
