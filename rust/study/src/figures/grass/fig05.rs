//! Fig. 5 and 7: what GRASS gains over what Facebook and Bing ran, by size of jobs (NSDI'14, section 6.2).

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Bounds, Framework, Trace};

use super::compare::{ALL, Case, Comparison, Gains, Series, range};
use super::runs::least_and_mean;
use crate::Failure;
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure};

/// The titles.
pub(super) const TITLES: [&str; 3] = [
    "Fig. 5: accuracy that GRASS gains, deadline-bound jobs",
    "Fig. 7: time that GRASS saves, error-bound jobs",
    "As Fig. 5 and 7, with the sizes and arrivals of SWIM's trace",
];

const OVER: [&str; 2] = ["over LATE", "over Mantri"];
const SERIES: [Series; 2] = [
    Series { name: OVER[0], of: Rule::Grass, over: Rule::Late },
    Series { name: OVER[1], of: Rule::Grass, over: Rule::Mantri },
];

fn cases(bounds: Bounds) -> [Case; 4] {
    [
        Case::new("Facebook on Hadoop", (Trace::Facebook, Framework::Hadoop), bounds),
        Case::new("Bing on Hadoop", (Trace::Bing, Framework::Hadoop), bounds),
        Case::new("Facebook on Spark", (Trace::Facebook, Framework::Spark), bounds),
        Case::new("Bing on Spark", (Trace::Bing, Framework::Spark), bounds),
    ]
}

/// Gains in accuracy.
///
/// # Errors
/// Those of a simulation.
pub(super) fn deadlines(ask: &Ask) -> Result<Figure, Failure> {
    figure(ask, Bounds::Deadlines)
}

/// Gains in time.
///
/// # Errors
/// Those of a simulation.
pub(super) fn errors(ask: &Ask) -> Result<Figure, Failure> {
    figure(ask, Bounds::Errors)
}

/// Gains with sizes and arrivals of a real day, which come in bursts.
///
/// # Errors
/// Those of a simulation.
pub(super) fn swim(ask: &Ask) -> Result<Figure, Failure> {
    let world = (Trace::Swim, Framework::Hadoop);
    let cases = [
        Case::new("deadlines: accuracy", world, Bounds::Deadlines),
        Case::new("errors: time", world, Bounds::Errors),
    ];
    let comparison = Comparison { cases: &cases, series: &SERIES };
    let gains = comparison.gains(ask)?;
    let all = |case: &Case| gains.of(std::slice::from_ref(case), &OVER, ALL);
    let claims = cases.iter().map(|case| on_hadoop(case.setting.bounds, &all(case))).collect();
    Ok(Figure {
        about: vec![super::about(Bounds::Deadlines), super::about(Bounds::Errors)],
        panels: comparison.panels(&gains, "gained"),
        tables: vec![comparison.table(&gains, "Mean gains with their 95 % confidence intervals")],
        claims,
        rows: gains.rows,
    })
}

fn figure(ask: &Ask, bounds: Bounds) -> Result<Figure, Failure> {
    let cases = cases(bounds);
    let comparison = Comparison { cases: &cases, series: &SERIES };
    let gains = comparison.gains(ask)?;
    let label = if bounds == Bounds::Deadlines { "accuracy gained" } else { "time saved" };
    let claims = claims(&gains, &cases, bounds);
    Ok(Figure {
        about: vec![super::about(bounds)],
        panels: comparison.panels(&gains, label),
        tables: vec![comparison.table(&gains, "Mean gains with their 95 % confidence intervals")],
        claims,
        rows: gains.rows,
    })
}

/// What the paper says of jobs with such bounds, on Hadoop and on Spark, and the least mean gain.
const fn said(bounds: Bounds) -> ([&'static str; 2], f64) {
    match bounds {
        Bounds::Deadlines => (
            [
                "Accuracy on Hadoop rises by 34 to 40 % (section 6.2.1).",
                "On Spark it rises by 43 to 47 %, more than on Hadoop.",
            ],
            0.34,
        ),
        Bounds::Errors | Bounds::Exact => (
            [
                "Jobs on Hadoop are 24 to 30 % faster (section 6.2.2).",
                "On Spark they are 33 to 37 % faster, more than on Hadoop.",
            ],
            0.24,
        ),
    }
}

fn on_hadoop(bounds: Bounds, gains: &[f64]) -> Claim {
    let ([paper, _], least) = said(bounds);
    Claim { paper, got: range(gains), met: least_and_mean(gains).1 >= least }
}

fn claims(gains: &Gains, cases: &[Case; 4], bounds: Bounds) -> Vec<Claim> {
    let (hadoop, spark) = cases.split_at(2);
    let all = |cases: &[Case]| gains.of(cases, &OVER, ALL);
    let (hadoop, spark, everywhere) = (all(hadoop), all(spark), all(cases));
    let ([_, paper], least) = said(bounds);
    let more = least_and_mean(&spark).1 >= least_and_mean(&hadoop).1;
    vec![
        on_hadoop(bounds, &hadoop),
        Claim { paper, got: range(&spark), met: more },
        gains_everywhere(gains, cases, &everywhere, least),
    ]
}

fn gains_everywhere(gains: &Gains, cases: &[Case], all: &[f64], target: f64) -> Claim {
    let bins = gains.of_bins(cases, &OVER);
    Claim {
        paper: "Jobs of all sizes gain (Fig. 5 and 7).",
        got: format!("By size {}; all jobs {}.", range(&bins), range(all)),
        met: least_and_mean(&bins).0 > 0.0 && least_and_mean(all).1 >= target,
    }
}
