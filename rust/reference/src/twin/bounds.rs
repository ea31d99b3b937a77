//! Bounds that are reached or pass, and when a set goes over from RAS to GS (GR-4).

use std::collections::BTreeSet;

use holdfast_engine::{Bound, GrassSwitch, Sample, SetId, Stragglers};

use super::races::{Limit, MILLIS, WHOLE};
use super::samples::Situation;
use super::state::Set;
use super::{Bug, Reference};

impl Reference {
    /// With enough tasks the bound is met; a deadline without is passed, and all of the rest is wanted.
    pub(super) fn watch_bound(&mut self, id: SetId) {
        let (now, accuracy) = (self.now, self.accuracy());
        let set = &self.sets[&id];
        let Some(mut course) = set.race.course.filter(|course| !course.over) else { return };
        let enough = self.needed(set) == 0;
        let late = matches!(set.race.limit, Limit::Deadline(at) if at <= now);
        if !enough && !late {
            return;
        }
        let share = set.finished.len() as u64 * u64::from(WHOLE) / u64::from(set.tasks);
        let score = match course.bound {
            Bound::Deadline => share,
            Bound::Error => now.since(course.begun) / MILLIS,
        };
        let sample = Sample {
            greedy: set.race.greedy,
            bound: course.bound,
            tasks: set.tasks,
            value: course.value,
            utilization: course.utilization,
            accuracy,
            score: u32::try_from(score).unwrap_or(u32::MAX),
        };
        if course.explores {
            self.learn_sample(sample);
        }
        self.totals.bounds_met += u64::from(enough);
        self.totals.bounds_passed += u64::from(!enough);
        course.over = true;
        let forgotten = self.has(Bug::PassedBoundCounts);
        let race = self.race(id);
        race.course = Some(course);
        if !enough && !forgotten {
            race.limit = Limit::None;
        }
    }

    /// RAS goes over to GS, for good.
    pub(super) fn watch_switch(&mut self, id: SetId) {
        let set = &self.sets[&id];
        let Some(course) = set.race.course else { return };
        let explores = course.explores && !self.has(Bug::ExplorersSwitch);
        if course.over || explores || set.race.greedy || self.config.stragglers != Stragglers::Grass
        {
            return;
        }
        let left = match set.race.limit {
            Limit::Deadline(at) => u32::try_from(at.since(self.now) / MILLIS).unwrap_or(u32::MAX),
            Limit::Enough(_) | Limit::None => self.needed(set),
        };
        let goes = match self.config.grass_switch {
            GrassSwitch::Waves => self.in_two_waves(set, course.bound, left),
            GrassSwitch::Learned => {
                let now = Situation {
                    tasks: set.tasks,
                    rest: self.needed(set),
                    utilization: self.utilization(),
                    accuracy: self.accuracy(),
                };
                self.goes_over(course.bound, left, now)
            }
        };
        if goes && !self.has(Bug::NeverGoesOver) {
            self.race(id).greedy = true;
            self.races.switches += 1;
        }
    }

    fn in_two_waves(&self, set: &Set, bound: Bound, left: u32) -> bool {
        if bound == Bound::Error {
            let attempts = self.attempts.values().filter(|a| a.serial == set.serial);
            let running: BTreeSet<u32> =
                attempts.map(|a| a.task).filter(|task| !set.finished.contains(task)).collect();
            return u64::from(left) <= 2 * running.len().max(1) as u64;
        }
        let mut sizes: Vec<u32> = (0..set.tasks).map(|task| set.race.units(task)).collect();
        sizes.sort_unstable();
        let usual = Self::median(&set.race, sizes[(sizes.len() - 1) / 2]).unwrap_or(0);
        u64::from(left) * MILLIS <= usual.saturating_mul(2)
    }
}
