//! Pools and priorities: whose they are in what is simulated.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../trace/tests/common/mod.rs"]
mod common;
mod program;

use common::Log;
use program::{IMPORTANT, file, holdfast};
use serde_json::Value;

const FAIR: (&str, &str) = ("spark.scheduler.mode", "FAIR");

fn told(args: &[&str]) -> Value {
    let ran = holdfast(args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn pool(name: &str) -> [(&str, &str); 1] {
    [("spark.scheduler.pool", name)]
}

/// A job of so many tasks of a stage, with the launches and ends of its tasks.
struct Job<'a> {
    at: u64,
    properties: &'a [(&'a str, &'a str)],
    tasks: Vec<(u64, u64, &'static str)>,
}

/// Writes what happened, in the order of its times.
fn write(log: &mut Log, jobs: &[Job<'_>]) {
    let mut happened: Vec<(u64, u8, usize, usize)> = Vec::new();
    for (j, job) in jobs.iter().enumerate() {
        happened.push((job.at, 2, j, 0));
        for (t, &(from, to, _)) in job.tasks.iter().enumerate() {
            happened.extend([(from, 3, j, t), (to, 0, j, t)]);
        }
        happened.push((job.tasks.iter().map(|task| task.1).max().unwrap(), 1, j, 0));
    }
    happened.sort_unstable();
    for (at, what, j, t) in happened {
        let (job, id) = (&jobs[j], u32::try_from(j).unwrap());
        let (task, index) = ((j * 100 + t) as u64, u32::try_from(t).unwrap());
        match what {
            0 => {
                let (from, to, executor) = job.tasks[t];
                log.task_end((from, to), id, task, index, executor, "Success");
            }
            1 => {
                log.stage_end(at, id);
                log.job_end(at, id);
            }
            2 => {
                log.job(at, id, &[(id, &[])], job.properties);
                log.stage(at, id, u32::try_from(job.tasks.len()).unwrap());
            }
            _ => log.task(at, id, task, index, job.tasks[t].2),
        }
    }
    log.end(happened_last(jobs));
}

fn happened_last(jobs: &[Job<'_>]) -> u64 {
    jobs.iter().flat_map(|job| &job.tasks).map(|task| task.1).max().unwrap()
}

/// Two slots. A job of 24 tasks of 600 ms has both; from 1 s on it shares them with one of 4 tasks, both of no pool, as the
/// pool of those that name none is FAIR without a file. A third job is in a pool that no file declares.
fn shared() -> Log {
    let mut log = Log::new(&[1, 1]);
    log.environment(&[FAIR]);
    let pair = |from: u64, to: u64| [(from, to, "e0"), (from, to, "e1")];
    let mut long: Vec<_> = [0, 600].iter().flat_map(|&at| pair(at, at + 600)).collect();
    long.extend([1_200, 1_800, 2_400, 3_000].map(|at| (at, at + 600, "e0")));
    long.extend((6..14).flat_map(|i| pair(i * 600, (i + 1) * 600)));
    let short = [1_200, 1_800, 2_400, 3_000].map(|at| (at, at + 600, "e1")).to_vec();
    let other = vec![(8_400, 8_500, "e0")];
    let jobs = [
        Job { at: 0, properties: &[], tasks: long },
        Job { at: 1_000, properties: &[], tasks: short },
        Job { at: 8_390, properties: &pool("other"), tasks: other },
    ];
    write(&mut log, &jobs);
    log
}

#[test]
fn the_pool_of_jobs_that_name_none_is_fair_without_a_file() {
    let log = file("default-pool-fair", shared().0);
    let log = log.to_str().unwrap();
    let ratio = |args: &[&str]| {
        let compared = told(&[&["sim", log, "--compare", "--json"], args].concat());
        let runs = compared["runs"].as_array().unwrap().clone();
        let run = runs.iter().find(|run| run["workflow"] == "job:1").unwrap();
        run["ratio"].as_f64().unwrap()
    };
    let fair = ratio(&[]);
    assert!((fair - 1.0).abs() < 0.2, "{fair}");
    // A file that does not say makes it FIFO, and one that says gives it what it says.
    let allocations = |pools: &str| {
        let text = format!("<?xml version=\"1.0\"?><allocations>{pools}</allocations>");
        let path = file("default-pool.xml", text);
        format!("spark.scheduler.allocation.file={}", path.display())
    };
    let silent = ratio(&["--conf", &allocations("<pool name=\"other\"/>")]);
    assert!(silent > 2.0, "{silent}");
    let says = "<pool name=\"default\"><schedulingMode>FAIR</schedulingMode></pool>";
    assert_eq!(ratio(&["--conf", &allocations(says)]), fair);
}

/// Two slots; a job of two phases loses one of them at its barrier to a job in the pool `important`.
fn barrier(environment: &[(&str, &str)]) -> Log {
    let mut log = Log::new(&[1, 1]);
    log.environment(environment);
    log.job(0, 0, &[(0, &[]), (1, &[0])], &[]);
    log.stage(0, 0, 2);
    log.task(0, 0, 0, 0, "e0");
    log.task(0, 0, 1, 1, "e1");
    log.job(500, 1, &[(2, &[])], &pool("important"));
    log.stage(500, 2, 2);
    log.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    log.task(1_000, 2, 2, 0, "e0");
    log.task_end((0, 3_000), 0, 1, 1, "e1", "Success");
    log.stage_end(3_000, 0);
    log.task(3_000, 2, 3, 1, "e1");
    log.stage(3_001, 1, 2);
    log.task_end((1_000, 7_000), 2, 2, 0, "e0", "Success");
    log.ran((7_000, 8_000), 1, 4, 0, "e0");
    log.ran((8_000, 9_000), 1, 5, 1, "e0");
    log.stage_end(9_000, 1);
    log.job_end(9_000, 0);
    log.task_end((3_000, 10_000), 2, 3, 1, "e1", "Success");
    log.stage_end(10_000, 2);
    log.job_end(10_000, 1);
    log.end(10_000);
    log
}

/// Each row asks what would be if this workflow alone were important.
#[test]
fn priorities_of_others_do_not_change_a_workflows_rows() {
    let rows = |environment: &[(&str, &str)], conf: &[&str]| {
        let log = file("priorities-of-others", barrier(environment).0);
        let command = ["whatif", log.to_str().unwrap(), "--workflow", "job:0", "--json"];
        let told = told(&[&command[..], conf].concat());
        let [job] = told["applications"][0]["ssr"]["workflows"].as_array().unwrap().as_slice()
        else {
            panic!("{told}")
        };
        (job["as_recorded_ms"].clone(), job["settings"].clone())
    };
    let with_holdfast = [("spark.holdfast.hold.max", "60s"), FAIR];
    for environment in [&[FAIR][..], &with_holdfast] {
        let alone = rows(environment, &[]);
        assert_eq!(alone, rows(environment, &["--conf", IMPORTANT]));
        assert_eq!(alone.1[0]["held_slot_ms"], 0, "nothing is held by a priority only");
        assert!(alone.1[3]["change"].as_f64().unwrap() < -0.5, "{alone:?}");
    }
}
