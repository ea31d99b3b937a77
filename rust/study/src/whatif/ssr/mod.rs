//! What speculative slot reservation would have given: the application simulated on its own executors, as it was
//! recorded and with Holdfast, each of some workflows being important in turn.

mod html;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use holdfast_engine::{Config, Copies, HoldFor, Policy};
use holdfast_sim::{Options as Simulation, Outcome, World, batch};
use holdfast_trace::recording::Recorded;
use holdfast_trace::report::ApplicationReport;
use holdfast_words::{count, shown};
use serde::Serialize;

use super::Request;
use super::grass::{Grass, grass};
use crate::Failure;
use crate::workload::{self, Comparison, Shape, Workload};
use holdfast_words::fits;

pub(super) use html::section;

/// The isolations that are tried, in millionths. 0 holds nothing: what the priority alone gives.
const ISOLATIONS: [u32; 4] = [0, 400_000, 900_000, 1_000_000];
/// A simulation is given up when it takes this many times as long as what was recorded.
const PATIENCE: u64 = 50;

/// What is said of an application.
#[derive(Serialize)]
pub struct Ssr {
    /// Why nothing was simulated, if so.
    pub not_simulated: Option<String>,
    /// Every run, simulated as it was recorded.
    pub as_recorded: Option<Comparison>,
    /// Attempts that did not end well: they are not simulated.
    pub failed_attempts: u64,
    /// The slot-time that they took, in slot-milliseconds.
    pub failed_slot_ms: u64,
    /// The file of its pools, if they matter and it is not here.
    #[serde(skip)]
    pub lacks_pools: Option<PathBuf>,
    /// The priority that each workflow has in turn.
    pub priority: i32,
    /// Those that lost most first.
    pub workflows: Vec<Candidate>,
}

/// A workflow that is important.
#[derive(Serialize)]
pub struct Candidate {
    /// Its name.
    pub workflow: String,
    /// How many runs the log sees the end of; times are their sums.
    pub runs: usize,
    /// How many more there are, whose times are unknown.
    pub unended: usize,
    /// What the log says that it lost at barriers.
    pub lost_at_barriers_us: u64,
    /// From its arrival to the end of its last job, in milliseconds.
    pub recorded_ms: u64,
    /// The same, simulated as it was recorded.
    pub as_recorded_ms: u64,
    /// The same with all executors for itself.
    pub alone_ms: u64,
    /// With Holdfast.
    pub settings: Vec<Setting>,
}

/// A simulation with Holdfast.
#[derive(Serialize)]
pub struct Setting {
    /// P.
    pub isolation: f64,
    /// The time of the workflow, in milliseconds.
    pub jct_ms: u64,
    /// Against the simulation as recorded: -0.5 is half the time.
    pub change: f64,
    /// Slots held idle, in slot-milliseconds.
    pub held_slot_ms: u64,
    /// The same as a share of all slot-time.
    pub held_share: f64,
    /// The other workflows' times against the simulation as recorded: the mean ratio.
    pub others_mean: Option<f64>,
    /// The largest one.
    pub others_worst: Option<f64>,
}

impl Ssr {
    fn none(priority: i32, why: &str) -> Self {
        Self {
            not_simulated: Some(why.to_owned()),
            as_recorded: None,
            failed_attempts: 0,
            failed_slot_ms: 0,
            lacks_pools: None,
            priority,
            workflows: Vec::new(),
        }
    }
}

/// Simulates what `report` is about, if it was recorded.
pub(super) fn ssr(
    report: &ApplicationReport,
    recorded: Option<Recorded>,
    asked: &Request,
) -> (Ssr, Option<Grass>) {
    let none =
        |why: &str| (Ssr::none(asked.priority, why), asked.stragglers.then(|| Grass::none(why)));
    let chosen = candidates(report, asked);
    let mut workload = match recorded {
        None => return none("--simulate 0"),
        Some(_) if report.runs.is_empty() => return none("no Spark job ran"),
        Some(Recorded::Whole(recording)) => match workload::of_recording(*recording) {
            Ok(workload) => workload,
            Err(Failure::Input(why) | Failure::Usage(why)) => return none(&why),
        },
        Some(Recorded::TooMany) => {
            return none(&format!(
                "more than {}; --most-tasks allows more",
                count(asked.most_tasks, "task")
            ));
        }
    };
    workload.as_prioritised();
    let built = match workload.world(&Shape::AS_RECORDED) {
        Ok(built) => built,
        Err(Failure::Input(why) | Failure::Usage(why)) => return none(&why),
    };
    workload.forget_tasks();
    let options = Simulation { most_ns: most_ns(&workload), ..Simulation::default() };
    let stock = match holdfast_sim::simulate(&built.world, &options) {
        Ok(outcome) => outcome,
        Err(why) => return none(&why.to_string()),
    };
    let mut workflows = Vec::new();
    for (name, lost) in chosen {
        let scene = Scene { workload: &workload, world: &built.world, kept: &built.kept };
        match scene.candidate(&name, lost, &stock, &options, asked.priority) {
            Ok(candidate) => workflows.extend(candidate),
            Err(why) => return none(&format!("{}: {why}", shown(&name))),
        }
    }
    let scene = (&workload, &built.world, built.kept.as_slice());
    let grass = asked.stragglers.then(|| grass(scene, &stock, &options, asked));
    let as_recorded = Some(Comparison::of(&workload, &built.kept, &stock));
    let failed = workload.recording.as_ref().map_or((0, 0), |r| r.surroundings.failed);
    let (failed_attempts, failed_slot_ms) = failed;
    let ssr = Ssr {
        not_simulated: None,
        as_recorded,
        failed_attempts,
        failed_slot_ms,
        lacks_pools: workload.lacks_pools().map(Path::to_owned),
        priority: asked.priority,
        workflows,
    };
    (ssr, grass)
}

