//! Notes: what limits the trust in a report.

use serde::Serialize;

use crate::report::ApplicationReport;

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// The log lacks an event; other events told the same, and the report has it from them.
    Rebuilt,
    /// The log lacks something that nothing else tells: the report is without it.
    LeftOut,
    /// The log stops early.
    Cut,
    /// A file or a part of the log was not read.
    Unread,
}

/// A limit to what a report says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The note in words, one sentence without the log's name.
    pub text: String,
}

impl Note {
    /// Makes a note.
    pub fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// Returns the notes that follow from the other fields of a report.
pub(crate) fn of(report: &ApplicationReport) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |kind, text: String| notes.push(Note::new(kind, text));
    if report.cut_off {
        note(
            NoteKind::Cut,
            "the log stops in the middle of an event: its application died, or still runs".into(),
        );
    } else if !report.ended {
        note(NoteKind::Cut, "the log has no end: its application still runs, or was killed".into());
    }
    if !report.complete {
        note(
            NoteKind::LeftOut,
            "early events have been compacted away: what they told is missing".into(),
        );
    }
    if report.ended && report.unended_tasks > 0 {
        let tasks = count(report.unended_tasks, "task");
        note(
            NoteKind::LeftOut,
            format!(
                "{tasks} without an end in the log, as the application ended first, or Spark dropped events: such a slot counts as in use until its executor goes"
            ),
        );
    }
    if report.late_events > 0 {
        let (events, ms) = (count(report.late_events, "event"), report.latest_ms);
        let (whole, part) = (ms / 1_000, ms % 1_000);
        note(
            NoteKind::LeftOut,
            format!(
                "{events} up to {whole}.{part:03} s too late in the log: counted from there on"
            ),
        );
    }
    notes
}

/// `1 task`, `2 tasks`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
