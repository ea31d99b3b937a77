//! Fig. 8 and 10 to 14: GRASS against what knows more, and against its parts (NSDI'14, sections 6.2 and 6.3).

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Bounds, Framework, Trace};

use super::compare::{ALL, Case, Comparison, Gains, PLACES, Series, percent, range};
use super::runs::least_and_mean;
use crate::Failure;
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure};

/// The titles.
pub(super) const TITLES: [&str; 6] = [
    "Fig. 8: GRASS and an oracle, over LATE",
    "Fig. 10: GS, RAS and GRASS over LATE, deadline-bound jobs",
    "Fig. 11: GS, RAS and GRASS over LATE, error-bound jobs",
    "Fig. 12: GRASS and a switch two waves before the bound, over LATE",
    "Fig. 13: what the learner tells jobs apart by, deadline-bound jobs",
    "Fig. 14: what the learner tells jobs apart by, error-bound jobs",
];

const fn over_late(name: &'static str, of: Rule) -> Series {
    Series { name, of, over: Rule::Late }
}

const GS: &str = "GS";
const RAS: &str = "RAS";
const GRASS: &str = "GRASS";
const ORACLE: &str = "oracle";
const TWO_WAVES: &str = "two waves";

fn facebook(name: &'static str, framework: Framework, bounds: Bounds) -> Case {
    Case::new(name, (Trace::Facebook, framework), bounds)
}

fn drawn(
    ask: &Ask,
    (cases, series): (&[Case], &[Series]),
    claims: impl Fn(&Gains) -> Vec<Claim>,
) -> Result<Figure, Failure> {
    let comparison = Comparison { cases, series };
    let gains = comparison.gains(ask)?;
    let about = cases.iter().map(|case| case.setting.bounds).fold(Vec::new(), |mut all, bounds| {
        if !all.contains(&bounds) {
            all.push(bounds);
        }
        all
    });
    Ok(Figure {
        about: about.into_iter().map(super::about).collect(),
        panels: comparison.panels(&gains, "gain over LATE"),
        tables: vec![comparison.table(&gains, "Mean gains with their 95 % confidence intervals")],
        claims: claims(&gains),
        rows: gains.rows,
    })
}

/// Fig. 8.
///
/// # Errors
/// Those of a simulation.
pub(super) fn oracle(ask: &Ask) -> Result<Figure, Failure> {
    let cases = [
        facebook("deadlines, Spark", Framework::Spark, Bounds::Deadlines),
        facebook("errors, Spark", Framework::Spark, Bounds::Errors),
    ];
    let series = [over_late(GRASS, Rule::Grass), over_late(ORACLE, Rule::Oracle)];
    drawn(ask, (&cases, &series), |gains| {
        let claim = |case: &Case, paper| {
            let of = |series| least_and_mean(&gains.of(&[*case], &[series], ALL)).1;
            let (grass, oracle) = (of(GRASS), of(ORACLE));
            // Compared are the accuracies, and the times, not what they gain.
            let short = match case.setting.bounds {
                Bounds::Deadlines => 1.0 - (1.0 + grass) / (1.0 + oracle),
                Bounds::Errors | Bounds::Exact => 1.0 - (1.0 - oracle) / (1.0 - grass),
            };
            Claim {
                paper,
                got: format!(
                    "GRASS {}, oracle {}: {} short of it.",
                    percent(grass),
                    percent(oracle),
                    percent(short)
                ),
                met: short <= 0.05,
            }
        };
        vec![
            claim(&cases[0], "With deadlines GRASS is as good as an oracle."),
            claim(&cases[1], "With errors, too."),
        ]
    })
}

/// Fig. 10.
///
/// # Errors
/// Those of a simulation.
pub(super) fn deadlines(ask: &Ask) -> Result<Figure, Failure> {
    parts(ask, Bounds::Deadlines)
}

/// Fig. 11.
///
/// # Errors
/// Those of a simulation.
pub(super) fn errors(ask: &Ask) -> Result<Figure, Failure> {
    parts(ask, Bounds::Errors)
}

fn parts(ask: &Ask, bounds: Bounds) -> Result<Figure, Failure> {
    let cases = [
        facebook("Hadoop", Framework::Hadoop, bounds),
        facebook("Spark", Framework::Spark, bounds),
    ];
    let series =
        [over_late(GS, Rule::Gs), over_late(RAS, Rule::Ras), over_late(GRASS, Rule::Grass)];
    drawn(ask, (&cases, &series), |gains| vec![above_both(gains, &cases), by_size(gains, &cases)])
}

/// What GRASS reaches more than the better of its parts: of accuracies, or of times.
fn more_than_parts(gains: &Gains, case: &Case, place: usize) -> Option<f64> {
    let of = |series| Some(gains.at(case.name, series, place)?.value);
    let (grass, best) = (of(GRASS)?, of(GS)?.max(of(RAS)?));
    Some(match case.setting.bounds {
        Bounds::Deadlines => (1.0 + grass) / (1.0 + best) - 1.0,
        Bounds::Errors | Bounds::Exact => 1.0 - (1.0 - grass) / (1.0 - best),
    })
}

