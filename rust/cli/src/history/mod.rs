//! `holdfast history`: what workflows repeated and bounded jobs taught, application by application.

mod files;
mod samples;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use holdfast_study::workload::{Kind as Of, meant_otherwise};
use holdfast_words::{count, fits, shown, shown_path};

use crate::Failure;
use crate::args::{History, HistoryAction, Prune};
use crate::date::date;
use crate::screen;
use crate::text::table;
use files::{Entry, File, Kind};

/// How many skipped lines are named.
const MOST_NOTES: usize = 5;

pub(crate) fn run(asked: &History, out: &mut dyn Write) -> Result<(), Failure> {
    match (&asked.action, &asked.dir) {
        (Some(HistoryAction::Prune(prune)), _) => self::prune(prune, out),
        (None, Some(dir)) => show(dir, asked.workflow.as_deref(), out),
        (None, None) => Err(Failure::Usage("which folder? See holdfast history --help".to_owned())),
    }
}

/// Returns a folder of this machine, also as Spark's configuration may name it.
fn local(dir: &Path) -> Result<PathBuf, Failure> {
    let Some(text) = dir.to_str() else { return Ok(dir.to_owned()) };
    match text.split_once(':') {
        Some(("file", path)) => Ok(PathBuf::from(path.strip_prefix("//").unwrap_or(path))),
        Some((_, path)) if path.starts_with("//") => Err(Failure::Usage(format!(
            "{text} is no folder of this machine: copy it here first, for example with hdfs dfs -get"
        ))),
        _ => Ok(dir.to_owned()),
    }
}

fn open(dir: &Path) -> Result<Vec<File>, Failure> {
    let dir = local(dir)?;
    if dir.is_file() {
        let file = shown_path(&dir);
        let unknown = || Failure::Usage(format!("{file} is a file of a history: name its folder"));
        return Err(meant_otherwise(&dir, Of::History).map_or_else(unknown, Failure::from));
    }
    files::read(&dir).map_err(|e| Failure::Input(format!("cannot read {}: {e}", shown_path(&dir))))
}

/// All that is known of a workflow and shape.
#[derive(Default)]
struct Row {
    runs: u64,
    applications: u64,
    latest: Entry,
}

fn show(dir: &Path, workflow: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let files = open(dir)?;
    note(&files);
    let mut rows: BTreeMap<(&str, &str), Row> = BTreeMap::new();
    for entry in files.iter().flat_map(|file| &file.entries) {
        let row = rows.entry((&entry.workflow, &entry.shape)).or_default();
        row.runs = row.runs.saturating_add(entry.runs);
        row.applications += 1;
        if entry.when >= row.latest.when {
            row.latest = entry.clone();
        }
    }
    if rows.is_empty() {
        if workflow.is_some() || !samples::show(&files, out)? {
            writeln!(out, "{} holds no history.", shown_path(dir))?;
        }
        return Ok(());
    }
    if let Some(glob) = workflow {
        let mut names: Vec<String> = rows.keys().map(|(name, _)| shown(name)).collect();
        names.dedup();
        rows.retain(|(name, _), _| fits(glob, name));
        if rows.is_empty() {
            names.truncate(20);
            let names = names.join(", ");
            return Err(Failure::Usage(format!("no workflow fits {glob}; there are: {names}")));
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| Reverse(row.latest.when));
    let cells: Vec<Vec<String>> = rows.into_iter().map(cells).collect();
    let head = ["workflow", "shape", "runs", "applications", "widest", "steps", "last seen"];
    table(out, &head, &cells)?;
    if workflow.is_none() && files.iter().any(|file| !file.taught.is_empty()) {
        writeln!(out)?;
        samples::show(&files, out)?;
    }
    Ok(())
}

fn cells(Row { runs, applications, latest }: Row) -> Vec<String> {
    let widest = latest.steps.iter().map(|step| step[3]).max().unwrap_or(0);
    let numbers = [runs, applications, widest, latest.steps.len() as u64];
    let mut cells = vec![shown(&latest.workflow), shown(&latest.shape)];
    cells.extend(numbers.map(|n| n.to_string()));
    cells.push(date(latest.when));
    cells
}

/// Says what was skipped, where that does not disturb the output.
fn note(files: &[File]) {
    let notes: Vec<String> = files.iter().flat_map(File::notes).collect();
    for note in notes.iter().take(MOST_NOTES) {
        screen::note(note);
    }
    if notes.len() > MOST_NOTES {
        screen::note(format_args!("and {} more", notes.len() - MOST_NOTES));
    }
}

fn prune(asked: &Prune, out: &mut dyn Write) -> Result<(), Failure> {
    let files = open(&asked.dir)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let before = now.saturating_sub(asked.older_than).as_millis();
    let ours: Vec<&File> = files.iter().filter(|file| file.kind != Kind::Foreign).collect();
    let old = ours.iter().filter(|file| u128::from(file.latest()) < before);
    let mut removed = 0;
    for file in old {
        if !asked.dry_run {
            std::fs::remove_file(&file.path).map_err(|e| {
                Failure::Input(format!("cannot remove {}: {e}", shown_path(&file.path)))
            })?;
        }
        removed += 1;
        let verb = if asked.dry_run { "would remove" } else { "removed" };
        writeln!(out, "{verb} {}: last seen {}", file.name(), date(file.latest()))?;
    }
    let verb = if asked.dry_run { "would be removed" } else { "removed" };
    Ok(writeln!(out, "{removed} of {} {verb}", count(ours.len() as u64, "file"))?)
}
