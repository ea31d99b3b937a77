//! `holdfast explain`: the holds of a log, and its tasks, told.

mod books;
mod json;
mod story;
mod summary;
mod task;

use std::io::Write;

use holdfast_engine::{ExecutorId, HoldFor, WorkflowId};
use holdfast_log::{Header, NameKind};
use holdfast_words::count;

use crate::args::Explain;
use crate::text::HEAD;
use crate::{Failure, Log, damaged, note_early_end, open};
use books::Books;
use story::{Filter, Story, Teller};

pub(crate) fn run(args: &Explain, out: &mut dyn Write) -> Result<(), Failure> {
    if let (Some(stage), Some(task)) = (args.stage, args.task) {
        return task::run(args, (stage, task), out);
    }
    let one_by_one = args.json || args.has_filter();
    let filter = if one_by_one { Some(filter(args)?) } else { None };
    let mut reader = open(&args.log)?;
    let mut teller = Teller::new(reader.header(), filter);
    let mut damage = None;
    for record in reader.by_ref() {
        if let Err(error) = record.and_then(|record| teller.record(&record)) {
            damage = Some(damaged(&args.log, &error));
            break;
        }
    }
    let reading = teller.finish();
    if args.json {
        json::write(&reading, out)?;
    } else if one_by_one {
        holds(args, &reading.stories, &reading.books, reader.header(), out)?;
    } else {
        summary::write(&reading, &reader, out)?;
    }
    if let Some(number) = reading.parted.filter(|_| !args.json) {
        writeln!(
            out,
            "This build decides otherwise from record {number} on (see holdfast replay): no needs are shown from there."
        )?;
    }
    // What is good is told all the same.
    if let Some(damage) = damage {
        return Err(damage);
    }
    note_early_end(&args.log, reader.ended(), reader.full());
    Ok(())
}

/// Returns what the options ask for, with names looked up in the log (they may be recorded after the first hold).
fn filter(args: &Explain) -> Result<Filter, Failure> {
    let mut books = Books::default();
    let mut reader: Log = open(&args.log)?;
    // Whoever tells the holds tells of damage, too.
    reader.by_ref().flatten().for_each(|record| books.see(&record));
    let look_up = |kind, asked: &Option<String>| {
        asked.as_deref().map(|asked| find(&books, kind, asked)).transpose()
    };
    let workflows = look_up(NameKind::Workflow, &args.workflow)?;
    let users = look_up(NameKind::User, &args.user)?;
    let workflows = match (workflows, users) {
        (Some(ids), Some(of_user)) => {
            Some(ids.into_iter().filter(|id| of_user.contains(id)).collect())
        }
        (ids, of_user) => ids.or(of_user),
    };
    let executors = look_up(NameKind::Executor, &args.executor)?;
    if let Some(stage) = args.stage.filter(|&s| !books.knows_stage(s)) {
        return Err(Failure::Usage(format!("the log has no stage {stage}")));
    }
    if let Some(hold) = args.hold.filter(|&h| u64::from(h) >= books.holds_made()) {
        let made = count(books.holds_made(), "hold");
        return Err(Failure::Usage(format!(
            "the log has no hold {hold}: it has {made}, numbered from 0"
        )));
    }
    Ok(Filter {
        workflows: workflows.map(|ids: Vec<u32>| ids.into_iter().map(WorkflowId).collect()),
        executors: executors.map(|ids| ids.into_iter().map(ExecutorId).collect()),
        stage: args.stage,
        hold: args.hold,
    })
}

/// Ids with that name; else the id that is that number.
fn find(books: &Books, kind: NameKind, asked: &str) -> Result<Vec<u32>, Failure> {
    let known = books.known(kind);
    let named: Vec<u32> = known.iter().filter(|(_, n)| *n == asked).map(|(id, _)| *id).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let id = asked.parse().ok().filter(|_| kind != NameKind::User);
    if let Some((id, _)) = id.and_then(|id: u32| known.iter().find(|(k, _)| *k == id)) {
        return Ok(vec![*id]);
    }
    let what = match kind {
        NameKind::Executor => "executor",
        NameKind::Workflow => "workflow",
        NameKind::User => "user",
        NameKind::Claim => "claim",
    };
    let mut names: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
    if kind == NameKind::User {
        names.sort_unstable();
        names.dedup();
    }
    if names.is_empty() {
        return Err(Failure::Usage(format!("the log has no {what} {asked}: it names none")));
    }
    let more = names.len().saturating_sub(20);
    names.truncate(20);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Err(Failure::Usage(format!(
        "the log has no {what} {asked}; it has: {}{more}",
        names.join(", ")
    )))
}

fn holds(
    args: &Explain,
    stories: &[Story],
    books: &Books,
    header: &Header,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if stories.is_empty() {
        writeln!(out, "No hold of this log fits.{}", why_none(args, books, header))?;
    }
    let shown = if args.limit == 0 { stories.len() } else { args.limit.min(stories.len()) };
    for story in &stories[..shown] {
        let (title, lines) = story.text(books);
        writeln!(out, "{HEAD}{title}{HEAD:#}")?;
        for line in lines {
            writeln!(out, "  {line}")?;
        }
    }
    if shown < stories.len() {
        writeln!(out, "... and {} more; --limit 0 shows all", stories.len() - shown)?;
    }
    Ok(())
}

/// Why a workflow had none, where the configuration says it.
fn why_none(args: &Explain, books: &Books, header: &Header) -> String {
    let config = &header.config;
    if !config.holds() {
        let does =
            if config.sets_aside() { "sets slots aside and never holds" } else { "never holds" };
        return format!(" The policy was {}: it {does}.", config.policy.name());
    }
    let Some(asked) = &args.workflow else {
        return String::new();
    };
    let ids = find(books, NameKind::Workflow, asked).unwrap_or_default();
    let important = ids.iter().any(|&id| books.priority(WorkflowId(id)) > 0);
    if !important && header.config.hold_for == HoldFor::Prioritised {
        return format!(
            " {asked} never had a priority above 0, and only those may hold (spark.holdfast.hold.for)."
        );
    }
    String::new()
}
