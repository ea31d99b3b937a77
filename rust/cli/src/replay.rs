//! `holdfast replay`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use holdfast_log::{Difference, Header, REVISION, Replayed, Step, VERSION};
use holdfast_words::{count, shown, shown_path};

use crate::parts::first_part;
use crate::text::{BAD, GOOD, at, seconds};
use crate::{Failure, damaged, note_early_end, open};

pub(crate) fn run(paths: &[PathBuf], out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let mut code = 0;
    let mut logs: Vec<PathBuf> = Vec::new();
    for log in paths.iter().map(|path| first_part(path)) {
        // Of a folder's files those of one log count once.
        if !logs.contains(&log) {
            logs.push(log);
        }
    }
    for path in &logs {
        // Whoever names several logs wants to hear of all of them.
        code = code.max(match decides_the_same(path, out) {
            Err(damaged @ Failure::Input(_)) => crate::say(damaged),
            result => u8::from(!result?),
        });
    }
    Ok(ExitCode::from(code))
}

fn decides_the_same(path: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut reader = open(path)?;
    let result = holdfast_log::replay(&mut reader);
    let name = shown_path(path);
    if let Some(difference) = &result.difference {
        writeln!(
            out,
            "{name}: {BAD}differs{BAD:#} after {}",
            count(result.events - 1, "equal event")
        )?;
        show(difference, reader.header(), out)?;
        return Ok(false);
    }
    let (events, decisions) = (count(result.events, "event"), count(result.decisions, "decision"));
    let until = if result.damage.is_some() { " up to the damage" } else { "" };
    writeln!(out, "{name}: {events}, {decisions}: {GOOD}the same{GOOD:#}{until}")?;
    writeln!(out, "{}", totals(&result))?;
    if let Some(error) = &result.damage {
        return Err(damaged(path, error));
    }
    note_early_end(path, result.ended, result.full);
    Ok(true)
}

fn totals(result: &Replayed) -> String {
    let t = &result.totals;
    let ends = [
        (t.used, "used"),
        (t.moved, "moved"),
        (t.overridden, "overridden"),
        (t.expired, "expired"),
        (t.not_needed, "not needed"),
        (t.workflow_over, "over with their workflow"),
        (t.executor_gone, "gone with their executor"),
        (result.left, "left"),
    ];
    let ends = ends.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {n} {what}"));
    let idle = seconds(t.idle_held_ns);
    format!("holds: {} made{}; {idle} idle slot-seconds", t.made, ends.collect::<String>())
}

fn show(difference: &Difference, header: &Header, out: &mut dyn Write) -> Result<(), Failure> {
    let Difference { number, offset, now, event, recorded, got } = difference;
    writeln!(
        out,
        "  record {number} at byte {offset}, {} on the host's clock",
        at(*now, Default::default())
    )?;
    writeln!(out, "  event     {event:?}")?;
    writeln!(out, "  recorded  {}", step(recorded))?;
    writeln!(out, "  got       {}", step(got))?;
    if (header.engine.as_str(), header.revision.as_str()) != (VERSION, REVISION) {
        let (version, revision) = (shown(&header.engine), shown(&header.revision));
        writeln!(
            out,
            "  the log was written by version {version} (revision {revision}), this is {VERSION} ({REVISION})"
        )?;
    }
    Ok(())
}

fn step(step: &Step) -> String {
    let mut parts: Vec<String> = step.decisions.iter().map(|d| format!("{d:?}")).collect();
    parts.extend(step.error.map(|code| {
        let text = holdfast_engine::EngineError::from_code(code).map(|e| e.to_string());
        format!("refused with {code} ({})", text.as_deref().unwrap_or("unknown to this version"))
    }));
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}
