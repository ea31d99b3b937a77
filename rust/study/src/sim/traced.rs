//! Worlds of what has run somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use holdfast_sim::{Options, World, simulate};
use holdfast_words::{count, counted, shown, shown_path};

use super::request::Request;
use crate::Failure;
use crate::workload::{self, Built, Comparison, Kind, Limits, Shape, Workload};

/// The most names that are shown when none fits.
const NAMES: usize = 10;

/// Returns the world of a trace, as it was recorded, and notes; none if the file is itself a world.
pub(super) fn world(path: &Path, asked: &Request) -> Result<Option<(World, Vec<String>)>, Failure> {
    let kind = workload::kind(path)?;
    if kind == Kind::World {
        return check_plain(asked).map(|()| None);
    }
    let workload = read(path, kind, asked)?;
    let built = built(path, &workload, asked)?;
    if built.world.workflows.is_empty() {
        return Err(Failure::Input(format!("{}: nothing ran", shown_path(path))));
    }
    let world = built.world;
    world.check().map_err(|why| {
        let chosen = workload.recording.is_none() && asked.nodes.is_none();
        let advice = if chosen { "; --nodes and --slots choose a cluster" } else { "" };
        Failure::Input(format!("{}: {why}{advice}", shown_path(path)))
    })?;
    let notes = notes(&workload, &world, asked);
    Ok(Some((world, notes)))
}

/// A world says itself what it is.
fn check_plain(asked: &Request) -> Result<(), Failure> {
    let traced = &asked.traced;
    let unfit = [
        ("--nodes", asked.nodes.is_some()),
        ("--foreground", asked.foreground.is_some()),
        ("--conf", !traced.conf.is_empty()),
        ("--until", traced.until.is_some()),
        ("--compare", traced.compare),
        ("--slots", traced.slots.is_some()),
        ("--scale", traced.scale.is_some()),
        ("--most-tasks", traced.most_tasks.is_some()),
    ];
    match unfit.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option} is for presets and traces: the file is a world, which says that itself"
        ))),
        None => Ok(()),
    }
}

fn limits(asked: &Request) -> Limits {
    let until = asked.traced.until.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    Limits { tasks: asked.traced.most_tasks(), until: until.unwrap_or(u64::MAX) }
}

fn read(path: &Path, kind: Kind, asked: &Request) -> Result<Workload, Failure> {
    let limits = limits(asked);
    if kind == Kind::EventLog && asked.traced.slots.is_some() && asked.nodes.is_none() {
        let why = "--slots is for other nodes than an event log's own: say with --nodes how many";
        return Err(Failure::Usage(why.to_owned()));
    }
    workload::check(&asked.traced.conf)?;
    let workload = workload::read(path, kind, &asked.traced.conf(), limits)?;
    #[expect(clippy::cast_precision_loss, reason = "a rough number")]
    let (tasks, most) = (workload.tasks() as f64 * asked.traced.scale(), limits.tasks as f64);
    if tasks > most.max(workload.tasks() as f64) {
        return Err(Failure::Usage(format!(
            "--scale {} makes {tasks:.0} {} of {}, at most {most} are simulated; --most-tasks allows more",
            asked.traced.scale(),
            counted(if tasks < 1.5 { 1 } else { 2 }, "task"),
            workload.tasks()
        )));
    }
    Ok(workload)
}

fn built(path: &Path, workload: &Workload, asked: &Request) -> Result<Built, Failure> {
    let built = workload.world(&shape(asked)).map_err(|failure| match failure {
        Failure::Input(why) => Failure::Input(format!("{}: {why}", shown_path(path))),
        other => other,
    })?;
    match &asked.foreground {
        Some(glob) if built.world.workflows.iter().all(|workflow| !workflow.foreground) => {
            Err(nobody(glob, workload))
        }
        _ => Ok(built),
    }
}

