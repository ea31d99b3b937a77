//! `holdfast sim` of what has run somewhere.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use holdfast_sim::{Options, World, simulate};
use holdfast_words::{count, counted, json, shown, shown_path};

use super::args::Sim;
use crate::Failure;
use crate::screen;
use crate::text::{HEAD, table};
use crate::workload::{self, Built, Compared, Comparison, Kind, Limits, Shape, Workload, within};

/// So many runs are shown; all of them with `--json`.
const ROWS: usize = 30;
/// So many names are shown when none fits.
const NAMES: usize = 10;

/// The world of a trace, as it was recorded; none if the file is itself a world.
pub(super) fn world(path: &Path, asked: &Sim) -> Result<Option<World>, Failure> {
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
    note(&workload, &world, asked);
    Ok(Some(world))
}

/// A world says itself what it is.
fn check_plain(asked: &Sim) -> Result<(), Failure> {
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

fn limits(asked: &Sim) -> Limits {
    let until = asked.traced.until.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    Limits { tasks: asked.traced.most_tasks(), until: until.unwrap_or(u64::MAX) }
}

fn read(path: &Path, kind: Kind, asked: &Sim) -> Result<Workload, Failure> {
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

fn built(path: &Path, workload: &Workload, asked: &Sim) -> Result<Built, Failure> {
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

/// Who could have been meant.
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

fn shape(asked: &Sim) -> Shape<'_> {
    Shape {
        nodes: asked.nodes,
        slots: asked.traced.slots(),
        scale: asked.traced.scale(),
        foreground: asked.foreground.as_deref().map(|glob| (glob, asked.traced.priority())),
        seed: asked.seed.unwrap_or(1),
    }
}

/// `--trace`: what ran, in the common format.
pub(super) fn write(asked: &Sim, to: &Path) -> Result<(), Failure> {
    let path = asked.world.as_deref().unwrap_or(Path::new(""));
    let until = limits(asked).until;
    let (conf, kind) = (asked.traced.conf(), workload::kind(path)?);
    if !conf.is_empty() && !matches!(kind, Kind::EventLog | Kind::World) {
        let why = "--conf is for event logs: a trace that is written has no configuration in it";
        return Err(Failure::Usage(why.to_owned()));
    }
    workload::check(&asked.traced.conf)?;
    let (workflows, notes) = workload::write(path, kind, &conf, until, to)?;
    let written = count(workflows, "workflow");
    screen::note(format_args!("{written} written to {}", shown_path(to)));
    notes.iter().for_each(screen::note);
    Ok(())
}

/// What was chosen for the user, where that does not disturb the output.
fn note(workload: &Workload, world: &World, asked: &Sim) {
    workload.notes.iter().for_each(screen::note);
    if workload.recording.is_none() && asked.nodes.is_none() {
        let nodes: u32 = world.cluster.iter().map(|nodes| nodes.nodes).sum();
        screen::note(format_args!(
            "{} of {}; --nodes and --slots choose others",
            count(u64::from(nodes), "node"),
            count(u64::from(asked.traced.slots()), "slot")
        ));
    }
    let foreground = world.workflows.iter().filter(|workflow| workflow.foreground).count();
    if foreground == 0 && !asked.traced.compare {
        screen::note("no workflow is in the foreground: --foreground GLOB chooses some");
    }
    for note in workload.recording.iter().flat_map(|recording| &recording.notes) {
        screen::note(note.text.clone());
    }
    if let Some(file) = workload.lacks_pools() {
        screen::note(workload::pools_unknown(file));
    }
}

/// `--compare`: an event log as it was recorded, simulated and recorded times side by side.
pub(super) fn compare(asked: &Sim, out: &mut dyn Write) -> Result<(), Failure> {
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
    note(&workload, &built.world, asked);
    let outcome = simulate(&built.world, &Options::default())
        .map_err(|e| Failure::Input(format!("{}: {e}", shown_path(path))))?;
    let compared = Comparison::of(&workload, &built.kept, &outcome);
    if asked.json {
        writeln!(out, "{}", json(&compared).map_err(io::Error::from)?)?;
        return Ok(());
    }
    show(&compared, out)
}

fn show(compared: &Comparison, out: &mut dyn Write) -> Result<(), Failure> {
    let all = compared.runs.len();
    let Some(median) = compared.median else {
        return Ok(writeln!(out, "No run has an end in the log: there is nothing to compare.")?);
    };
    writeln!(
        out,
        "{HEAD}Simulated as recorded:{HEAD:#} {}, simulated over recorded {median:.2} (median); {} within 10 %, {} within 20 %",
        count(all as u64, "run"),
        compared.within_10_percent,
        compared.within_20_percent
    )?;
    let mut runs: Vec<_> = compared.runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse((run.priority, run.recorded_ms)));
    let seconds = |ms: u64| format!("{}.{:03}", ms / 1_000, ms % 1_000);
    let pools = runs.iter().any(|run| run.pool.is_some());
    let row = |run: &&Compared| {
        let mut cells = vec![format!("{} #{}", shown(&run.workflow), run.run)];
        cells.extend(pools.then(|| run.pool.as_deref().map(shown).unwrap_or_default()));
        cells.extend([
            run.priority.to_string(),
            seconds(run.recorded_ms),
            seconds(run.simulated_ms),
            format!("{:.3}", run.ratio),
            if within(run.ratio, 0.2) { String::new() } else { "more than 20 % off".to_owned() },
        ]);
        cells
    };
    let rows: Vec<Vec<String>> = runs.iter().take(ROWS).map(row).collect();
    writeln!(out)?;
    let mut head = vec!["run"];
    head.extend(pools.then_some("pool"));
    head.extend(["priority", "recorded, s", "simulated, s", "ratio", ""]);
    table(out, &head, &rows)?;
    if rows.len() < all {
        writeln!(
            out,
            "({} of {all} shown, the most important and longest; --json has all)",
            rows.len()
        )?;
    }
    Ok(())
}
