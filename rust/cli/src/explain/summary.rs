//! The summary by workflow and by user.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use holdfast_engine::{Account, EndCause, Reason, WorkflowId};
use holdfast_log::Reader;
use holdfast_words::{count, shown};
use rustc_hash::FxHashMap;

use super::story::Reading;
use crate::Failure;
use crate::text::{HEAD, duration, seconds, table};

pub(super) const CAUSES: [(EndCause, &str); 7] = [
    (EndCause::Used, "used"),
    (EndCause::Moved, "moved"),
    (EndCause::Overridden, "overridden"),
    (EndCause::Expired, "expired"),
    (EndCause::NotNeeded, "not needed"),
    (EndCause::WorkflowOver, "over"),
    (EndCause::ExecutorGone, "executor gone"),
];

pub(super) const REASONS: [(Reason, &str); 5] = [
    (Reason::Barrier, "barrier"),
    (Reason::Gap, "gap"),
    (Reason::Waiting, "waiting"),
    (Reason::Grow, "grow"),
    (Reason::Nearer, "nearer"),
];

/// Of how many workflows the claims are shown.
const MOST_CLAIMS: usize = 50;

/// Counts of one workflow.
#[derive(Clone, Copy, Default)]
struct Counts {
    made: u64,
    causes: [u64; CAUSES.len()],
    reasons: [u64; REASONS.len()],
    left: u64,
    idle: u128,
}

impl Counts {
    fn plus(mut self, other: &Self) -> Self {
        self.made += other.made;
        self.left += other.left;
        self.idle += other.idle;
        let sums = self.causes.iter_mut().chain(&mut self.reasons);
        sums.zip(other.causes.iter().chain(&other.reasons)).for_each(|(sum, n)| *sum += n);
        self
    }
}

/// Counts by workflow.
#[derive(Default)]
pub(super) struct Tally {
    counts: FxHashMap<WorkflowId, Counts>,
    pub(super) reoffers: u64,
}

impl Tally {
    pub(super) fn made(&mut self, workflow: WorkflowId, reason: Reason) {
        let counts = self.counts.entry(workflow).or_default();
        counts.made += 1;
        bump(&mut counts.reasons, &REASONS, reason);
    }

    pub(super) fn ended(&mut self, workflow: WorkflowId, cause: EndCause, idle: u64) {
        let counts = self.counts.entry(workflow).or_default();
        bump(&mut counts.causes, &CAUSES, cause);
        counts.idle += u128::from(idle);
    }

    pub(super) fn left(&mut self, workflow: WorkflowId, idle: u64) {
        let counts = self.counts.entry(workflow).or_default();
        counts.left += 1;
        counts.idle += u128::from(idle);
    }
}

fn bump<T: Copy + PartialEq>(counts: &mut [u64], kinds: &[(T, &str)], kind: T) {
    for (count, _) in counts.iter_mut().zip(kinds).filter(|(_, (k, _))| *k == kind) {
        *count += 1;
    }
}

pub(super) fn write(
    reading: &Reading,
    reader: &Reader<impl Read>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let header = reader.header();
    let host: Vec<String> = header.host.iter().map(|(k, v)| shown(&format!("{k} {v}"))).collect();
    let host = if host.is_empty() { "no word about the host".to_owned() } else { host.join(", ") };
    let policy = header.config.policy.name();
    writeln!(out, "{HEAD}{host}{HEAD:#}")?;
    let revision = shown(&header.revision);
    let build = if revision.is_empty() { revision } else { format!(" ({revision})") };
    let events = count(reading.events, "event");
    let span = duration(reading.span);
    let engine = shown(&header.engine);
    writeln!(out, "engine {engine}{build}, policy {policy}; {events} in {span}")?;
    writeln!(out)?;
    let mut rows: Vec<_> = reading.tally.counts.iter().map(|(id, counts)| (*id, *counts)).collect();
    if rows.is_empty() {
        writeln!(out, "Nothing was held.")?;
        stragglers(reading, out)?;
        unforeseen(reading, out)?;
        return claims(reading, out);
    }
    rows.sort_unstable_by_key(|(id, counts)| (std::cmp::Reverse(counts.made), *id));
    let cells = |(id, counts): &(WorkflowId, Counts)| {
        (vec![reading.books.workflow(*id), reading.books.priority(*id).to_string()], *counts)
    };
    counted(&["workflow", "priority"], rows.iter().map(cells).collect(), out)?;
    by_user(&rows, reading, out)?;
    claims(reading, out)?;
    let made = count(rows.iter().map(|(_, c)| c.made).sum(), "hold");
    let idle = seconds(rows.iter().map(|(_, c)| c.idle).sum());
    let reoffers = count(reading.tally.reoffers, "reoffer");
    writeln!(out)?;
    writeln!(out, "{made}, {idle} idle slot-seconds, {reoffers}")?;
    stragglers(reading, out)?;
    deadlines(reading, out)?;
    unforeseen(reading, out)?;
    writeln!(out, "One by one: --workflow, --stage, --executor or --hold.")?;
    Ok(())
}

/// What clients claimed, as against what the configuration gives, if they did.
fn claims(reading: &Reading, out: &mut dyn Write) -> Result<(), Failure> {
    let all = reading.books.claimed();
    if all.len() == 0 {
        return Ok(());
    }
    let more = all.len().saturating_sub(MOST_CLAIMS) as u64;
    writeln!(out)?;
    writeln!(out, "{HEAD}claimed by clients{HEAD:#}")?;
    for id in all.take(MOST_CLAIMS) {
        let (name, priority) = (reading.books.workflow(id), reading.books.priority(id));
        let claim = reading.books.claim(id).unwrap_or_default();
        writeln!(out, "{name} (priority {priority}): {claim}")?;
    }
    if more > 0 {
        writeln!(out, "... and {}", count(more, "workflow"))?;
    }
    Ok(())
}