/// Workflows by what they lost; those of a name, if one was asked for.
fn candidates(report: &ApplicationReport, asked: &Request) -> Vec<(String, u64)> {
    let mut lost: BTreeMap<&str, u64> = BTreeMap::new();
    let fitting = |name: &str| asked.workflow.as_ref().is_none_or(|glob| fits(glob, name));
    // Of the others no time is known to compare it with.
    for run in report.runs.iter().filter(|run| run.ended && fitting(&run.workflow)) {
        *lost.entry(&run.workflow).or_default() += run.terms.lost_at_barriers;
    }
    let wanted = |&(_, lost): &(&str, u64)| lost > 0 || asked.workflow.is_some();
    let mut all: Vec<_> = lost.into_iter().filter(wanted).collect();
    all.sort_by_key(|&(_, lost)| Reverse(lost));
    all.into_iter().take(asked.simulate).map(|(name, lost)| (name.to_owned(), lost)).collect()
}

fn most_ns(workload: &Workload) -> u64 {
    let ends = workload.workflows.iter().map(|w| w.arrival_ms + w.took_ms.unwrap_or(0));
    ends.max().unwrap_or(0).saturating_add(60_000).saturating_mul(PATIENCE * 1_000_000)
}

/// The application as it was recorded.
struct Scene<'a> {
    workload: &'a Workload,
    world: &'a World,
    /// From where in the workload the world's workflows are.
    kept: &'a [usize],
}

impl Scene<'_> {
    /// None if none of its runs ran a task, or the log sees no end of any.
    fn candidate(
        &self,
        name: &str,
        lost: u64,
        stock: &Outcome,
        options: &Simulation<'_>,
        priority: i32,
    ) -> Result<Option<Candidate>, holdfast_sim::Failure> {
        let own: Vec<bool> =
            self.kept.iter().map(|&place| self.workload.workflows[place].name == name).collect();
        // What has no recorded time is simulated, but no column counts it: they are to be compared.
        let is_ended = |&place: &usize| self.workload.workflows[place].took_ms.is_some();
        let ended: Vec<bool> =
            self.kept.iter().zip(&own).map(|(place, &own)| own && is_ended(place)).collect();
        if !ended.contains(&true) {
            return Ok(None);
        }
        let world = |place: usize| match ISOLATIONS.get(place) {
            Some(&ppm) => self.with_holdfast(&own, ppm, priority),
            None => self.alone(&own),
        };
        let outcomes: Result<Vec<Outcome>, _> =
            batch::simulate_all(ISOLATIONS.len() + 1, world, options).into_iter().collect();
        let mut outcomes = outcomes?;
        let both = own.iter().zip(&ended);
        let mine: Vec<bool> = both.filter(|(own, _)| **own).map(|(_, &ended)| ended).collect();
        let alone_ms = outcomes.pop().map_or(0, |alone| total_ms(&alone, |place| mine[place]));
        let as_recorded_ms = total_ms(stock, |place| ended[place]);
        let settings = ISOLATIONS.iter().zip(&outcomes).map(|(&ppm, outcome)| {
            let jct_ms = total_ms(outcome, |place| ended[place]);
            setting(ppm, outcome, stock, &own, (jct_ms, as_recorded_ms))
        });
        let recorded = self.kept.iter().map(|&place| &self.workload.workflows[place]);
        let recorded = recorded.zip(&ended).filter(|(_, ended)| **ended);
        let runs = mine.iter().filter(|ended| **ended).count();
        Ok(Some(Candidate {
            workflow: name.to_owned(),
            runs,
            unended: mine.len() - runs,
            lost_at_barriers_us: lost,
            recorded_ms: recorded.filter_map(|(workflow, _)| workflow.took_ms).sum(),
            as_recorded_ms,
            alone_ms,
            settings: settings.collect(),
        }))
    }

    /// Returns the world in which the workflow is important, with this isolation. Recorded times say nothing of how long a copy would
    /// take: there are none.
    fn with_holdfast(&self, own: &[bool], isolation: u32, priority: i32) -> World {
        let mut world = self.world.clone();
        let config = workload::config(&self.workload.conf);
        world.engine = Some(Config {
            policy: Policy::Ssr,
            hold_for: HoldFor::Prioritised,
            copies: Copies::Off,
            ..config
        });
        // Whatever others were given, by the log or by --conf, would answer another question.
        for (workflow, &own) in world.workflows.iter_mut().zip(own) {
            workflow.priority = if own { priority } else { 0 };
            workflow.isolation_ppm = own.then_some(isolation);
            workflow.foreground = own;
        }
        world
    }

    fn alone(&self, own: &[bool]) -> World {
        let mut world = self.world.clone();
        let mut own = own.iter();
        world.workflows.retain(|_| own.next().copied().unwrap_or(false));
        world.engine = None;
        world
    }
}