fn above_both(gains: &Gains, cases: &[Case]) -> Claim {
    let of =
        |place: usize| cases.iter().filter_map(move |case| more_than_parts(gains, case, place));
    let (all, bins): (Vec<f64>, Vec<f64>) = (of(ALL).collect(), (0..ALL).flat_map(of).collect());
    let gained = cases.iter().map(|case| {
        let of = |series| gains.at(case.name, series, ALL).map_or(f64::NAN, |point| point.value);
        of(GRASS) / of(GS).max(of(RAS)) - 1.0
    });
    let gained: Vec<f64> = gained.collect();
    Claim {
        paper: "GRASS is 20 to 25 % better than the better of GS and RAS, and above both in each bin.",
        got: format!(
            "All jobs {}; by size {}. Of the gains over LATE: {}.",
            range(&all),
            range(&bins),
            range(&gained)
        ),
        met: least_and_mean(&all).0 >= 0.1 && least_and_mean(&bins).0 >= 0.0,
    }
}

fn by_size(gains: &Gains, cases: &[Case]) -> Claim {
    let ahead = |case: &Case, place: usize| {
        let of = |series| gains.at(case.name, series, place).map_or(f64::NAN, |point| point.value);
        of(GS) - of(RAS)
    };
    let said = cases.iter().map(|case| {
        let sizes =
            (0..ALL).map(|place| format!("{} {}", PLACES[place], percent(ahead(case, place))));
        format!("{}: {}", case.name, sizes.collect::<Vec<_>>().join(", "))
    });
    Claim {
        paper: "GS is better than RAS in small jobs, and loses as they grow.",
        got: format!("GS gains more than RAS by: {}.", said.collect::<Vec<_>>().join("; ")),
        met: cases.iter().all(|case| ahead(case, 0) >= 0.0 && ahead(case, 2) <= ahead(case, 0)),
    }
}

/// Fig. 12.
///
/// # Errors
/// Those of a simulation.
pub(super) fn two_waves(ask: &Ask) -> Result<Figure, Failure> {
    let cases = [
        facebook("deadlines, Hadoop", Framework::Hadoop, Bounds::Deadlines),
        facebook("errors, Hadoop", Framework::Hadoop, Bounds::Errors),
    ];
    let series = [over_late(GRASS, Rule::Grass), over_late(TWO_WAVES, Rule::TwoWaves)];
    drawn(ask, (&cases, &series), |gains| {
        let claim = |case: &Case, paper| {
            let of = |series| least_and_mean(&gains.of(&[*case], &[series], ALL)).1;
            let share = of(TWO_WAVES) / of(GRASS);
            Claim { paper, got: percent(share), met: share <= 0.8 }
        };
        vec![
            claim(&cases[0], "With deadlines two waves reach 66 % of what GRASS gains."),
            claim(&cases[1], "With errors they reach 73 % of it."),
        ]
    })
}

const ONE: &str = "bound";
const WITH_UTILIZATION: &str = "bound and utilization";
const WITH_ACCURACY: &str = "bound and accuracy";

/// Fig. 13.
///
/// # Errors
/// Those of a simulation.
pub(super) fn deadline_factors(ask: &Ask) -> Result<Figure, Failure> {
    factors(ask, Bounds::Deadlines, "All three factors are 18 to 30 % better than one or two.")
}

/// Fig. 14.
///
/// # Errors
/// Those of a simulation.
pub(super) fn error_factors(ask: &Ask) -> Result<Figure, Failure> {
    factors(ask, Bounds::Errors, "All three factors are 15 to 25 % better than one or two.")
}

fn factors(ask: &Ask, bounds: Bounds, paper: &'static str) -> Result<Figure, Failure> {
    let cases = [
        facebook("Hadoop", Framework::Hadoop, bounds),
        facebook("Spark", Framework::Spark, bounds),
    ];
    let series = [
        over_late(ONE, Rule::Factors(1)),
        over_late(WITH_UTILIZATION, Rule::Factors(3)),
        over_late(WITH_ACCURACY, Rule::Factors(5)),
        over_late(GRASS, Rule::Grass),
    ];
    drawn(ask, (&cases, &series), |gains| {
        let of = |case: &Case, name| gains.at(case.name, name, ALL).map_or(f64::NAN, |p| p.value);
        // Compared are the gains, as the paper's bars are.
        let more = |name| cases.iter().map(move |case| of(case, GRASS) / of(case, name) - 1.0);
        let (one, two): (Vec<f64>, Vec<f64>) =
            (more(ONE).collect(), more(WITH_UTILIZATION).chain(more(WITH_ACCURACY)).collect());
        vec![Claim {
            paper,
            got: format!("Over one factor {}; over two {}.", range(&one), range(&two)),
            met: least_and_mean(&one).0 >= 0.15 && least_and_mean(&two).0 > 0.0,
        }]
    })
}
