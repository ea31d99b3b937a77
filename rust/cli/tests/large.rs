//! How much memory large inputs take. `HOLDFAST_LOG_MB` (default 10) is the size of the larger of two event logs,
//! `HOLDFAST_NODES` (default 20) the number of nodes of the paper's cluster; `./gradlew cargoNightly` asks for 1,000 of both.
//! What is printed beside it, times and rates, is asserted nowhere.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::print_stdout, reason = "what was measured, with --nocapture")]

use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use holdfast_trace::input::decoder;

/// PageRank beside a crowd, without metrics: more events to the byte than other logs have.
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cells/pagerank-stock.zstd");
const MIB: u64 = 1 << 20;
/// For what is told of each of the 30,000 runs of workflows in a GB. Its million of tasks would take far more.
const TOLD: u64 = 16 * MIB;

/// One at a time, so that rates are those of a machine that does nothing else for these tests.
static ALONE: Mutex<()> = Mutex::new(());

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// A part of an event: what stays, an id, a time.
enum Part {
    Text(String),
    Id(u64),
    Time(u64),
}

type Makes = fn(u64) -> Part;
const KEYS: [(&str, Makes); 10] = [
    ("\"Job ID\":", Part::Id),
    ("\"Stage ID\":", Part::Id),
    ("\"Stage IDs\":", Part::Id),
    ("\"Parent IDs\":", Part::Id),
    ("\"Task ID\":", Part::Id),
    ("\"Submission Time\":", Part::Time),
    ("\"Completion Time\":", Part::Time),
    ("\"Launch Time\":", Part::Time),
    ("\"Finish Time\":", Part::Time),
    ("\"Timestamp\":", Part::Time),
];

fn parts(line: &str) -> Vec<Part> {
    let (mut parts, mut rest) = (Vec::new(), line);
    let next = |rest: &str| {
        let places =
            KEYS.iter().filter_map(|(key, makes)| Some((rest.find(key)? + key.len(), *makes)));
        places.min_by_key(|(at, _)| *at)
    };
    while let Some((at, makes)) = next(rest) {
        let (before, after) = rest.split_at(at);
        parts.push(Part::Text(before.to_owned()));
        rest = after;
        // One number, or a list of them.
        while let Some(c) = rest.chars().next().filter(|c| c.is_ascii_digit() || "[],".contains(*c))
        {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (part, after) = rest.split_at(digits.max(1));
            parts.push(if c.is_ascii_digit() {
                makes(part.parse().unwrap())
            } else {
                Part::Text(part.to_owned())
            });
            rest = after;
        }
    }
    parts.push(Part::Text(format!("{rest}\n")));
    parts
}

/// The recorded log: its beginning, what is repeated, its end; how many jobs are repeated, by how much ids and times grow.
struct Recorded {
    head: String,
    body: Vec<Part>,
    tail: String,
    jobs: u64,
    ids: u64,
    millis: u64,
}

impl Recorded {
    fn read() -> Self {
        let mut text = String::new();
        decoder(Path::new(RECORDED)).unwrap().read_to_string(&mut text).unwrap();
        let begin = text.find("{\"Event\":\"SparkListenerJobStart\"").unwrap();
        let end = text.find("{\"Event\":\"SparkListenerApplicationEnd\"").unwrap();
        let body: Vec<Part> = text[begin..end].lines().flat_map(parts).collect();
        let jobs = text.matches("\"SparkListenerJobStart\"").count() as u64;
        let ids =
            body.iter().filter_map(|p| if let Part::Id(id) = p { Some(id + 1) } else { None });
        let times =
            || body.iter().filter_map(|p| if let Part::Time(at) = p { Some(*at) } else { None });
        let first = times().filter(|&at| at > 0).min().unwrap();
        // Longer than the linger: runs end.
        let millis = times().max().unwrap() - first + 10_000;
        let (head, tail) = (text[..begin].to_owned(), text[end..].to_owned());
        Self { head, tail, jobs, ids: ids.max().unwrap(), millis, body }
    }