fn total_ms(outcome: &Outcome, counts: impl Fn(usize) -> bool) -> u64 {
    let times = outcome.workflows.iter().enumerate();
    let own = times.filter(|(place, _)| counts(*place)).map(|(_, times)| times.jct_ns());
    u64::try_from(own.map(u128::from).sum::<u128>() / 1_000_000).unwrap_or(u64::MAX)
}

fn setting(
    isolation_ppm: u32,
    outcome: &Outcome,
    stock: &Outcome,
    own: &[bool],
    (jct_ms, before_ms): (u64, u64),
) -> Setting {
    let others = outcome.workflows.iter().zip(&stock.workflows).zip(own).filter(|(_, own)| !**own);
    #[expect(clippy::cast_precision_loss, reason = "ratios")]
    let ratio = |now: u64, before: u64| now as f64 / before.max(1) as f64;
    let ratios: Vec<f64> =
        others.map(|((now, before), _)| ratio(now.jct_ns(), before.jct_ns())).collect();
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let [_, held_share, _] = outcome.usage.shares();
    Setting {
        isolation: f64::from(isolation_ppm) / 1e6,
        jct_ms,
        change: ratio(jct_ms, before_ms) - 1.0,
        held_slot_ms: u64::try_from(outcome.usage.held_ns / 1_000_000).unwrap_or(u64::MAX),
        held_share,
        others_mean: (!ratios.is_empty()).then_some(mean),
        others_worst: ratios.iter().copied().max_by(f64::total_cmp),
    }
}

impl Candidate {
    /// Returns how many runs its times are of, where that is to be told.
    pub fn runs(&self) -> String {
        let several = if self.runs > 1 {
            format!(", {} together", count(self.runs as u64, "run"))
        } else {
            String::new()
        };
        match self.unended {
            0 => several,
            unended => {
                format!("{several}, without {} that had not ended", count(unended as u64, "run"))
            }
        }
    }

    /// Simulated over recorded time.
    fn ratio(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a ratio")]
        let ratio = self.as_recorded_ms as f64 / self.recorded_ms.max(1) as f64;
        ratio
    }
}

/// Sentences that say how far the simulation is to be trusted.
pub fn trust(ssr: &Ssr) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(why) = &ssr.not_simulated {
        lines.push(format!("Not simulated: {why}."));
        return lines;
    }
    if let Some(all) = &ssr.as_recorded {
        lines.push(all.verdict());
    }
    if !ssr.workflows.is_empty() {
        lines.push(
            "Tasks take what they took: those that share processors or disks run slower where more of them run at once."
                .to_owned(),
        );
    }
    if ssr.failed_attempts > 0 {
        let seconds = ssr.failed_slot_ms / 1_000;
        lines.push(format!(
            "Attempts that did not end well are left out: {}, of {}.",
            ssr.failed_attempts,
            count(seconds, "slot-second")
        ));
    }
    if ssr.workflows.is_empty() {
        lines.push(
            "No workflow lost anything at barriers, so there is nothing to give back; --workflow names one to try it on."
                .to_owned(),
        );
    }
    for candidate in &ssr.workflows {
        if !workload::within(candidate.ratio(), 0.2) {
            lines.push(format!(
                "{}: simulated as recorded it takes {:.2} times what it took, so take its changes as a direction only.",
                shown(&candidate.workflow),
                candidate.ratio()
            ));
        }
    }
    lines
}

/// Returns a change in percent, with its sign.
pub fn change(ratio: f64) -> String {
    format!("{:+.1} %", ratio * 100.0)
}
