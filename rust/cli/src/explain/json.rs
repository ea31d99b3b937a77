//! The holds of a log as JSON.

use std::io::{self, Write};

use holdfast_words::json;
use serde::Serialize;

use super::books::Books;
use super::story::{Reading, Story};
use super::summary::{CAUSES, REASONS};
use crate::Failure;

/// Version of the JSON: a field that goes or changes its meaning makes a new one.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document {
    format: &'static str,
    version: u32,
    /// The record from which on this build decides otherwise.
    parted: Option<u64>,
    /// In the order of their making.
    holds: Vec<Hold>,
}

/// A hold; times in microseconds since the log's first event.
#[derive(Serialize)]
struct Hold {
    hold: u32,
    workflow: String,
    priority: i32,
    executor: String,
    reason: &'static str,
    made_us: u64,
    /// None when the log ended first.
    ended_us: Option<u64>,
    /// The column of the summary that counts it.
    end: Option<&'static str>,
    /// The stage whose task left the slot.
    left_by_stage: Option<u32>,
    /// The stage whose task used it.
    used_by_stage: Option<u32>,
}

impl Hold {
    fn of(story: &Story, books: &Books) -> Self {
        let since = |time: holdfast_engine::Time| time.since(story.origin) / 1_000;
        Self {
            hold: story.hold.0,
            workflow: books.workflow(story.workflow),
            priority: story.priority,
            executor: books.executor(story.executor),
            reason: word(&REASONS, story.reason).unwrap_or_default(),
            made_us: since(story.made_at),
            ended_us: story.end.as_ref().map(|&(time, ..)| since(time)),
            end: story.end.as_ref().and_then(|&(_, cause, _)| word(&CAUSES, cause)),
            left_by_stage: story.stages[0],
            used_by_stage: story.stages[1],
        }
    }
}

fn word<T: Copy + PartialEq>(words: &[(T, &'static str)], of: T) -> Option<&'static str> {
    words.iter().find(|(kind, _)| *kind == of).map(|(_, word)| *word)
}

pub(super) fn write(reading: &Reading, out: &mut dyn Write) -> Result<(), Failure> {
    let holds = reading.stories.iter().map(|story| Hold::of(story, &reading.books)).collect();
    let document =
        Document { format: "holdfast-explain", version: FORMAT, parted: reading.parted, holds };
    Ok(writeln!(out, "{}", json(&document).map_err(io::Error::from)?)?)
}
