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
    /// The kind of limit.
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
    beginning(report, &mut note);
    executors(report, &mut note);
    notes
}

fn executors(report: &ApplicationReport, note: &mut impl FnMut(NoteKind, String)) {
    let without = report.unsized_executors;
    let sized = report.unannounced_executors - without;
    if sized > 0 {
        let text = "not announced in the log: slots follow from the cores that others or the configuration have";
        note(NoteKind::Rebuilt, format!("{} {text}", count(sized, "executor")));
    }
    if without > 0 {
        let text = "not announced in the log, and nothing says the cores: as many slots as tasks ran at once";
        note(NoteKind::LeftOut, format!("{} {text}", count(without, "executor")));
    }
}

/// What the first events of a log tell.
fn beginning(report: &ApplicationReport, note: &mut impl FnMut(NoteKind, String)) {
    let mut lacks = |lacks: bool, what: &str| {
        if lacks {
            note(NoteKind::LeftOut, what.to_owned());
        }
    };
    lacks(report.spark.is_none(), "Spark's version is not in the log");
    lacks(
        report.name.is_none(),
        "the application's start is not in the log: its name is not known",
    );
    lacks(!report.configured, "Spark's configuration is not in the log: Spark's defaults count");
    if report.unknown_profiles > 0 {
        let profiles = count(report.unknown_profiles, "resource profile");
        note(
            NoteKind::LeftOut,
            format!(
                "{profiles} not in the log: each task is taken to need what the configuration says"
            ),
        );
    }
}

/// `1 task`, `2 tasks`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
