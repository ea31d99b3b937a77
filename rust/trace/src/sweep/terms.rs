//! What an instant of a workflow's life is spent on. `docs/reference/whatif.md` has the definitions in words.

use serde::Serialize;

/// The five terms of a JCT, in microseconds. They add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Terms {
    /// Its tasks run, and nothing that waits could run.
    #[serde(rename = "computing_us")]
    pub computing: u64,
    /// Its tasks wait for slots that others use and that it has not released at a barrier, or for executors.
    #[serde(rename = "first_wait_us")]
    pub first_wait: u64,
    /// Its tasks wait for slots that it released at a barrier and that others use.
    #[serde(rename = "lost_at_barriers_us")]
    pub lost_at_barriers: u64,
    /// Its tasks wait although slots are free.
    #[serde(rename = "locality_wait_us")]
    pub locality_wait: u64,
    /// The driver has submitted nothing, or has not handed it out yet.
    #[serde(rename = "driver_gaps_us")]
    pub driver_gaps: u64,
}

impl Terms {
    /// Returns their sum.
    pub const fn sum(&self) -> u64 {
        self.computing
            + self.first_wait
            + self.lost_at_barriers
            + self.locality_wait
            + self.driver_gaps
    }

    /// Returns the terms in the order in which they are shown.
    pub const fn in_order(&self) -> [u64; 5] {
        [
            self.computing,
            self.first_wait,
            self.lost_at_barriers,
            self.locality_wait,
            self.driver_gaps,
        ]
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.computing += other.computing;
        self.first_wait += other.first_wait;
        self.lost_at_barriers += other.lost_at_barriers;
        self.locality_wait += other.locality_wait;
        self.driver_gaps += other.driver_gaps;
    }
}

/// How a workflow stands whose tasks wait, after it has run something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its tasks that run.
    pub running: u64,
    /// Its tasks that wait; more than 0.
    pub pending: u64,
    /// Slots that are free.
    pub free: u64,
    /// Slots that it released at a barrier and that others use.
    pub lost: u64,
    /// Slots that others use, those included.
    pub others: u64,
}

impl Wait {
    /// Tasks that start all together, or not at all, use no free slot before there are `least` of them: what they wait
    /// for is the rest.
    #[must_use]
    pub fn together(self, least: u64) -> Self {
        let missing = least.saturating_sub(self.free);
        if missing == 0 {
            return self;
        }
        Self {
            running: 0,
            pending: missing,
            free: 0,
            lost: self.lost.min(missing),
            others: missing,
        }
    }

    /// Divides `micros` among the terms; `waits` says whether free slots are waited past on purpose, for locality.
    ///
    /// Each waiting task is counted to the first of: a free slot, a lost slot, a slot that others use. If all that wait
    /// could run on these, the instant is spent waiting; if not, the part by which the workflow would be wider.
    pub fn split(&self, micros: u64, waits: bool) -> Terms {
        let free = self.pending.min(self.free);
        let lost = (self.pending - free).min(self.lost);
        let never = (self.pending - free - lost).min(self.others.saturating_sub(lost));
        let more = free + lost + never;
        let running = if more == self.pending { 0 } else { self.running };
        let whole = more + running;
        if whole == 0 {
            // No slots at all: executors are still to come.
            return Terms { first_wait: micros, ..Terms::default() };
        }
        let part = |weight: u64| {
            let part = u128::from(micros) * u128::from(weight) / u128::from(whole);
            u64::try_from(part).unwrap_or(micros)
        };
        let (for_free, lost_part, never_part) = (part(free), part(lost), part(never));
        let rest = micros - for_free - lost_part - never_part;
        let mut terms =
            Terms { lost_at_barriers: lost_part, first_wait: never_part, ..Terms::default() };
        *if waits { &mut terms.locality_wait } else { &mut terms.driver_gaps } = for_free;
        // What rounding leaves goes where something is.
        *match (running, lost, never) {
            (1.., _, _) => &mut terms.computing,
            (_, 1.., _) => &mut terms.lost_at_barriers,
            (_, _, 1..) => &mut terms.first_wait,
            _ if waits => &mut terms.locality_wait,
            _ => &mut terms.driver_gaps,
        } += rest;
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wait(running: u64, pending: u64, free: u64, lost: u64, others: u64) -> Wait {
        Wait { running, pending, free, lost, others }
    }

    #[test]
    fn one_wave_that_waits_for_lost_slots_is_lost_wholly() {
        // Eight tasks, three back on their slots, five wait for the five that others have.
        let terms = wait(3, 5, 0, 5, 5).split(1_000, true);
        assert_eq!(terms, Terms { lost_at_barriers: 1_000, ..Terms::default() });
    }

    #[test]
    fn of_many_waves_the_part_by_which_it_would_be_wider_is_lost() {
        // 1000 tasks on 8 slots of which 2 are lost: a quarter narrower.
        let terms = wait(6, 994, 0, 2, 2).split(1_000, true);
        assert_eq!(terms, Terms { computing: 750, lost_at_barriers: 250, ..Terms::default() });
    }

    #[test]
    fn causes_share_a_wait_by_slots() {
        // Four wait: one slot is free, two are lost, one was never its own.
        let terms = wait(1, 4, 1, 2, 5).split(1_000, true);
        let expected = Terms {
            locality_wait: 250,
            lost_at_barriers: 500,
            first_wait: 250,
            ..Terms::default()
        };
        assert_eq!(terms, expected);
        assert_eq!(wait(1, 4, 1, 2, 5).split(1_000, false).driver_gaps, 250);
    }

    #[test]
    fn a_wide_stage_on_all_slots_computes() {
        let terms = wait(8, 100, 0, 0, 0).split(1_000, true);
        assert_eq!(terms, Terms { computing: 1_000, ..Terms::default() });
    }

    #[test]
    fn without_any_executor_it_waits_for_the_first() {
        let terms = wait(0, 3, 0, 0, 0).split(1_000, true);
        assert_eq!(terms, Terms { first_wait: 1_000, ..Terms::default() });
    }

    proptest! {
        #[test]
        fn the_parts_are_the_whole(
            (running, free, lost, more) in (0u64..200, 0u64..200, 0u64..200, 0u64..200),
            pending in 1u64..5_000, micros in 0u64..10_000_000_000, waits: bool,
        ) {
            let terms = wait(running, pending, free, lost, lost + more).split(micros, waits);
            prop_assert_eq!(terms.sum(), micros);
        }

        #[test]
        fn nothing_is_lost_that_nobody_else_has(
            (running, free, more) in (0u64..200, 0u64..200, 0u64..200),
            pending in 1u64..5_000,
        ) {
            let terms = wait(running, pending, free, 0, more).split(1_000_000, true);
            prop_assert_eq!(terms.lost_at_barriers, 0);
            let alone = wait(running, pending, 0, 0, 0).split(1_000_000, true);
            prop_assert_eq!(alone.lost_at_barriers + alone.locality_wait + alone.driver_gaps, 0);
        }
    }
}
