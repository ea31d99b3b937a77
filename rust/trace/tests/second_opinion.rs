//! The analysis against a naive one that shares nothing with it: the whole log in memory, one millisecond after the
//! other, counters instead of slots. It takes a run to have lost what it is narrower than it once was, so it is a little
//! less exact; on a real log both must nearly agree.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use holdfast_trace::input::logs_at;
use holdfast_trace::{Options, whatif};
use serde_json::Value;

/// KMeans in the pool `important` beside eight background jobs on 8 slots: Spark 4.1.0, stock, FAIR.
const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/stock-4.1.0.zstd");

#[derive(Default)]
struct Naive {
    jct: f64,
    computing: f64,
    first_wait: f64,
    lost: f64,
    free: f64,
    driver: f64,
}

/// A number for each millisecond, from what is added over spans.
struct Timeline {
    from: i64,
    steps: Vec<i64>,
}

impl Timeline {
    fn new(from: i64, to: i64) -> Self {
        Self { from, steps: vec![0; usize::try_from(to - from).unwrap() + 1] }
    }

    fn add(&mut self, from: i64, to: i64) {
        let last = i64::try_from(self.steps.len()).unwrap() - 1;
        let (a, b) = ((from - self.from).clamp(0, last), (to - self.from).clamp(0, last));
        self.steps[usize::try_from(a).unwrap()] += 1;
        self.steps[usize::try_from(b).unwrap()] -= 1;
    }

    fn values(&self) -> Vec<i64> {
        let sums = self.steps.iter().scan(0, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        sums.collect()
    }
}

fn events() -> Vec<Value> {
    let decoder = zstd::stream::read::Decoder::new(File::open(LOG).unwrap()).unwrap();
    BufReader::new(decoder).lines().map(|l| serde_json::from_str(&l.unwrap()).unwrap()).collect()
}

fn naive(events: &[Value], pool: &str) -> Naive {
    let of = |name: &'static str| events.iter().filter(move |e| e["Event"] == name);
    let n = |v: &Value| v.as_i64().unwrap();
    let jobs: Vec<&Value> = of("SparkListenerJobStart")
        .filter(|e| e["Properties"]["spark.scheduler.pool"] == pool)
        .collect();
    let ids: HashSet<i64> = jobs.iter().map(|e| n(&e["Job ID"])).collect();
    let stages: HashSet<i64> =
        jobs.iter().flat_map(|e| e["Stage IDs"].as_array().unwrap()).map(n).collect();
    let from = jobs.iter().map(|e| n(&e["Submission Time"])).min().unwrap();
    let ends = of("SparkListenerJobEnd").filter(|e| ids.contains(&n(&e["Job ID"])));
    let to = ends.map(|e| n(&e["Completion Time"])).max().unwrap();
    let slots: i64 =
        of("SparkListenerExecutorAdded").map(|e| n(&e["Executor Info"]["Total Cores"])).sum();

    let [mut own, mut busy, mut waiting, mut at_work] = [(); 4].map(|()| Timeline::new(from, to));
    let submitted: HashMap<i64, i64> = of("SparkListenerStageCompleted")
        .map(|e| &e["Stage Info"])
        .map(|s| (n(&s["Stage ID"]), n(&s["Submission Time"])))
        .collect();
    for info in of("SparkListenerStageCompleted").map(|e| &e["Stage Info"]) {
        if stages.contains(&n(&info["Stage ID"])) {
            at_work.add(n(&info["Submission Time"]), n(&info["Completion Time"]));
        }
    }
    for e in of("SparkListenerTaskEnd") {
        let (launch, finish) =
            (n(&e["Task Info"]["Launch Time"]), n(&e["Task Info"]["Finish Time"]));
        busy.add(launch, finish);
        if stages.contains(&n(&e["Stage ID"])) {
            own.add(launch, finish);
            waiting.add(submitted[&n(&e["Stage ID"])], launch);
        }
    }
    let lines = own.values().into_iter().zip(busy.values()).zip(waiting.values());
    let mut result = Naive { jct: (to - from) as f64, ..Naive::default() };
    let mut widest = 0;
    for (((own, busy), waiting), at_work) in
        lines.zip(at_work.values()).take(usize::try_from(to - from).unwrap())
    {
        widest = widest.max(own);
        result.instant(slots, [own, busy.min(slots), waiting, at_work, widest]);
    }
    result
}

impl Naive {
    fn instant(&mut self, slots: i64, [own, busy, waiting, at_work, widest]: [i64; 5]) {
        if at_work == 0 {
            self.driver += 1.0;
        } else if waiting == 0 {
            self.computing += 1.0;
        } else if widest == 0 {
            self.first_wait += 1.0;
        } else {
            let (free, others) = (slots - busy, (busy - own).max(0));
            let unused = waiting.min(free);
            let lost = (waiting - unused).min((widest - own - free).max(0)).min(others);
            let never = (waiting - unused - lost).min(others - lost);
            let more = unused + lost + never;
            let own = if more == waiting { 0 } else { own };
            let part = |n: i64| n as f64 / (more + own) as f64;
            self.free += part(unused);
            self.lost += part(lost);
            self.first_wait += part(never);
            self.computing += part(own);
        }
    }
}

#[test]
fn both_nearly_agree_on_a_real_log() {
    let naive = naive(&events(), "important");
    let sum = naive.computing + naive.first_wait + naive.lost + naive.free + naive.driver;
    assert!((sum - naive.jct).abs() < 0.001, "the naive one adds up, too: {sum}");

    let mut options = Options::default();
    options.spark.insert("spark.holdfast.pool.important.priority".to_owned(), "10".to_owned());
    let report = whatif(&logs_at(Path::new(LOG)).unwrap()[0], &options).unwrap();
    let run = report.runs.iter().find(|run| run.workflow == "pool:important").unwrap();
    assert!(run.adds_up() && report.runs.iter().all(|run| run.adds_up()));
    let ms = |micros: u64| micros as f64 / 1_000.0;
    assert_eq!(ms(run.jct_us), naive.jct);
    let t = &run.terms;
    let one_percent = naive.jct / 100.0;
    for (what, got, expected) in [
        ("computing", t.computing, naive.computing),
        ("first wait", t.first_wait, naive.first_wait),
        ("lost at barriers", t.lost_at_barriers, naive.lost),
        // spark.locality.wait is 0 in this log: what waits beside free slots waits for the driver.
        ("driver gaps", t.driver_gaps, naive.driver + naive.free),
    ] {
        assert!((ms(got) - expected).abs() < one_percent, "{what}: {} and {expected}", ms(got));
    }
    assert_eq!(t.locality_wait, 0);
    assert!(t.lost_at_barriers > t.computing, "stock Spark beside a crowd");
    assert_eq!(report.slots, 8);
}
