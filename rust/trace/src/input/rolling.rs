//! Which files make up one log (Spark's `EventLogFileWriter`, `EventLogFileReader`).
//!
//! A log is one file, or a folder `eventlog_v2_<application>` with files `events_<n>_<application>[.codec]`. When old
//! events have been compacted, `events_<n>_<application>[.codec].compact` stands for all files up to number n. A name
//! (or the folder's empty file `appstatus_<application>`) ends in `.inprogress` until the application ends.
//!
//! Databricks rolls in its own way: `eventlog` is written, and becomes `eventlog-<yyyy-MM-dd>--<HH-mm>.gz` each hour.
//! No name says that the application has ended.

use std::fs;
use std::path::{Path, PathBuf};

use crate::TraceError;

const FOLDER: &str = "eventlog_v2_";
const EVENTS: &str = "events_";
const STATUS: &str = "appstatus_";
const COMPACT: &str = ".compact";
const IN_PROGRESS: &str = ".inprogress";
const DATABRICKS: &str = "eventlog";
const DATABRICKS_TIME: &str = "0000-00-00--00-00";

/// The files of one log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFiles {
    /// What the user would call the log: its file, or its folder.
    pub path: PathBuf,
    /// Its files in their order.
    pub files: Vec<PathBuf>,
    /// Whether the application had not ended: the last file may stop anywhere.
    pub in_progress: bool,
    /// Whether the log begins with its application; false when early events were compacted.
    pub complete: bool,
}

impl LogFiles {
    /// Returns whether it can be read again: a pipe cannot.
    pub fn can_be_read_again(&self) -> bool {
        self.files.iter().all(|file| fs::metadata(file).is_ok_and(|about| about.is_file()))
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Entries of a folder that are not hidden, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, TraceError> {
    let cannot = |e| TraceError::cannot_open(folder, &e);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if name(&path).starts_with(['.', '_']) {
            log::info!("{}: skipped, as its name begins with . or _", path.display());
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A log, or why it is none.
pub type Found = Result<LogFiles, TraceError>;

/// Returns the logs at a path: a file, a rolling log's folder, or a folder of logs as `spark.eventLog.dir` names it.
/// One that is damaged does not hide the others.
///
/// # Errors
///
/// When the path cannot be read, or is a folder with no log in it.
pub fn logs_in(path: &Path) -> Result<Vec<Found>, TraceError> {
    let about = fs::metadata(path).map_err(|e| TraceError::cannot_open(path, &e))?;
    if !about.is_dir() {
        return Ok(vec![Ok(single(path))]);
    }
    let found = entries(path)?;
    if found.iter().any(|file| name(file).starts_with(EVENTS)) {
        return Ok(vec![rolling(path, &found)]);
    }
    let rolled = databricks(path, &found);
    let is_part = |file: &Path| rolled.is_some() && databricks_time(file).is_some();
    let mut logs = Vec::new();
    for entry in found {
        if entry.is_dir() {
            logs.extend(folder(&entry));
        } else if !is_part(&entry) {
            logs.push(Ok(single(&entry)));
        }
    }
    logs.extend(rolled.map(Ok));
    if logs.is_empty() {
        return Err(TraceError::of_file(path, "has no event logs in it"));
    }
    Ok(logs)
}

/// Returns the logs at a path, all of which must be whole: see [`logs_in`].
///
/// # Errors
///
/// The first that is not.
pub fn logs_at(path: &Path) -> Result<Vec<LogFiles>, TraceError> {
    logs_in(path)?.into_iter().collect()
}

/// Returns the log that a folder in a folder of logs is; none if it is something else.
fn folder(path: &Path) -> Option<Found> {
    let is_rolling = name(path).starts_with(FOLDER);
    match entries(path) {
        Ok(found) if is_rolling => Some(rolling(path, &found)),
        Ok(found) => databricks(path, &found).map(Ok),
        Err(why) => is_rolling.then_some(Err(why)),
    }
}

/// When a file of Databricks' was rolled, as text; what sorts behind all of these for the one that is written.
fn databricks_time(path: &Path) -> Option<&str> {
    let rest = name(path).strip_prefix(DATABRICKS)?;
    if rest.is_empty() {
        return Some("written");
    }
    let time = rest.strip_prefix('-')?.get(..DATABRICKS_TIME.len())?;
    let fits = |(c, like): (u8, u8)| if like == b'0' { c.is_ascii_digit() } else { c == like };
    time.bytes().zip(DATABRICKS_TIME.bytes()).all(fits).then_some(time)
}

/// Returns the files of a folder that are a log as Databricks rolls it; one that was never rolled is a file like
/// others.
fn databricks(folder: &Path, entries: &[PathBuf]) -> Option<LogFiles> {
    let mut files: Vec<_> =
        entries.iter().filter_map(|file| Some((databricks_time(file)?, file))).collect();
    files.sort_unstable();
    (files.len() > 1).then(|| LogFiles {
        path: folder.to_owned(),
        files: files.into_iter().map(|(_, file)| file.clone()).collect(),
        in_progress: true,
        complete: true,
    })
}

fn single(path: &Path) -> LogFiles {
    LogFiles {
        path: path.to_owned(),
        files: vec![path.to_owned()],
        in_progress: name(path).ends_with(IN_PROGRESS),
        complete: !name(path).ends_with(COMPACT),
    }
}

/// Number of a rolling log's file, and whether it is a compacted one, which comes after the plain one.
fn place(path: &Path) -> Option<(u64, bool)> {
    let rest = name(path).strip_prefix(EVENTS)?;
    let number = rest.split('_').next()?.parse().ok()?;
    Some((number, rest.ends_with(COMPACT)))
}

fn rolling(folder: &Path, entries: &[PathBuf]) -> Result<LogFiles, TraceError> {
    let mut files: Vec<_> = entries.iter().filter_map(|f| place(f).map(|p| (p, f))).collect();
    files.sort();
    let first = files.iter().rposition(|((_, compact), _)| *compact).unwrap_or(0);
    for (_, older) in &files[..first] {
        log::info!("{}: skipped, as a compacted file stands for it", older.display());
    }
    let files = &files[first..];
    let Some(&((start, compact), _)) = files.first() else {
        return Err(TraceError::of_file(folder, "has no event log in it"));
    };
    if start != 1 && !compact {
        return Err(TraceError::of_file(folder, "its first file, events_1_..., is missing"));
    }
    for pair in files.windows(2) {
        let (before, after) = (pair[0].0.0, pair[1].0.0);
        if before + 1 != after {
            return Err(TraceError::of_file(
                folder,
                format!("between events_{before}_... and events_{after}_... a file is missing"),
            ));
        }
    }
    let in_progress =
        |file: &PathBuf| name(file).starts_with(STATUS) && name(file).ends_with(IN_PROGRESS);
    Ok(LogFiles {
        path: folder.to_owned(),
        files: files.iter().map(|(_, file)| (*file).clone()).collect(),
        in_progress: entries.iter().any(in_progress),
        complete: !compact,
    })
}
