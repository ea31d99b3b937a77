//! What is shown of a report: which runs, in which order, rounded so that what is shown adds up.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_trace::sweep::Terms;

/// The terms' names, in their order.
pub(super) const TERMS: [&str; 5] =
    ["computing", "first wait", "lost at barriers", "locality wait", "driver gaps"];

/// So much of a name is shown.
const NAME: usize = 48;

/// The runs of a report that are shown, and what all of them give together.
pub(super) struct Rows<'a> {
    /// The first is the one that lost most.
    pub(super) shown: Vec<(String, &'a RunReport)>,
    pub(super) all: usize,
    pub(super) workflows: usize,
    pub(super) sum: Sum,
}

/// Of all runs together.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) terms: Terms,
    pub(super) jobs: u64,
    pub(super) losers: usize,
    /// The time of those that lost anything, in microseconds.
    pub(super) losers_us: u64,
    pub(super) slots_lost: u64,
    pub(super) without_executors_us: u64,
    pub(super) crossings: u64,
    pub(super) crossings_with_loss: u64,
}

impl<'a> Rows<'a> {
    pub(super) fn of(report: &'a ApplicationReport, limit: usize) -> Self {
        let mut runs_of: BTreeMap<&str, u32> = BTreeMap::new();
        let mut sum = Sum::default();
        for run in &report.runs {
            *runs_of.entry(&run.workflow).or_default() += 1;
            sum.add(run);
        }
        let mut runs: Vec<&RunReport> = report.runs.iter().collect();
        runs.sort_by_key(|run| {
            (Reverse(run.terms.lost_at_barriers), Reverse(run.jct_us), run.arrival_ms)
        });
        let most = if limit == 0 { runs.len() } else { limit };
        let shown = runs.into_iter().take(most);
        let shown = shown.map(|run| (name(run, runs_of[run.workflow.as_str()]), run)).collect();
        Self { shown, all: report.runs.len(), workflows: runs_of.len(), sum }
    }
}

impl Sum {
    fn add(&mut self, run: &RunReport) {
        let t = &mut self.terms;
        t.computing += run.terms.computing;
        t.first_wait += run.terms.first_wait;
        t.lost_at_barriers += run.terms.lost_at_barriers;
        t.locality_wait += run.terms.locality_wait;
        t.driver_gaps += run.terms.driver_gaps;
        self.jobs += u64::from(run.jobs);
        if run.terms.lost_at_barriers > 0 {
            self.losers += 1;
            self.losers_us += run.jct_us;
        }
        self.slots_lost += slots_lost(run);
        self.without_executors_us += run.without_executors_us;
        self.crossings += u64::from(run.barriers.all) + u64::from(run.gaps.all);
        self.crossings_with_loss +=
            u64::from(run.barriers.with_loss) + u64::from(run.gaps.with_loss);
    }
}

/// Slots lost at barriers and gaps.
pub(super) const fn slots_lost(run: &RunReport) -> u64 {
    run.barriers.slots_lost + run.gaps.slots_lost
}

fn name(run: &RunReport, runs: u32) -> String {
    let mut name = run.workflow.clone();
    if runs > 1 {
        name.push_str(&format!(" #{}", run.run));
    }
    if let Some(description) = &run.description {
        name.push_str(&format!(" ({description})"));
    }
    if name.chars().count() > NAME {
        name = name.chars().take(NAME - 1).chain(['…']).collect();
    }
    name
}

/// Terms in milliseconds, rounded so that they still add up to the rounded sum: those that lose most by rounding down
/// are rounded up.
pub(super) fn rounded(terms: &Terms) -> [u64; 5] {
    let micros = terms.in_order();
    let mut millis = micros.map(|term| term / 1_000);
    let left = (terms.sum() + 500) / 1_000 - millis.iter().sum::<u64>();
    let mut order = [0, 1, 2, 3, 4];
    order.sort_by_key(|&i| Reverse(micros[i] % 1_000));
    for &i in order.iter().take(usize::try_from(left).unwrap_or(0)) {
        millis[i] += 1;
    }
    millis
}

/// Seconds with milliseconds.
pub(super) fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

/// A share in percent; a tenth below ten.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0 %".to_owned();
    }
    let tenths = (u128::from(part) * 1_000 + u128::from(whole) / 2) / u128::from(whole);
    if tenths >= 100 || tenths == 0 {
        format!("{} %", (tenths + 5) / 10)
    } else {
        format!("{}.{} %", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_adds_up() {
        let terms = Terms {
            computing: 1_000_333,
            first_wait: 333,
            lost_at_barriers: 334,
            locality_wait: 999,
            driver_gaps: 1,
        };
        assert_eq!(terms.sum(), 1_002_000);
        assert_eq!(rounded(&terms), [1_000, 0, 1, 1, 0]);
        assert_eq!(rounded(&Terms::default()), [0; 5]);
    }

    #[test]
    fn shares_below_ten_percent_have_a_tenth() {
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(1, 30), "3.3 %");
        assert_eq!((percent(0, 7), percent(0, 0)), ("0 %".to_owned(), "0 %".to_owned()));
    }
}
