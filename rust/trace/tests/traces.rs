//! The trace format, and what becomes of event logs, SWIM's traces and ClusterData2011-2.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::io::Cursor;
use std::path::Path;

use common::Log;
use holdfast_trace::Options;
use holdfast_trace::clusterdata::{ClusterDataReader, Dropped};
use holdfast_trace::convert::Converter;
use holdfast_trace::format::{Header, Job, Stage, TraceReader, TraceWriter, Workflow, WriteError};
use holdfast_trace::input::Lines;
use holdfast_trace::swim::{SwimModel, SwimReader};
use proptest::prelude::*;

fn lines(text: &str) -> Lines {
    let bytes = Cursor::new(text.as_bytes().to_vec());
    Lines::of_reader(Path::new("trace"), Box::new(bytes), false)
}

fn written(workflows: &[Workflow]) -> String {
    let mut writer = TraceWriter::new(Vec::new(), &Header::new("test")).unwrap();
    for workflow in workflows {
        writer.write(workflow).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn read(text: &str) -> Result<Vec<Workflow>, String> {
    let mut reader = TraceReader::of_lines(lines(text)).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    while let Some(workflow) = reader.read().map_err(|e| e.to_string())? {
        all.push(workflow);
    }
    Ok(all)
}

fn stage(parents: &[u32], tasks_ms: &[u64], locality: &str) -> Stage {
    let (parents, tasks_ms, locality) = (parents.to_vec(), tasks_ms.to_vec(), locality.to_owned());
    Stage { parents, tasks_ms, locality, ..Stage::default() }
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let text = concat!(
        r#"{"format":"holdfast-trace","version":1,"source":"spark-event-log"}"#,
        "\n",
        r#"{"name":"group:etl","arrival_ms":1200,"jobs":["#,
        r#"{"gap_ms":40,"stages":[{"tasks_ms":[900,1100],"locality":"NN"},{"parents":[0],"tasks_ms":[300,310]}]},"#,
        r#"{"after":[0],"gap_ms":25,"stages":[{"tasks_ms":[500,480],"locality":"PP"}]}]}"#,
        "\n",
    );
    let expected = Workflow {
        name: "group:etl".to_owned(),
        arrival_ms: 1_200,
        jobs: vec![
            Job {
                after: vec![],
                gap_ms: 40,
                stages: vec![stage(&[], &[900, 1_100], "NN"), stage(&[0], &[300, 310], "")],
                ..Job::default()
            },
            Job {
                after: vec![0],
                gap_ms: 25,
                stages: vec![stage(&[], &[500, 480], "PP")],
                ..Job::default()
            },
        ],
        ..Workflow::default()
    };
    assert_eq!(read(text).unwrap(), std::slice::from_ref(&expected));
    assert_eq!(written(&[expected]), text.replace("spark-event-log", "test"));
}

#[test]
fn what_is_wrong_with_a_trace_is_said_with_its_line() {
    let header = r#"{"format":"holdfast-trace","version":1,"source":"x"}"#;
    let at = |n: u64| format!(r#"{{"name":"w","arrival_ms":{n},"jobs":[]}}"#);
    let job = |job: &str| format!(r#"{{"name":"w","arrival_ms":0,"jobs":[{job}]}}"#);
    let cases = [
        (String::new(), "nothing is in this file"),
        ("\n".to_owned(), "no header of a trace"),
        ("x\n".to_owned(), "line 1: this is no header of a trace: a value is missing"),
        (
            header.replace(":1,", ":2,"),
            "line 1: this is holdfast-trace version 2; holdfast-trace version 1 is read",
        ),
        (
            format!("{header}\n{}\n{}", at(5), at(4)),
            "line 3: it arrives before the workflow of the line before",
        ),
        (
            format!("{header}\n{{\"name\":3}}"),
            "line 2: the field \"name\" is 3; wanted is a text in quotes (column 9)",
        ),
        (
            format!("{header}\n{}", job(r#"{"after":[0],"stages":[]}"#)),
            "line 2: job 0 comes after one that is not before it",
        ),
        (
            format!("{header}\n{}", job(r#"{"stages":[{"parents":[0],"tasks_ms":[]}]}"#)),
            "line 2: job 0, stage 0: a parent is not before it",
        ),
        (
            format!("{header}\n{}", job(r#"{"stages":[{"tasks_ms":[1],"locality":"PP"}]}"#)),
            "line 2: job 0, stage 0: 1 task and 2 localities",
        ),
        (
            format!("{header}\n{}", job(r#"{"stages":[{"tasks_ms":[1],"cached_by":[0,0]}]}"#)),
            "line 2: job 0, stage 0: what it reads is not before it",
        ),
        (
            format!("{header}\n{}", job(r#"{"stages":[{"tasks_ms":[1],"locality":"X"}]}"#)),
            "line 2: job 0, stage 0: 'X' is no locality",
        ),
    ];
    for (text, expected) in cases {
        let error = read(&text).unwrap_err();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
    let mut writer = TraceWriter::new(Vec::new(), &Header::new("test")).unwrap();
    writer.write(&Workflow { arrival_ms: 5, ..Workflow::default() }).unwrap();
    let early = writer.write(&Workflow { arrival_ms: 4, ..Workflow::default() });
    assert!(matches!(early, Err(WriteError::Order)));
    let invalid = Job { after: vec![3], ..Job::default() };
    let invalid = Workflow { arrival_ms: 5, jobs: vec![invalid], ..Workflow::default() };
    assert!(matches!(writer.write(&invalid), Err(WriteError::Invalid(_))));
}

fn workflow() -> impl Strategy<Value = Workflow> {
    let stage = (proptest::collection::vec(0u64..9_999, 0..5), any::<bool>(), any::<u32>());
    let job = (proptest::collection::vec(stage, 0..4), 0u64..500, any::<u32>());
    let jobs = proptest::collection::vec(job, 0..4);
    (".{0,8}", any::<i32>(), proptest::option::of("[a-z]{1,3}"), jobs).prop_map(
        |(name, priority, pool, jobs)| {
            let number = |n: usize| u32::try_from(n).unwrap();
            let place = |n: usize, seed: u32| {
                if n == 0 { vec![] } else { vec![seed % u32::try_from(n).unwrap()] }
            };
            let jobs = jobs.into_iter().enumerate().map(|(j, (stages, gap_ms, seed))| Job {
                after: place(j, seed),
                gap_ms,
                stages: stages
                    .into_iter()
                    .enumerate()
                    .map(|(s, (tasks_ms, local, seed))| Stage {
                        parents: place(s, seed),
                        locality: if local { "R".repeat(tasks_ms.len()) } else { String::new() },
                        tasks_ms,
                        fills_cache: seed % 3 == 0,
                        barrier: seed % 5 == 2,
                        cached_by: (s > 0 && seed % 3 == 1).then_some((number(j), 0)),
                    })
                    .collect(),
                ends_in_shuffle: seed % 2 == 0,
                numbered_ahead_ms: u64::from(seed % 3),
            });
            let (took_ms, jobs) = (Some(u64::from(priority.unsigned_abs())), jobs.collect());
            Workflow { name, arrival_ms: 0, priority, pool, took_ms, jobs }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(all in proptest::collection::vec(workflow(), 0..6)) {
        let mut all = all;
        for (i, workflow) in all.iter_mut().enumerate() {
            workflow.arrival_ms = i as u64 / 2 * 10;
        }
        prop_assert_eq!(read(&written(&all)).unwrap(), all);
    }
}

fn converted(log: &Log) -> Vec<Workflow> {
    let mut converter = Converter::of_lines(|| log.lines(false), &Options::default()).unwrap();
    let mut all = Vec::new();
    while let Some(workflow) = converter.read().unwrap() {
        workflow.check().unwrap();
        all.push(workflow);
    }
    all
}

/// A job of two stages and, after it, one whose first stage is skipped; while the first job runs another comes.
#[test]
fn an_event_log_becomes_a_trace() {
    let a = [("spark.jobGroup.id", "a"), ("spark.scheduler.pool", "p")];
    let mut log = Log::new(&[4]);
    log.job(1_000, 0, &[(1, &[0]), (0, &[])], &a);
    log.stage(1_000, 0, 2);
    log.task(1_100, 0, 0, 0, "e0");
    log.task(1_100, 0, 1, 1, "e0");
    log.job(1_500, 1, &[(2, &[])], &a);
    log.stage(1_500, 2, 1);
    log.task(1_510, 2, 2, 0, "e0");
    log.task_end((1_100, 1_600), 0, 1, 1, "e0", "Success");
    log.task_end((1_100, 1_700), 0, 0, 0, "e0", "ExceptionFailure");
    log.ran((1_700, 1_950), 0, 3, 0, "e0");
    log.stage_end(1_950, 0);
    log.stage(1_950, 1, 1);
    log.ran((1_960, 2_000), 1, 4, 0, "e0");
    log.stage_end(2_000, 1);
    log.job_end(2_000, 0);
    log.task_end((1_510, 2_100), 2, 2, 0, "e0", "Success");
    log.stage_end(2_100, 2);
    log.job_end(2_100, 1);
    log.job(2_130, 2, &[(4, &[3]), (3, &[])], &a);
    log.stage(2_130, 4, 1);
    log.ran((2_140, 2_200), 4, 5, 0, "e0");
    log.stage_end(2_200, 4);
    log.job_end(2_200, 2);
    let job = |after: &[u32], gap_ms, stages| Job {
        after: after.to_vec(),
        gap_ms,
        stages,
        ..Job::default()
    };
    let expected = Workflow {
        name: "group:a".to_owned(),
        arrival_ms: 1_000,
        pool: Some("p".to_owned()),
        took_ms: Some(1_200),
        jobs: vec![
            job(&[], 0, vec![stage(&[], &[250, 500], "PP"), stage(&[0], &[40], "P")]),
            job(&[], 500, vec![stage(&[], &[590], "P")]),
            job(&[0, 1], 30, vec![stage(&[], &[60], "P")]),
        ],
        ..Workflow::default()
    };
    assert_eq!(converted(&log), [expected]);
}

#[test]
fn workflows_are_told_in_the_order_of_their_arrivals() {
    let mut log = Log::new(&[4]);
    let stages: [(u32, &[u32]); 1] = [(0, &[])];
    log.job(1_000, 0, &stages, &[("spark.jobGroup.id", "long")]);
    log.execution(2_000, 5); // its job comes after the next two have ended
    log.job(3_000, 1, &[(1, &[])], &[]);
    log.job_end(3_500, 1);
    log.job(4_000, 2, &[(2, &[])], &[]);
    log.job_end(4_500, 2);
    log.job(30_000, 3, &[(3, &[])], &[("spark.sql.execution.id", "5")]);
    log.job_end(31_000, 3);
    log.execution_end(31_000, 5);
    log.job_end(40_000, 0);
    log.end(60_000);
    let told: Vec<_> = converted(&log).into_iter().map(|w| (w.name, w.arrival_ms)).collect();
    let expected = [("group:long", 1_000), ("sql:5", 2_000), ("job:1", 3_000), ("job:2", 4_000)];
    assert_eq!(told, expected.map(|(name, at)| (name.to_owned(), at)));
}

#[test]
fn swim_jobs_get_tasks_from_their_bytes() {
    let model = SwimModel {
        map_bytes: 100,
        reduce_bytes: 1_000,
        bytes_per_second: 50,
        start_ms: 1_000,
        most_tasks: 3,
    };
    // 250 bytes: three maps of 83 bytes; 1500 bytes of shuffle: two reducers of 750. Then a job without input, and one
    // with too much: three maps of 1000 bytes.
    let text = "job0\t0\t0\t250\t1500\t10\njob1\t2\t2\t0\t0\t0\n\njob2\t2\t0\t3000\t0\t0\n";
    let mut reader = SwimReader::new(lines(text), model);
    assert_eq!(reader.header().assumed["map_bytes"], "100");
    let first = reader.read().unwrap().unwrap();
    assert_eq!((first.name.as_str(), first.arrival_ms), ("job0", 0));
    let expected = [stage(&[], &[2_660; 3], ""), stage(&[0], &[16_000; 2], "")];
    assert_eq!(first.jobs[0].stages, expected);
    let second = reader.read().unwrap().unwrap();
    assert_eq!((second.arrival_ms, second.jobs[0].stages.len()), (2_000, 1));
    assert_eq!(second.jobs[0].stages[0].tasks_ms, [1_000]);
    assert_eq!(reader.read().unwrap().unwrap().jobs[0].stages[0].tasks_ms, [21_000; 3]);
    assert_eq!(reader.read().unwrap(), None);
    for (text, expected) in [
        ("a\t1\t2\t3", "trace: line 1: 4 columns, 6 are wanted"),
        ("a\t1\tx\t3\t4\t5", "line 1: the gap: \"x\" is no whole number"),
        ("a\t5\t0\t3\t4\t5\nb\t4\t0\t3\t4\t5", "line 2: it is submitted before"),
    ] {
        let mut reader = SwimReader::new(lines(text), model);
        let error = loop {
            match reader.read() {
                Ok(found) => assert!(found.is_some()),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains(expected), "{error}");
    }
}

/// Two jobs. Of the first, task 0 finishes, task 1 is evicted, scheduled again and finishes; of the second the only
/// task is killed. A third was there before the window.
#[test]
fn cluster_data_jobs_have_the_tasks_that_finished() {
    let row = |at: u64, job: u32, index: u32, kind: u8| {
        format!("{at},,{job},{index},m,{kind},u,2,9,0.1,0.1,0.0,0\n")
    };
    let s = 1_000_000;
    let text = [
        row(0, 3, 0, 0),
        row(600 * s, 1, 0, 0),
        row(600 * s, 1, 1, 0),
        row(601 * s, 1, 0, 1),
        row(602 * s, 1, 1, 1),
        row(603 * s, 3, 0, 4),
        row(604 * s, 1, 1, 2),
        row(604 * s, 1, 1, 0),
        row(605 * s, 1, 1, 1),
        row(606 * s, 2, 0, 0),
        row(607 * s, 2, 0, 1),
        row(608 * s, 1, 1, 8),
        row(611 * s, 1, 0, 4),
        row(612 * s, 2, 0, 5),
        row(625 * s, 1, 1, 4),
        row(2_000 * s, 4, 0, 0),
    ]
    .concat();
    let mut reader = ClusterDataReader::new(lines(&text));
    let expected = Workflow {
        name: "1".to_owned(),
        arrival_ms: 600_000,
        priority: 9,
        jobs: vec![Job { stages: vec![stage(&[], &[10_000, 20_000], "")], ..Job::default() }],
        ..Workflow::default()
    };
    assert_eq!(reader.read().unwrap(), Some(expected));
    assert_eq!(reader.read().unwrap(), None);
    // Evicted once, killed once, one still there at the end; jobs 2 and 4; two rows of job 3, which was there before.
    assert_eq!(
        reader.dropped(),
        Dropped { task_runs: 3, jobs: 2, jobs_before: 1, rows_before: 2, rows_after: 0 }
    );
    for (text, expected) in [
        ("1,2,3", "line 1: 3 columns, 13 are wanted"),
        ("1,,x,0,m,1,u,0,9,,,,", "line 1: the job: \"x\" is no number"),
        ("1,,2,0,m,9,u,0,9,,,,", "line 1: the event type: 9 is none"),
    ] {
        let error = ClusterDataReader::new(lines(text)).read().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