/// Returns names the workflows that could have been meant.
fn nobody(glob: &str, workload: &Workload) -> Failure {
    let names: BTreeSet<&str> = workload.workflows.iter().map(|w| w.name.as_str()).collect();
    let few: Vec<String> = names.iter().take(NAMES).map(|name| shown(name)).collect();
    let more = if names.len() > NAMES { ", ..." } else { "" };
    Failure::Usage(format!(
        "--foreground: {} fits no name here; there are {}{more}",
        shown(glob),
        few.join(", ")
    ))
}

fn shape(asked: &Request) -> Shape<'_> {
    Shape {
        nodes: asked.nodes,
        slots: asked.traced.slots(),
        scale: asked.traced.scale(),
        foreground: asked.foreground.as_deref().map(|glob| (glob, asked.traced.priority())),
        seed: asked.seed.unwrap_or(1),
    }
}

/// Writes what ran, in the common format; returns how many workflows, and notes.
///
/// # Errors
/// It cannot be read as a trace, or not be written.
pub fn write(asked: &Request, to: &Path) -> Result<(u64, Vec<String>), Failure> {
    let path = asked.world.as_deref().unwrap_or(Path::new(""));
    let until = limits(asked).until;
    let (conf, kind) = (asked.traced.conf(), workload::kind(path)?);
    if !conf.is_empty() && !matches!(kind, Kind::EventLog | Kind::World) {
        let why = "--conf is for event logs: a trace that is written has no configuration in it";
        return Err(Failure::Usage(why.to_owned()));
    }
    workload::check(&asked.traced.conf)?;
    workload::write(path, kind, &conf, until, to)
}

/// Returns what was chosen for the user, and what limits the trust in it.
fn notes(workload: &Workload, world: &World, asked: &Request) -> Vec<String> {
    let mut notes = workload.notes.clone();
    if workload.recording.is_none() && asked.nodes.is_none() {
        let nodes: u32 = world.cluster.iter().map(|nodes| nodes.nodes).sum();
        notes.push(format!(
            "{} of {}; --nodes and --slots choose others",
            count(u64::from(nodes), "node"),
            count(u64::from(asked.traced.slots()), "slot")
        ));
    }
    let foreground = world.workflows.iter().filter(|workflow| workflow.foreground).count();
    if foreground == 0 && !asked.traced.compare {
        notes.push("no workflow is in the foreground: --foreground GLOB chooses some".to_owned());
    }
    let recording = workload.recording.iter();
    notes.extend(recording.flat_map(|recording| &recording.notes).map(|note| note.text.clone()));
    notes.extend(workload.lacks_pools().map(workload::pools_unknown));
    notes
}

/// An event log as it was recorded, before it is simulated.
pub struct Recorded {
    workload: Workload,
    built: Built,
    /// What limits the trust in it.
    pub notes: Vec<String>,
}

impl Recorded {
    /// Reads it.
    ///
    /// # Errors
    /// It cannot be read, is no event log, or nothing ran.
    pub fn of(asked: &Request) -> Result<Self, Failure> {
        let path = asked.world.as_deref().unwrap_or(Path::new(""));
        let kind = workload::kind(path)?;
        if kind != Kind::EventLog {
            let what =
                format!("{} is no event log: --compare has nothing to compare", shown_path(path));
            return Err(Failure::Usage(what));
        }
        let workload = read(path, kind, asked)?;
        let built = built(path, &workload, asked)?;
        if built.world.workflows.is_empty() {
            return Err(Failure::Input(format!("{}: nothing ran", shown_path(path))));
        }
        let notes = notes(&workload, &built.world, asked);
        Ok(Self { workload, built, notes })
    }

    /// Simulates it, and compares simulated with recorded times.
    ///
    /// # Errors
    /// The simulation fails.
    pub fn compare(&self, asked: &Request) -> Result<Comparison, Failure> {
        let path = asked.world.as_deref().unwrap_or(Path::new(""));
        let outcome = simulate(&self.built.world, &Options::default())
            .map_err(|e| Failure::Input(format!("{}: {e}", shown_path(path))))?;
        Ok(Comparison::of(&self.workload, &self.built.kept, &outcome))
    }
}
