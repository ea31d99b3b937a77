//! `holdfast sim`: what is asked, how far it is, and what came of it, shown and written.

pub(crate) mod args;
mod compared;
mod examples;
mod one;
mod table;
mod traced_args;
mod watch;

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use holdfast_sim::{Options, Placement};
use holdfast_study::sim::measures::Summary;
use holdfast_study::sim::request::Request;
use holdfast_study::sim::source::Source;
use holdfast_study::sim::study::{Study, is_same, series};
use holdfast_study::sim::{files, page, traced};
use holdfast_study::workload;
use holdfast_words::{count, json, shown_path, verb};

use self::args::Sim;
use self::watch::Watch;
use crate::Failure;
use crate::outputs::{self, Output};
use crate::screen;

/// The exit code when not all runs came to their end, as of one that does not.
const FAILED: u8 = 3;
/// What `--out` writes, if there is such a thing to draw.
const OUT_FILES: [&str; 6] =
    ["sim.csv", "sim.jsonl", "sim.html", "slowdowns.svg", "slots.svg", "isolation.svg"];
/// The most failures that are shown one by one.
const FAILED_SHOWN: usize = 10;

pub(crate) fn run(asked: &Sim, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if let Some(name) = &asked.example {
        write!(out, "{}", examples::example(name))?;
        return Ok(ExitCode::SUCCESS);
    }
    if asked.world.is_none() && asked.preset.is_none() {
        let why = "nothing to simulate: name a FILE (a world, an event log, a trace), or say --preset paper; --example \
                   shared-cluster prints a world to start from";
        return Err(Failure::Usage(why.to_owned()));
    }
    if asked.background && asked.jsonl.is_none() && asked.out.is_none() {
        let why =
            "--background is about the lines that --jsonl and --out write; say one of them, too";
        return Err(Failure::Usage(why.to_owned()));
    }
    let request = asked.request();
    check_outputs(asked, &request)?;
    if asked.traced.compare {
        return compare(&request, asked.json, out).map(|()| ExitCode::SUCCESS);
    }
    if let Some(to) = &asked.traced.trace {
        return write_trace(&request, to).map(|()| ExitCode::SUCCESS);
    }
    let source = Source::of(&request)?;
    source.notes.iter().for_each(screen::note);
    let series = series(&request, &source)?;
    let is_one = series.len() == 1 && asked.seeds.get() == 1;
    let placements = asked.check || asked.placements.is_some();
    if !is_one && (asked.log.is_some() || placements) {
        let why = "--log, --placements and --check are for one variant, one isolation and one seed";
        return Err(Failure::Usage(why.to_owned()));
    }
    let seeds = Study::seeds(asked.seed.unwrap_or(source.seed()), asked.seeds)?;
    let options = Options { log: asked.log.is_some(), placements, ..Options::default() };
    let watch = Watch::new(series.len() * asked.seeds.get() as usize);
    let study = Study::run(&source, series, seeds, &options, &watch);
    watch.end();
    let study = study?;
    let summaries = Summary::all(&study);
    write_files(asked, &study, &summaries)?;
    let code = if is_one {
        show_one(asked, &source, &study, out)?
    } else {
        show_all(asked, &study, &summaries, out)?;
        ExitCode::SUCCESS
    };
    if !study.failed.is_empty() {
        show_failed(&study.failed);
    }
    if !study.interrupted {
        return Ok(if study.failed.is_empty() { code } else { ExitCode::from(FAILED) });
    }
    let of = study.series.len() as u64 * u64::from(asked.seeds.get());
    let (all, are) = (count(of, "run"), verb(of, ("is", "are")));
    screen::tell(format_args!("interrupted: {} of {all} {are} done", study.runs.len()));
    Ok(ExitCode::from(watch::INTERRUPTED))
}

/// `--trace`: what ran, in the common format.
fn write_trace(request: &Request, to: &Path) -> Result<(), Failure> {
    let (workflows, notes) = traced::write(request, to)?;
    let written = count(workflows, "workflow");
    screen::note(format_args!("{written} written to {}", shown_path(to)));
    notes.iter().for_each(screen::note);
    Ok(())
}

/// `--compare`: an event log as it was recorded, simulated and recorded times side by side.
fn compare(request: &Request, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let recorded = traced::Recorded::of(request)?;
    recorded.notes.iter().for_each(screen::note);
    let compared = recorded.compare(request)?;
    if as_json {
        writeln!(out, "{}", json(&compared).map_err(io::Error::from)?)?;
        return Ok(());
    }
    compared::show(&compared, out)
}

