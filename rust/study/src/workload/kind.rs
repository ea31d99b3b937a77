//! What a file is, by its beginning.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use holdfast_trace::TraceError;
use holdfast_trace::input::{CUT_OFF, decoder};
use holdfast_words::shown_path;

use crate::Failure;

/// So much is looked at.
const HEAD: u64 = 4096;
/// Columns of SWIM's traces, less one, and of ClusterData2011-2's table that are needed at least.
const TABS: usize = 5;
const COMMAS: usize = 8;
const DECISION_LOG: &[u8; 8] = b"\x89HFLOG\r\n";

/// What `holdfast sim` can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A world of the simulator.
    World,
    /// The common trace format.
    Trace,
    /// Spark's event log.
    EventLog,
    /// SWIM's Facebook traces.
    Swim,
    /// Google's ClusterData2011-2, `task_events`.
    ClusterData,
    /// What an application knew of its workflows.
    History,
    /// What Holdfast decided.
    DecisionLog,
}

impl Kind {
    /// Returns what it is, and the command that takes it.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Self::World => "a world of the simulator: `holdfast sim FILE` simulates it",
            Self::Trace => "a trace: `holdfast sim FILE` simulates it",
            Self::EventLog => {
                "one of Spark's event logs: `holdfast whatif FILE` says where its time went"
            }
            Self::Swim => "a trace of SWIM's: `holdfast sim FILE` simulates it",
            Self::ClusterData => "a table of ClusterData2011-2: `holdfast sim FILE` simulates it",
            Self::History => "a file of a history: `holdfast history DIR` shows its folder",
            Self::DecisionLog => "a decision log: `holdfast explain FILE` tells it",
        }
    }
}

/// Says which command takes a file that was given to one that takes `wanted`, if it is known and another kind.
pub fn meant_otherwise(path: &Path, wanted: Kind) -> Option<Failure> {
    let found = if is_decision_log(path) { Kind::DecisionLog } else { kind(path).ok()? };
    let meant = || Failure::Input(format!("{} is {}", shown_path(path), found.about()));
    // Any JSON may be meant to be a world: its own reader says what is wrong with it.
    let is_clear = found != Kind::World || head(path).is_ok_and(|(text, _)| is_world(&text));
    (found != wanted && path.is_file() && is_clear).then(meant)
}

fn is_world(head: &str) -> bool {
    ["\"cluster\"", "\"workflows\""].iter().any(|field| head.contains(field))
}

fn is_decision_log(path: &Path) -> bool {
    let mut head = [0; DECISION_LOG.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == *DECISION_LOG
}

/// Returns what a file or folder is that can be simulated, compressed or not; a history is told.
pub(crate) fn kind(path: &Path) -> Result<Kind, Failure> {
    if path.is_dir() {
        return Ok(Kind::EventLog);
    }
    let (head, read) = head(path)?;
    let known = of_head(&head);
    // Of an application that has just begun nothing may be there, or no whole block.
    if known.is_none() && path.extension().is_some_and(|end| end == "inprogress") {
        return Ok(Kind::EventLog);
    }
    if let Err(error) = read
        && head.is_empty()
    {
        let what = match error.kind() {
            ErrorKind::UnexpectedEof => format!("line 1: {CUT_OFF}"),
            _ => format!("cannot be read: {error}"),
        };
        return Err(Failure::Input(format!("{}: {what}", shown_path(path))));
    }
    known.ok_or_else(|| {
        Failure::Input(format!(
            "{}: neither a world in JSON, nor a trace: Spark's event logs, holdfast-trace, SWIM's and ClusterData2011-2's task_events are known",
            shown_path(path)
        ))
    })
}

/// Returns the first text of a file, unpacked, and whether there was an error behind it.
fn head(path: &Path) -> Result<(String, io::Result<usize>), TraceError> {
    let mut head = Vec::new();
    let read = decoder(path)?.take(HEAD).read_to_end(&mut head);
    Ok((String::from_utf8_lossy(&head).into_owned(), read))
}

fn of_head(head: &str) -> Option<Kind> {
    let line = head.lines().find(|line| !line.trim().is_empty())?;
    if line.trim_start().starts_with(['/', '[']) {
        // A comment before a world, or JSON that is none: its reader says what is wrong.
        return Some(Kind::World);
    }
    if line.trim_start().starts_with('{') {
        let trace = line.contains(&format!("\"{}\"", holdfast_trace::format::NAME));
        return Some(match () {
            () if trace => Kind::Trace,
            () if line.contains("\"holdfast_history\"") => Kind::History,
            () if line.contains("\"Event\":") => Kind::EventLog,
            () => Kind::World,
        });
    }
    if line.matches('\t').count() >= TABS {
        return Some(Kind::Swim);
    }
    let number = |text: &str| text.trim().parse::<u64>().is_ok();
    let table = line.matches(',').count() >= COMMAS && line.split(',').next().is_some_and(number);
    table.then_some(Kind::ClusterData)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_line() {
        let known = [
            ("{\n  \"cluster\": [", Kind::World),
            ("{\"cluster\":[]}", Kind::World),
            ("// my cluster\n{", Kind::World),
            ("{\"format\":\"holdfast-trace\",\"version\":1}", Kind::Trace),
            ("{\"Event\":\"SparkListenerLogStart\"}", Kind::EventLog),
            ("\njob0\t0\t0\t1\t2\t3\n", Kind::Swim),
            ("0,,3,0,m,1,u,2,9,,,,0\n", Kind::ClusterData),
        ];
        for (head, expected) in known {
            assert_eq!(of_head(head), Some(expected), "{head}");
        }
        for head in ["", "hello", "a,b,c,d,e,f,g,h,i,j", "HOLDFAST"] {
            assert_eq!(of_head(head), None, "{head}");
        }
    }
}