/// The sums of users, if there are any.
fn by_user(
    rows: &[(WorkflowId, Counts)],
    reading: &Reading,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut users: BTreeMap<&str, (usize, Counts)> = BTreeMap::new();
    for (id, counts) in rows {
        if let Some(user) = reading.books.user(*id) {
            let (workflows, sums) = users.entry(user).or_default();
            *workflows += 1;
            *sums = sums.plus(counts);
        }
    }
    if users.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let cells = users
        .into_iter()
        .map(|(user, (workflows, sums))| (vec![user.to_owned(), workflows.to_string()], sums));
    counted(&["user", "workflows"], cells.collect(), out)
}

/// A table of counts, each row after the cells that say whose they are.
fn counted(
    whose: &[&str],
    rows: Vec<(Vec<String>, Counts)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let causes: Vec<usize> =
        (0..CAUSES.len()).filter(|&i| rows.iter().any(|(_, c)| c.causes[i] > 0)).collect();
    let mut head = [whose, &["holds"]].concat();
    head.extend(causes.iter().map(|&i| CAUSES[i].1));
    head.extend(["left", "idle slot-s", "held for"]);
    let cells = |(mut row, counts): (Vec<String>, Counts)| {
        row.push(counts.made.to_string());
        row.extend(causes.iter().map(|&i| counts.causes[i].to_string()));
        row.extend([counts.left.to_string(), seconds(counts.idle), reasons(&counts.reasons)]);
        row
    };
    table(out, &head, &rows.into_iter().map(cells).collect::<Vec<_>>())?;
    Ok(())
}

/// Where deadlines came from an isolation below 1 (SSR-8, 9): what was asked for, and what came of it.
fn deadlines(reading: &Reading, out: &mut dyn Write) -> Result<(), Failure> {
    let with = reading.accounts.iter().filter(|(_, account)| account.barriers > 0);
    let cells = |(id, account): &(Option<WorkflowId>, Account)| {
        let part = |kept: f64| format!("{:.2}", kept / account.barriers as f64);
        vec![
            id.map_or_else(|| "others".to_owned(), |id| reading.books.workflow(id)),
            account.barriers.to_string(),
            part(account.promised as f64 / 1e6),
            part(account.kept as f64),
            seconds(account.bound_ns.into()),
            seconds(account.barrier_idle_ns.into()),
            seconds(account.idle_ns.into()),
        ]
    };
    let rows: Vec<Vec<String>> = with.map(cells).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(
        out,
        "Stages with a deadline: isolation asked for and reached, and idle slot-seconds: at most on average"
    )?;
    writeln!(
        out,
        "(Eq. 4), held towards these deadlines, and in all, the waits between jobs included"
    )?;
    let head = ["workflow", "stages", "asked", "reached", "at most", "held", "in all"];
    table(out, &head, &rows)?;
    writeln!(out)?;
    Ok(())
}

/// What became of copies and bounds (GR-1 to GR-3), where there were any.
fn stragglers(reading: &Reading, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(totals) = &reading.totals else { return Ok(()) };
    if totals.copies > 0 {
        let copies = if totals.copies == 1 { "copy" } else { "copies" };
        writeln!(
            out,
            "{} {copies} of stragglers: {} won, {} slot-seconds for nothing, {} before waiting equals",
            totals.copies,
            totals.copies_won,
            seconds(totals.copies_lost_ns),
            totals.copies_before_equals
        )?;
    }
    if totals.bounds_met + totals.bounds_passed > 0 {
        writeln!(out, "bounds: {} met, {} missed", totals.bounds_met, totals.bounds_passed)?;
    }
    if let Some([rest, new]) = reading.accuracies.map(|both| both.map(|ppm| f64::from(ppm) / 1e4)) {
        writeln!(
            out,
            "estimates were right to {rest:.0} % of what tasks still took, and to {new:.0} % of what new attempts took"
        )?;
    }
    if totals.copies + totals.bounds_met + totals.bounds_passed > 0 {
        writeln!(out, "Why a task was copied or not: --stage and --task.")?;
    }
    Ok(())
}

/// Says which workflows lacked slots when they became wider than was known.
fn unforeseen(reading: &Reading, out: &mut dyn Write) -> Result<(), Failure> {
    for (id, account) in reading.accounts.iter().filter(|(_, account)| account.unforeseen > 0) {
        let whose = id.map_or_else(|| "others".to_owned(), |id| reading.books.workflow(id));
        let slots = count(account.unforeseen, "slot");
        writeln!(
            out,
            "{whose} lacked {slots} when it became wider than was known: others had been given them meanwhile; what \
             helps: the local property holdfast.parallelism, or spark.holdfast.history.dir."
        )?;
    }
    Ok(())
}

/// Returns the most frequent reasons first.
fn reasons(counts: &[u64; REASONS.len()]) -> String {
    let mut order: Vec<usize> = (0..REASONS.len()).filter(|&i| counts[i] > 0).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(counts[i]));
    let parts: Vec<String> =
        order.iter().map(|&i| format!("{} {}", REASONS[i].1, counts[i])).collect();
    parts.join(", ")
}
