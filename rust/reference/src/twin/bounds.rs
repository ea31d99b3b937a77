//! Bounds that are reached or pass, and when a set goes over from RAS to GS (GR-4).

use std::collections::BTreeSet;

use holdfast_engine::{Bound, GrassSwitch, Sample, SetId, Stragglers, Time};

use super::races::{Course, Limit, MILLIS, WHOLE};
use super::samples::Situation;
use super::state::Set;
use super::{Bug, Reference};

impl Reference {
    /// What a bound means for a set of so many tasks; its stage has had `all` at most.
    pub(super) fn limit_of(
        &self,
        said: Option<(Bound, u32, Time)>,
        (tasks, all): (u32, u32),
        later: u64,
    ) -> (Limit, Bound, u32) {
        let Some((bound, value, said_at)) = said else {
            return (Limit::None, Bound::Error, tasks);
        };
        match bound {
            Bound::Deadline => {
                let at = said_at.after((u64::from(value) * MILLIS).saturating_sub(later));
                let left = at.since(self.now) / MILLIS;
                (Limit::Deadline(at), bound, u32::try_from(left).unwrap_or(u32::MAX))
            }
            Bound::Error => {
                let all = if self.has(Bug::RetryCountsAnew) { tasks } else { all };
                let dropped = u64::from(all) * u64::from(value.min(WHOLE));
                let dropped = u32::try_from(dropped / u64::from(WHOLE)).expect("at most all");
                let enough = tasks.saturating_sub(dropped);
                (Limit::Enough(enough), bound, enough)
            }
        }
    }

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
        let sample = self.sample(set, &course, accuracy);
        if let Some(sample) = sample.filter(|_| course.explores && course.teaches) {
            self.learn_sample(sample);
        }
        self.totals.bounds_met += u64::from(enough && course.said);
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
        let goes = match self.config.grass_switch {
            GrassSwitch::Waves => self.in_waves(set, 2),
            GrassSwitch::Learned => self.in_waves(set, 1) || self.samples_say_so(set, &course),
        };
        if goes && !self.has(Bug::NeverGoesOver) {
            self.race(id).greedy = true;
            self.races.switches += 1;
        }
    }

    /// What a set that is over teaches, if any task of its has finished.
    fn sample(&self, set: &Set, course: &Course, accuracy: u32) -> Option<Sample> {
        let usual = Self::usual(set)?;
        let share = set.finished.len() as u64 * u64::from(WHOLE) / u64::from(set.tasks);
        let share = u32::try_from(share).expect("at most a million");
        let (value, score) = match course.bound {
            Bound::Deadline => (thousandths(u64::from(course.value) * MILLIS, usual), share),
            Bound::Error => (course.value, thousandths(self.now.since(course.begun), usual)),
        };
        Some(Sample {
            greedy: set.race.greedy,
            bound: course.bound,
            tasks: set.tasks,
            value,
            utilization: course.utilization,
            accuracy,
            score,
        })
    }

    /// Sets without a deadline ask at sixteenths of their tasks.
    fn samples_say_so(&self, set: &Set, course: &Course) -> bool {
        let needed = self.needed(set);
        let left = match (set.race.limit, Self::usual(set)) {
            (Limit::Deadline(_), None) => return false,
            (Limit::Deadline(at), Some(usual)) => thousandths(at.since(self.now), usual),
            (Limit::Enough(_) | Limit::None, _)
                if !needed.is_multiple_of((set.tasks / 16).max(1)) =>
            {
                return false;
            }
            (Limit::Enough(_) | Limit::None, _) => needed,
        };
        let all = set.race.limit == Limit::None || set.race.limit == Limit::Enough(set.tasks);
        let now = Situation {
            tasks: set.tasks,
            exact: all,
            utilization: self.utilization(),
            accuracy: self.accuracy(),
        };
        self.goes_over(course.bound, left, now)
    }

    /// What a task of median size takes.
    fn usual(set: &Set) -> Option<u64> {
        let mut sizes: Vec<u32> = (0..set.tasks).map(|task| set.race.units(task)).collect();
        sizes.sort_unstable();
        Self::median(&set.race, sizes[(sizes.len() - 1) / 2])
    }

    /// No more than so many medians of time are left, or as many waves of what runs now.
    fn in_waves(&self, set: &Set, waves: u64) -> bool {
        if let Limit::Deadline(at) = set.race.limit {
            return at.since(self.now) <= Self::usual(set).unwrap_or(0).saturating_mul(waves);
        }
        let attempts = self.attempts.values().filter(|a| a.serial == set.serial);
        let running: BTreeSet<u32> =
            attempts.map(|a| a.task).filter(|task| !set.finished.contains(task)).collect();
        u64::from(self.needed(set)) <= waves * running.len().max(1) as u64
    }
}

/// One time in thousandths of another.
fn thousandths(nanos: u64, of: u64) -> u32 {
    u32::try_from(u128::from(nanos) * 1_000 / u128::from(of.max(1))).unwrap_or(u32::MAX)
}
