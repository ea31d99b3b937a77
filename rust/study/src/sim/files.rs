//! What is written for other programs: all measures as comma-separated values, all runs as lines of JSON.

use holdfast_sim::{World, slowdown};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::measures::{ALL, Summary};
use super::study::{Run, Series, Study};

/// The first line of the CSV file.
const HEADER: &str = "variant,isolation,measure,value,lo,hi,n,seed";

/// Returns one line for each measure of each series, below the header. Values have six decimals and are empty where no
/// seed has such a number; with one seed there is no interval.
pub fn csv(study: &Study, summaries: &[Summary]) -> String {
    let mut text = format!("{HEADER}\n");
    for summary in summaries {
        let name = summary.series.name();
        let asked = summary.asked.map(|asked| asked.to_string()).unwrap_or_default();
        for stat in &summary.stats {
            let value = stat.point.map(|p| format!("{:.6}", p.value)).unwrap_or_default();
            let spread = stat.point.and_then(|point| point.spread);
            let ends = spread.map_or(",".to_owned(), |s| format!("{:.6},{:.6}", s.lo, s.hi));
            let (measure, n, seed) = (stat.name, stat.seeds, study.seeds.start);
            text.push_str(&format!("{name},{asked},{measure},{value},{ends},{n},{seed}\n"));
        }
    }
    text
}

/// Which run a line is of.
#[derive(Clone, Copy, Serialize)]
struct Of {
    kind: &'static str,
    variant: &'static str,
    isolation: Option<f64>,
    seed: u64,
}

#[derive(Serialize)]
struct RunLine<'a> {
    #[serde(flatten)]
    of: Of,
    slots: u64,
    #[serde(flatten)]
    measures: Measures<'a>,
    fingerprint: String,
}

/// Follows from all launches. In hexadecimal digits: programs that read numbers as floating point would round it.
fn fingerprint(run: &Run) -> String {
    format!("{:016x}", run.outcome.fingerprint)
}

/// All of a run, by their names.
struct Measures<'a>(&'a Run);

impl Serialize for Measures<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(ALL.iter().map(|measure| (measure.name, (measure.of)(self.0))))
    }
}

#[derive(Serialize)]
struct WorkflowLine {
    #[serde(flatten)]
    of: Of,
    workflow: usize,
    foreground: bool,
    arrived_ns: u64,
    ended_ns: u64,
    jct_ns: u64,
    alone_ns: Option<u64>,
    slowdown: Option<f64>,
}

/// Returns a line for each run, and after it one for each of its foreground workflows, or of all.
///
/// # Errors
/// None that is known: what is written are numbers and names.
pub fn lines(study: &Study, background: bool) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    let mut put = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for run in &study.runs {
        let isolation = run.asked.map(|ppm| f64::from(ppm) / 1e6);
        let variant = study.series[run.series].name();
        let of = Of { kind: "run", variant, isolation, seed: run.seed };
        let (measures, fingerprint) = (Measures(run), fingerprint(run));
        let line = RunLine { of, slots: run.slots, measures, fingerprint };
        put(serde_json::to_string(&line)?);
        for workflow in 0..run.outcome.workflows.len() {
            let line = workflow_line(run, Of { kind: "workflow", ..of }, workflow);
            if line.foreground || background {
                put(serde_json::to_string(&line)?);
            }
        }
    }
    Ok(text)
}

fn workflow_line(run: &Run, of: Of, workflow: usize) -> WorkflowLine {
    let times = &run.outcome.workflows[workflow];
    let alone = run.alone.binary_search_by_key(&workflow, |&(w, _)| w).ok();
    let alone_ns = alone.map(|place| run.alone[place].1);
    let jct_ns = times.jct_ns();
    WorkflowLine {
        of,
        workflow,
        foreground: alone.is_some(),
        arrived_ns: times.arrived_ns,
        ended_ns: times.ended_ns,
        jct_ns,
        alone_ns,
        slowdown: alone_ns.map(|alone| slowdown::slowdown(jct_ns, alone)),
    }
}

/// Returns what `--json` shows of one run; with what `--check` found, if it was asked.
///
/// # Errors
/// None that is known: what is written are numbers and names.
pub fn of_one(
    (series, world): (&Series, &World),
    run: &Run,
    is_same: Option<bool>,
) -> Result<Value, serde_json::Error> {
    let jct = |w: usize| run.outcome.workflows[w].jct_ns();
    let slowdowns: Vec<(usize, f64)> =
        run.alone.iter().map(|&(w, alone)| (w, slowdown::slowdown(jct(w), alone))).collect();
    let mut outcome = serde_json::to_value(&run.outcome)?;
    // As a number it would be rounded by programs that read floating point.
    outcome["fingerprint"] = json!(fingerprint(run));
    let mut document = json!({
        "variant": series.name(),
        "isolation": run.asked.map(|ppm| f64::from(ppm) / 1e6),
        "seed": run.seed,
        "nodes": world.cluster.iter().map(|nodes| u64::from(nodes.nodes)).sum::<u64>(),
        "slots": run.slots,
        "jobs": world.workflows.iter().map(|workflow| workflow.jobs.len()).sum::<usize>(),
        "measures": Measures(run),
        "outcome": outcome,
        "slowdowns": slowdowns,
    });
    if let Some(is_same) = is_same {
        let launches = run.outcome.placements.len();
        document["check"] = json!({ "launches": launches, "same": is_same });
    }
    Ok(document)
}

/// Returns what `--json` shows of several runs.
pub fn document(study: &Study, summaries: &[Summary]) -> Value {
    let measures = |summary: &Summary| -> Value {
        let one = |stat: &super::measures::Stat| {
            let spread = stat.point.and_then(|point| point.spread);
            let ends = spread.map(|spread| [spread.lo, spread.hi]);
            let value = stat.point.map(|point| point.value);
            (stat.name.to_owned(), json!({ "value": value, "interval": ends, "n": stat.seeds }))
        };
        summary.stats.iter().map(one).collect::<serde_json::Map<String, Value>>().into()
    };
    let series = summaries.iter().map(|summary| {
        json!({
            "variant": summary.series.name(),
            "isolation": summary.asked,
            "measures": measures(summary),
        })
    });
    let seeds: Vec<u64> = study.seeds.clone().collect();
    json!({
        "seeds": seeds,
        "interrupted": study.interrupted,
        "failed": study.failed,
        "series": series.collect::<Vec<_>>(),
    })
}
