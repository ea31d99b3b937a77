//! A pick for tests: the largest pending task is next, and whatever has run for a millisecond gets a copy elsewhere.
//!
//! It shows what a new pick takes: this file and its line in `wiring`.

use std::collections::BTreeSet;

use crate::api::choice::Choice;
use crate::api::config::{Config, Copies, Stragglers};
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::api::totals::Totals;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::roles::{Books, Picks};
use crate::step::Step;

/// The seed of `spark.holdfast.grass.seed` that asks for it, next to `stragglers=off`.
const SEED: u32 = 77_777;

/// How old a task is that gets a copy.
const AGE_NS: u64 = 1_000_000;

/// When running tasks come of age.
#[derive(Clone, Debug)]
pub(crate) struct Backwards {
    due: BTreeSet<Time>,
}

impl Picks for Backwards {
    fn of(config: &Config) -> Option<Self> {
        let asked = config.stragglers == Stragglers::Off && config.explore_seed == SEED;
        asked.then(|| Self { due: BTreeSet::new() })
    }

    fn choose(&self, books: &Books<'_>, set: SetKey, executor: Option<ExecutorKey>) -> Choice {
        let set = &books.ledger.sets[set];
        if set.pending > 0 {
            return Choice::Pending { largest: true, most: u32::MAX };
        }
        let safe = books.config.copies == Copies::All && !set.kind.together && !set.zombie;
        let tasks = set.tasks.iter().zip(0..).filter(|&(task, _)| {
            let open = !task.finished && !task.failed && !task.copied && task.running == 1;
            open && executor != Some(task.executor) && task.since.after(AGE_NS) <= books.now
        });
        let oldest = tasks.min_by_key(|&(task, number)| (task.since, number));
        oldest.filter(|_| safe).map_or(Choice::Host, |(_, number)| Choice::Copy(number))
    }

    fn on_event(&mut self, books: &Books<'_>, event: &Event, _: (&mut Totals, &mut Step)) {
        if matches!(event, Event::Launched { .. }) {
            self.due.insert(books.now.after(AGE_NS));
        }
    }

    fn deadline(&self) -> Option<Time> {
        self.due.first().copied()
    }

    fn expire(&mut self, books: &Books<'_>, (_, step): (&mut Totals, &mut Step)) {
        while self.due.first().is_some_and(|&due| due <= books.now) {
            self.due.pop_first();
            step.offer_copies = true;
        }
    }
}
