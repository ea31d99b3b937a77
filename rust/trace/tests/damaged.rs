//! Logs of the tests' data with lines dropped, written twice, out of order or cut off: where another event carries what is
//! lost, the whole log's report; else a note. `HOLDFAST_DAMAGED` (default 40) is the number of cases;
//! `./gradlew cargoNightly` asks for 4,000.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use holdfast_trace::format::Workflow;
use holdfast_trace::input::{Lines, decoder, logs_at};
use holdfast_trace::notes::NoteKind;
use holdfast_trace::recording::{Recorded, Recording};
use holdfast_trace::report::ApplicationReport;
use holdfast_trace::spark_event::{SparkEvent, parse};
use holdfast_trace::{Options, whatif_of_lines};
use proptest::prelude::*;

struct Log {
    name: PathBuf,
    lines: Vec<String>,
    report: ApplicationReport,
    workflows: Vec<Workflow>,
}

static LOGS: LazyLock<Vec<Log>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("tests/data/stock-4.1.0.zstd")];
    for folder in ["tests/data/spark-3.5.6", "../cli/tests/data/cells"] {
        paths.extend(fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_none_or(|extension| extension != "xml"));
    paths.sort();
    paths.into_iter().map(read).collect()
});

fn read(name: PathBuf) -> Log {
    let mut text = String::new();
    for file in &logs_at(&name).unwrap()[0].files {
        decoder(file).unwrap().read_to_string(&mut text).unwrap();
    }
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (report, workflows) = (report(&lines), workflows(&lines));
    Log { name, lines, report, workflows }
}

fn lines(lines: &[String]) -> Lines {
    let bytes = (lines.join("\n") + "\n").into_bytes();
    Lines::of_reader(Path::new("damaged"), Box::new(Cursor::new(bytes)), true)
}

fn report(all: &[String]) -> ApplicationReport {
    let report = whatif_of_lines(|| lines(all), &Options::default()).unwrap();
    assert!(report.runs.iter().all(|run| run.adds_up()));
    report
}

fn workflows(all: &[String]) -> Vec<Workflow> {
    match Recording::of_lines(|| lines(all), &Options::default(), u64::MAX).unwrap() {
        Recorded::Whole(recording) => recording.workflows,
        Recorded::TooMany => unreachable!(),
    }
}

/// In the logs of the cells, the ends of stages do not say which RDDs they computed: that was left out to make them small.
fn without_caches(workflows: &[Workflow]) -> Vec<Workflow> {
    let mut workflows = workflows.to_vec();
    for stage in workflows.iter_mut().flat_map(|w| &mut w.jobs).flat_map(|job| &mut job.stages) {
        (stage.fills_cache, stage.cached_by) = (false, None);
    }
    workflows
}

/// Everything but how long the log is, and the notes.
fn is_same(log: &Log, report: &ApplicationReport) -> bool {
    let (bytes, notes) = (log.report.bytes, log.report.notes.clone());
    log.report == ApplicationReport { bytes, notes, ..report.clone() }
}

/// Whether another event carries all that this one tells.
fn is_carried(line: &str) -> bool {
    ["TaskStart\"", "StageSubmitted\""].iter().any(|name| line[..60.min(line.len())].contains(name))
}

#[derive(Clone, Debug)]
enum Damage {
    /// So many of 1,000 lines of those that others carry, or of all but the first two.
    Drop {
        share: u64,
        carried: bool,
    },
    /// All lines of the kind of one of them.
    DropKind,
    Again {
        share: u64,
    },
    Swap {
        share: u64,
    },
    Cut,
}

fn damage() -> impl Strategy<Value = Damage> {
    let share = || prop_oneof![Just(2u64), 1u64..50, 1u64..1_000];
    prop_oneof![
        3 => (share(), any::<bool>()).prop_map(|(share, carried)| Damage::Drop { share, carried }),
        1 => Just(Damage::DropKind),
        1 => share().prop_map(|share| Damage::Again { share }),
        1 => share().prop_map(|share| Damage::Swap { share }),
        1 => Just(Damage::Cut),
    ]
}

/// Numbers from a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn kind(line: &str) -> &str {
    line.split('"').nth(3).unwrap()
}

fn apply(log: &Log, damage: &Damage, draw: &mut Draw) -> Vec<String> {
    let all = &log.lines;
    let rest = all.iter().enumerate();
    match damage {
        Damage::Drop { share, carried } => rest
            .filter(|(i, line)| {
                *i < 2 || (*carried && !is_carried(line)) || draw.below(1_000) >= *share
            })
            .map(|(_, line)| line.clone())
            .collect(),
        Damage::DropKind => {
            let of = kind(&all[usize::try_from(draw.below(all.len() as u64)).unwrap()]);
            rest.filter(|(i, line)| *i < 2 || kind(line) != of).map(|(_, l)| l.clone()).collect()
        }
        Damage::Again { share } => all
            .iter()
            .flat_map(|line| vec![line.clone(); 1 + usize::from(draw.below(1_000) < *share)])
            .collect(),
        Damage::Swap { share } => {
            let mut lines = all.clone();
            for i in 1..lines.len() {
                if draw.below(1_000) < *share && differ(&lines[i - 1], &lines[i]) {
                    lines.swap(i - 1, i);
                }
            }
            lines
        }
        Damage::Cut => {
            let kept = 2 + draw.below(all.len() as u64 - 3);
            all[..usize::try_from(kept).unwrap()].to_vec()
        }
    }
}

/// Whether their own times say which comes first.
fn differ(one: &str, other: &str) -> bool {
    let at = |line: &str| {
        let event = parse(line.as_bytes(), |_| 0).ok()??;
        event.at.filter(|_| !matches!(event.event, SparkEvent::Application { .. }))
    };
    matches!((at(one), at(other)), (Some(one), Some(other)) if one != other)
}

fn cases() -> u32 {
    std::env::var("HOLDFAST_DAMAGED").map_or(40, |cases| cases.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_lost_is_rebuilt_or_noted(place in any::<prop::sample::Index>(), damage in damage(), seed: u64) {
        let log = place.get(&LOGS);
        let damaged = apply(log, &damage, &mut Draw(seed));
        let report = report(&damaged);
        let same = is_same(log, &report);
        let name = log.name.display();
        match damage {
            Damage::Drop { carried: true, .. } if damaged.len() < log.lines.len() => {
                prop_assert!(same, "{name}");
                let rebuilt = report.notes.iter().any(|note| note.kind == NoteKind::Rebuilt);
                prop_assert!(rebuilt, "{name}: {:?}", report.notes);
                prop_assert!(without_caches(&workflows(&damaged)) == without_caches(&log.workflows), "{name}");
            }
            // Of two lines next to each other, one may be more than the window later.
            Damage::Again { .. } | Damage::Swap { .. } if report.late_events == 0 => {
                prop_assert!(same, "{name}");
                prop_assert!(workflows(&damaged) == log.workflows, "{name}");
            }
            Damage::Cut => {
                prop_assert!(report.notes.iter().any(|note| note.kind == NoteKind::Cut), "{name}");
            }
            _ => prop_assert!(same || report.notes != log.report.notes, "{name}"),
        }
    }
}

#[test]
fn the_logs_themselves_have_no_notes() {
    for log in LOGS.iter() {
        assert_eq!(log.report.notes, [], "{}", log.name.display());
    }
}
