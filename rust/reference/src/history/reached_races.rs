//! What histories have reached of rules for stragglers.

use holdfast_engine::{Choice, Event, Stragglers};

use super::Reached;
use crate::invariants::Step;

/// Outcomes that every large run has to reach.
pub(super) const REQUIRED: [&str; 26] = [
    "bound met",
    "bound passed",
    "copy before equals",
    "copy by Grass",
    "copy by Gs",
    "copy by Ras",
    "copy by Late",
    "copy by Mantri",
    "copy offered by Grass",
    "copy offered by Late",
    "copy offered by Mantri",
    "copy where others wait",
    "copy with pending tasks launched",
    "copy with pending tasks by Grass",
    "copy with pending tasks by Gs",
    "copy with pending tasks by Ras",
    "copy with pending tasks by Mantri",
    "lost copy",
    "nothing with pending tasks",
    "pending, largest",
    "pending, largest of those up to a size",
    "pending, smallest",
    "report taken",
    "sample",
    "sizes",
    "switch",
];

impl Reached {
    /// Looks at one step; `switches` sets went over from RAS to GS in it.
    pub(super) fn note_races(&mut self, step: &Step, switches: u64) {
        if switches > 0 {
            self.add("switch");
        }
        let (old, new) = (&step.before.totals, &step.after.totals);
        for (what, more) in [
            ("bound met", new.bounds_met > old.bounds_met),
            ("bound passed", new.bounds_passed > old.bounds_passed),
            ("copy before equals", new.copies_before_equals > old.copies_before_equals),
            ("lost copy", new.copies_lost_ns > old.copies_lost_ns),
        ] {
            if more {
                self.add(what);
            }
        }
        let races = !matches!(step.stragglers, Stragglers::Holds | Stragglers::Off);
        if !races {
            return;
        }
        let said = matches!(step.event, Event::Sampled { .. });
        if !said && step.before.samples != step.after.samples {
            self.add("sample");
        }
        match step.event {
            Event::Progressed { .. } if step.before.asks != step.after.asks => {
                self.add("report taken");
            }
            Event::TaskSized { .. } if step.before.asks != step.after.asks => self.add("sizes"),
            Event::Launched { .. } => self.note_picked(step),
            _ => {}
        }
        for ask in &step.after.asks {
            let pending = step.after.set(ask.set).map_or(0, |set| set.pending);
            match (ask.pick, pending > 0) {
                (Choice::Nothing, true) => self.add("nothing with pending tasks"),
                (Choice::Pending { largest: false, .. }, _) => self.add("pending, smallest"),
                (Choice::Pending { largest: true, most }, _) => {
                    self.add("pending, largest");
                    if most > 1 {
                        self.add("pending, largest of those up to a size");
                    }
                }
                (Choice::Copy(_), true) => {
                    self.add(&format!("copy with pending tasks by {:?}", step.stragglers));
                }
                (Choice::Copy(_), false) => {
                    self.add(&format!("copy offered by {:?}", step.stragglers));
                    if step.after.sets.iter().any(|set| set.id != ask.set && set.pending > 0) {
                        self.add("copy where others wait");
                    }
                }
                _ => {}
            }
        }
    }

    /// A launch of what was picked.
    fn note_picked(&mut self, step: &Step) {
        let Event::Launched { set, task, executor, .. } = *step.event else { return };
        let here = |ask: &&crate::model::Ask| ask.set == set && ask.executor == executor;
        let picked = step.before.asks.iter().find(here).map(|ask| ask.pick);
        if step.result.is_err() || picked != Some(Choice::Copy(task)) {
            return;
        }
        self.add(&format!("copy by {:?}", step.stragglers));
        if step.before.set(set).is_some_and(|set| set.pending > 0) {
            self.add("copy with pending tasks launched");
        }
    }
}