/// Before anything is computed: whether all that is asked for can be written, and nothing that is read goes by it.
fn check_outputs(asked: &Sim, request: &Request) -> Result<(), Failure> {
    let files = [
        ("--csv", &asked.csv),
        ("--jsonl", &asked.jsonl),
        ("--log", &asked.log),
        ("--placements", &asked.placements),
        ("--trace", &asked.traced.trace),
    ];
    let named = files.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    let mut written: Vec<Output> = named.map(|(option, path)| Output::new(option, path)).collect();
    if let Some(dir) = &asked.out {
        outputs::check_folder("--out", dir)?;
        // What is in a folder that is not there yet can be no other file.
        if dir.is_dir() {
            written.extend(OUT_FILES.iter().map(|name| Output::new("--out", dir.join(name))));
        }
    }
    let conf = request.traced.conf();
    let read: Vec<&Path> =
        asked.world.as_deref().into_iter().chain(workload::pools_file(&conf)).collect();
    outputs::check(&read, &written)
}

/// Each of them; what the others gave is shown and written before.
fn show_failed(failed: &[String]) {
    for why in failed.iter().take(FAILED_SHOWN) {
        screen::fail(why);
    }
    let more = failed.len().saturating_sub(FAILED_SHOWN);
    if more > 0 {
        screen::fail(format_args!("{more} more failed; --json has all"));
    }
}

fn show_one(
    asked: &Sim,
    source: &Source,
    study: &Study,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let Some(run) = study.runs.first() else { return Ok(ExitCode::SUCCESS) };
    let series = &study.series[run.series];
    let world = series.world(source.world(run.seed));
    if let (Some(path), Some(log)) = (&asked.log, &run.outcome.log) {
        write_to(path, log)?;
    }
    if let Some(path) = &asked.placements {
        write_to(path, &launches(&run.outcome.placements)?)?;
    }
    if !asked.json {
        one::show((series, &world), run, out)?;
    }
    let is_same = if asked.check { is_same(&world, &run.outcome, watch::flag())? } else { None };
    match is_same {
        _ if asked.json => {
            let document =
                files::of_one((series, &world), run, is_same).map_err(io::Error::from)?;
            writeln!(out, "{}", json(&document).map_err(io::Error::from)?)?;
        }
        Some(is_same) => one::show_check(run, is_same, out)?,
        None => {}
    }
    Ok(match is_same {
        Some(false) => ExitCode::from(1),
        None if asked.check => ExitCode::from(watch::INTERRUPTED),
        _ => ExitCode::SUCCESS,
    })
}

fn show_all(
    asked: &Sim,
    study: &Study,
    summaries: &[Summary],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if asked.json {
        let document = json(&files::document(study, summaries)).map_err(io::Error::from)?;
        writeln!(out, "{document}")?;
    } else {
        table::show(study, summaries, out)?;
    }
    if study.runs.iter().all(|run| run.alone.is_empty()) {
        screen::note(
            "no workflow says \"foreground\": true; slowdowns are measured for those only",
        );
    }
    Ok(())
}

fn write_files(asked: &Sim, study: &Study, summaries: &[Summary]) -> Result<(), Failure> {
    let lines =
        || files::lines(study, asked.background).map_err(|why| Failure::Input(why.to_string()));
    if let Some(path) = &asked.csv {
        write_to(path, files::csv(study, summaries).as_bytes())?;
    }
    if let Some(path) = &asked.jsonl {
        write_to(path, lines()?.as_bytes())?;
    }
    let Some(dir) = &asked.out else { return Ok(()) };
    fs::create_dir_all(dir).map_err(|why| unwritten(dir, &why))?;
    write_to(&dir.join("sim.csv"), files::csv(study, summaries).as_bytes())?;
    write_to(&dir.join("sim.jsonl"), lines()?.as_bytes())?;
    let drawings = page::drawings(summaries);
    for drawing in &drawings {
        write_to(&dir.join(drawing.name), drawing.svg.as_bytes())?;
    }
    let html = page::html(study, summaries, &drawings, &asked.command(study.seeds.start));
    write_to(&dir.join("sim.html"), html.as_bytes())
}

fn launches(placements: &[Placement]) -> Result<Vec<u8>, Failure> {
    let mut lines = Vec::new();
    for placement in placements {
        serde_json::to_writer(&mut lines, placement).map_err(io::Error::from)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn write_to(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|why| unwritten(path, &why))
}

fn unwritten(path: &Path, why: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {why}", shown_path(path)))
}
