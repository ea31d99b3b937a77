//! What is shown of a report: which runs, in which order, rounded so that what is shown adds up.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_trace::sweep::Terms;
use holdfast_words::{columns, shown};

/// The terms' names, in their order.
pub const TERMS: [&str; 5] =
    ["computing", "first wait", "lost at barriers", "locality wait", "driver gaps"];

/// How many columns of a terminal a name has.
const NAME: usize = 48;
/// And a pool's.
const POOL: usize = 24;

/// The runs of a report that are shown, and what all of them give together.
pub struct Rows<'a> {
    /// The first is the one that lost most.
    pub shown: Vec<(String, &'a RunReport)>,
    /// Whether any run's first job was in a pool.
    pub pools: bool,
    /// How many runs there are, those included that are not shown.
    pub all: usize,
    /// Of how many workflows.
    pub workflows: usize,
    /// Of all runs together.
    pub sum: Sum,
}

/// Of all runs together.
#[derive(Default)]
pub struct Sum {
    /// Sums of the terms.
    pub terms: Terms,
    /// Spark jobs.
    pub jobs: u64,
    /// Runs that lost anything at barriers.
    pub losers: usize,
    /// The time of those that lost anything, in microseconds.
    pub losers_us: u64,
    /// Slots lost at barriers and gaps.
    pub slots_lost: u64,
    /// How long first tasks waited while there was no executor, in microseconds.
    pub without_executors_us: u64,
    /// Barriers and gaps.
    pub crossings: u64,
    /// Of them, those at which something was lost.
    pub crossings_with_loss: u64,
}

impl<'a> Rows<'a> {
    /// Chooses the runs that are shown, at most `limit`; 0: all.
    pub fn of(report: &'a ApplicationReport, limit: usize) -> Self {
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
        let pools = report.runs.iter().any(|run| run.pool.is_some());
        Self { shown, pools, all: report.runs.len(), workflows: runs_of.len(), sum }
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
pub const fn slots_lost(run: &RunReport) -> u64 {
    run.barriers.slots_lost + run.gaps.slots_lost
}

/// Returns a run's name, number and description. What tells runs of one workflow apart stays where a long name is cut.
fn name(run: &RunReport, runs: u32) -> String {
    let mut number = if runs > 1 { format!(" #{}", run.run) } else { String::new() };
    if run.rebuilt {
        number.push_str(" [rebuilt]");
    }
    let workflow = cut(&shown(&run.workflow), NAME - number.len());
    let described = run.description.as_ref().map(|text| format!(" ({})", shown(text)));
    cut(&format!("{workflow}{number}{}", described.unwrap_or_default()), NAME)
}

/// Returns all of a run's name and description.
pub fn whole(run: &RunReport) -> String {
    let described = run.description.as_ref().map(|text| format!(" ({text})"));
    shown(&format!("{}{}", run.workflow, described.unwrap_or_default()))
}

/// Returns the pool of a run's first job.
pub fn pool(run: &RunReport) -> String {
    run.pool.as_deref().map(|pool| cut(&shown(pool), POOL)).unwrap_or_default()
}

/// Cuts a text to `most` columns, with a mark where something is missing.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().map(columns).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += columns(*c);
        used <= most
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Returns terms in milliseconds, rounded so that they still add up to the rounded sum: those that lose most by
/// rounding down are rounded up.
pub fn rounded(terms: &Terms) -> [u64; 5] {
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

/// Returns seconds with milliseconds.
pub fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

/// Returns a share in percent; a tenth below ten.
pub fn percent(part: u64, whole: u64) -> String {
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
    use holdfast_trace::report::Crossings;

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
    fn names_have_their_columns_whatever_their_letters() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("日本語の名前", 7), "日本語…");
        let named = |workflow: &str, number: u32| {
            let run = RunReport { workflow: workflow.to_owned(), run: number, ..run() };
            name(&run, 2)
        };
        let long = "etl-".repeat(30);
        assert_ne!(named(&long, 1), named(&long, 2), "the number stays");
        assert!(named(&long, 1).chars().count() <= NAME);
    }

    fn run() -> RunReport {
        RunReport {
            workflow: String::new(),
            run: 1,
            pool: None,
            description: None,
            arrival_ms: 0,
            end_ms: 0,
            ended: true,
            rebuilt: false,
            jct_us: 0,
            terms: Terms::default(),
            without_executors_us: 0,
            jobs: 0,
            stages: 0,
            tasks: 0,
            widest: 0,
            barriers: Crossings::default(),
            gaps: Crossings::default(),
            lost_to: BTreeMap::new(),
            worst: None,
        }
    }

    #[test]
    fn shares_below_ten_percent_have_a_tenth() {
        assert_eq!(percent(1, 3), "33 %");
        assert_eq!(percent(1, 30), "3.3 %");
        assert_eq!((percent(0, 7), percent(0, 0)), ("0 %".to_owned(), "0 %".to_owned()));
    }
}
