//! The files of a history, as `HistoryFile.java` writes them: a line that says what it is, then one object a line.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use holdfast_words::{fault, shown};
use serde::Deserialize;

const VERSION: u64 = 1;

/// What an application reads of one file, and so at most writes: `HistoryFolder.java`, `History.java`.
const MOST_BYTES: u64 = 4 << 20;
const MOST_WORKFLOWS: usize = 256;
const MOST_STEPS: usize = 64;
const MOST_SAMPLES: usize = 18 * 128;
const SAMPLES_OF_A_LINE: usize = 128;

/// A field that only lines of samples have.
const TAUGHT: &str = "\"samples\":";

/// What one application knew of one workflow.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Entry {
    pub workflow: String,
    pub shape: String,
    /// Milliseconds since 1970.
    pub when: u64,
    pub runs: u64,
    /// Two signatures, that of what followed, its tasks, milliseconds.
    pub steps: Vec<[u64; 5]>,
}

/// Samples of bounded jobs, a line of them.
#[derive(Deserialize)]
pub(super) struct Taught {
    /// Milliseconds since 1970.
    pub when: u64,
    /// Bound and rule, tasks, the bound's value, utilization, accuracy, score: the numbers of the event Sampled.
    pub samples: Vec<[u64; 6]>,
}

#[derive(Deserialize)]
struct Head {
    holdfast_history: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    History,
    /// Left by an application that was killed while it wrote.
    Unfinished,
    /// A file of another program, or of another version.
    Foreign,
}

pub(super) struct File {
    pub path: PathBuf,
    pub kind: Kind,
    pub entries: Vec<Entry>,
    pub taught: Vec<Taught>,
    skipped: Vec<String>,
    /// Milliseconds since 1970.
    modified: u64,
}

impl File {
    pub fn name(&self) -> String {
        shown(&self.path.file_name().unwrap_or_default().to_string_lossy())
    }

    /// When one of its workflows or bounded jobs ran last; of a file that does not tell, when it was written.
    pub fn latest(&self) -> u64 {
        let taught = self.taught.iter().map(|taught| taught.when);
        let entries = self.entries.iter().map(|entry| entry.when);
        entries.chain(taught).max().unwrap_or(self.modified)
    }

    /// Returns what of it cannot be read.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let name = self.name();
        self.skipped.iter().map(move |what| format!("{name}: {what}: skipped"))
    }
}

/// Returns the files of a folder that may be histories, by name.
pub(super) fn read(dir: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    for found in fs::read_dir(dir)? {
        let found = found?;
        let name = found.file_name().to_string_lossy().into_owned();
        let unfinished = name.starts_with('.') && name.ends_with(".json.tmp");
        let whole = !name.starts_with('.') && name.ends_with(".json");
        if !found.file_type()?.is_file() || !(unfinished || whole) {
            continue;
        }
        let modified = found.metadata()?.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut file = File {
            path: found.path(),
            kind: Kind::Unfinished,
            entries: Vec::new(),
            taught: Vec::new(),
            skipped: Vec::new(),
            modified: u64::try_from(modified.as_millis()).unwrap_or(u64::MAX),
        };
        if whole {
            parse(&mut file, &start(&found.path())?);
        }
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// No more of a file than shows that it is too large.
fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(file: &mut File, bytes: &[u8]) {
    if bytes.len() as u64 > MOST_BYTES {
        file.kind = Kind::Foreign;
        return file.skipped.push(format!("it is larger than {} MiB", MOST_BYTES >> 20));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut lines = (1..).zip(text.lines());
    let head = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok());
    file.kind = match head {
        Some(Head { holdfast_history: VERSION }) => Kind::History,
        _ => Kind::Foreign,
    };
    match head {
        Some(Head { holdfast_history: VERSION }) => {}
        Some(Head { holdfast_history }) => {
            return file.skipped.push(format!("version {holdfast_history} is not known here"));
        }
        None => return file.skipped.push("it is no history of Holdfast".to_owned()),
    }
    for (number, line) in lines {
        if line.contains(TAUGHT) {
            if let Err(why) = teach(file, line) {
                file.skipped.push(format!("line {number}: {why}"));
            }
            continue;
        }
        if file.entries.len() == MOST_WORKFLOWS {
            return file.skipped.push(format!("it has more than {MOST_WORKFLOWS} workflows"));
        }
        match serde_json::from_str::<Entry>(line) {
            Ok(entry) if entry.steps.len() > MOST_STEPS => {
                file.skipped.push(format!("line {number}: more than {MOST_STEPS} steps"));
            }
            Ok(entry) => file.entries.push(entry),
            Err(_) => {
                file.skipped.push(format!("line {number}: {}", fault::<Entry>(line.as_bytes())));
            }
        }
    }
}

/// Reads a line of samples.
fn teach(file: &mut File, line: &str) -> Result<(), String> {
    let taught: Taught =
        serde_json::from_str(line).map_err(|_| fault::<Taught>(line.as_bytes()))?;
    let kept: usize = file.taught.iter().map(|taught| taught.samples.len()).sum();
    if taught.samples.len() > SAMPLES_OF_A_LINE {
        return Err(format!("more than {SAMPLES_OF_A_LINE} samples"));
    }
    if kept + taught.samples.len() > MOST_SAMPLES {
        return Err(format!("the file has more than {MOST_SAMPLES} samples"));
    }
    if !taught.samples.iter().all(is_sample) {
        return Err("a sample's number is out of range".to_owned());
    }
    file.taught.push(taught);
    Ok(())
}

/// Whether the numbers are in range, as `Sample.java` has it.
fn is_sample(&[kind, tasks, value, utilization, accuracy, score]: &[u64; 6]) -> bool {
    let most = u64::from(i32::MAX.unsigned_abs());
    let whole = utilization <= 1_000_000 && accuracy <= 1_000_000;
    kind < 4 && (1..=1 << 24).contains(&tasks) && value <= most && whole && score <= most
}