    /// So many bytes, or somewhat more; returns how often the body is in it.
    fn write(&self, path: &Path, bytes: u64) -> u64 {
        let mut out = BufWriter::new(File::create(path).unwrap());
        out.write_all(self.head.as_bytes()).unwrap();
        let (mut copies, mut written, mut copy) = (0, 0, Vec::new());
        while written < bytes {
            copy.clear();
            for part in &self.body {
                match part {
                    Part::Text(text) => copy.extend_from_slice(text.as_bytes()),
                    Part::Id(id) => write!(copy, "{}", id + copies * self.ids).unwrap(),
                    // No time at all.
                    Part::Time(0) => copy.push(b'0'),
                    Part::Time(at) => write!(copy, "{}", at + copies * self.millis).unwrap(),
                }
            }
            out.write_all(&copy).unwrap();
            written += copy.len() as u64;
            copies += 1;
        }
        out.write_all(self.tail.as_bytes()).unwrap();
        out.into_inner().unwrap();
        copies
    }
}

/// A file that goes with its test.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// What a run of the program took, and said.
struct Ran {
    out: String,
    err: String,
    seconds: f64,
    /// The most memory it had (`VmHWM`), in bytes.
    peak: u64,
}

fn holdfast(args: &[&str]) -> Ran {
    let files = ["out", "err"].map(|name| Temporary::new(&format!("large-{name}")));
    let [out, err] = [0, 1].map(|i| File::create(&files[i].0).unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    let begun = Instant::now();
    let mut child = command.args(args).stdout(out).stderr(err).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        // It is gone, with its memory, when it ends: the last look before counts.
        let told = fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) << 10);
        sleep(Duration::from_millis(1));
    };
    let seconds = begun.elapsed().as_secs_f64();
    let [out, err] = files.each_ref().map(|file| fs::read_to_string(&file.0).unwrap());
    assert_eq!(code, Some(0), "{err}");
    assert!(peak > 0, "nothing was seen of its memory");
    Ran { out, err, seconds, peak }
}

/// The log is read as a stream: ten times as long, it takes no more memory, but for what is told of each run.
#[test]
fn the_memory_for_an_event_log_does_not_grow_with_it() {
    let _alone = ALONE.lock();
    let recorded = Recorded::read();
    let size = number("HOLDFAST_LOG_MB", 10) * 1_000_000;
    let [small, large] = [size / 10, size].map(|bytes| {
        let log = Temporary::new("large-log");
        let copies = recorded.write(&log.0, bytes);
        let ran = holdfast(&["whatif", log.0.to_str().unwrap(), "--simulate", "0"]);
        let jobs = format!("\n{} Spark jobs, ", copies * recorded.jobs);
        assert!(ran.out.contains(&jobs), "{jobs}: {:.500}{}", ran.out, ran.err);
        let megabytes = fs::metadata(&log.0).unwrap().len() as f64 / 1e6;
        let (rate, peak) = (megabytes / ran.seconds, ran.peak as f64 / MIB as f64);
        println!(
            "whatif of {megabytes:.0} MB: {:.2} s, {rate:.0} MB/s, {peak:.1} MiB",
            ran.seconds
        );
        ran.peak
    });
    assert!(large <= small * 3 / 2 + TOLD, "{large} bytes for a log, {small} for a tenth of it");
}

#[test]
fn the_paper_s_cluster_takes_at_most_a_gibibyte() {
    let _alone = ALONE.lock();
    let nodes = number("HOLDFAST_NODES", 20).to_string();
    let args = ["sim", "--preset", "paper", "--variant", "lookahead", "--nodes", &nodes];
    let ran = holdfast(&args);
    let peak = ran.peak as f64 / MIB as f64;
    println!(
        "preset paper, {nodes} nodes: {:.2} s, {peak:.1} MiB; {}",
        ran.seconds,
        ran.err.trim()
    );
    assert!(ran.err.contains("events"), "{}", ran.err);
    assert!(ran.peak <= 1024 * MIB, "{} bytes", ran.peak);
}
