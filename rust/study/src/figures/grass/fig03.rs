//! Fig. 3: the tail of task times, by Hill's estimate (NSDI'14, section 4).

use holdfast_sim::grass::setup::{Setting, times_in_medians};
use holdfast_sim::grass::theory::BETA;

use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure, Row, line};
use crate::statistics::Point;

/// The title.
pub(super) const TITLE: &str = "Fig. 3: Hill's estimate of the tail of task times";

const SETTING: &str = "Facebook on Hadoop";
const SERIES: [(&str, bool, &str, &str); 2] =
    [("without a longest time", false, "#0072b2", ""), ("as simulated", true, "#d55e00", "6 4")];

/// The shares of all attempts, the longest, from which the shape is estimated: up to so many per cent.
const MOST: u8 = 40;

/// Hill's estimate of a Pareto tail's shape from the `k` longest of times in descending order; infinite if all are equal.
fn hill(descending: &[f64], k: usize) -> f64 {
    let above: f64 = descending[..k].iter().map(|time| libm::log(time / descending[k])).sum();
    k as f64 / above
}

/// The estimate by how much of the tail counts.
pub(super) fn figure(ask: &Ask) -> Figure {
    let setting = Setting { seed: ask.seed(), ..Setting::default() };
    let mut rows = Vec::new();
    for (name, capped, ..) in SERIES {
        let mut times = times_in_medians(&setting, capped);
        times.sort_unstable_by(|a, b| b.total_cmp(a));
        let estimates = (1..=MOST).map(|percent| {
            let k = times.len() * usize::from(percent) / 100;
            (f64::from(percent) / 100.0, hill(&times, k))
        });
        rows.extend(estimates.filter(|(_, shape)| shape.is_finite()).map(|(share, shape)| Row {
            setting: SETTING.to_owned(),
            x: share.into(),
            series: name.to_owned(),
            point: Point::exact(shape),
        }));
    }
    let lines = SERIES.iter().map(|&(name, _, colour, dash)| Line {
        label: name.to_owned(),
        style: Style { colour, dash, width: 2.0, marker: None },
        points: line(&rows, SETTING, name),
    });
    let panel = Panel {
        title: format!("the paper's shape: {BETA}"),
        x: Axis {
            label: "share of all attempts, the longest",
            ticks: vec![0.0, 0.1, 0.2, 0.3, 0.4],
            scale: Scale::Percent,
        },
        y: Axis { label: "beta", ticks: vec![0.0, 1.0, 2.0, 3.0, 4.0], scale: Scale::Linear },
        lines: lines.collect(),
    };
    Figure {
        about: vec![
            "Times of the simulated first attempts, in medians of their jobs. The trace of the paper cannot be had, so this \
             shows what we draw from. A job's slowest task is to take 8 times its median, as in the paper. So attempts \
             take at most 10 medians, and the tail as simulated looks lighter than it was drawn."
                .to_owned(),
        ],
        panels: vec![panel],
        tables: Vec::new(),
        claims: claims(&rows),
        rows,
    }
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let within = |series: &str, from: f64, to: f64| -> Vec<f64> {
        let points = line(rows, SETTING, series).into_iter();
        points.filter(|&(x, _)| (from..=to).contains(&x)).map(|(_, point)| point.value).collect()
    };
    let say = |shapes: &[f64]| {
        let least = shapes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = shapes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least, most, format!("{least:.2} to {most:.2}"))
    };
    let (.., tail) = say(&within(SERIES[0].0, 0.02, 0.24));
    let (least, most, capped) = say(&within(SERIES[1].0, 0.1, 0.24));
    let (.., body) = say(&within(SERIES[0].0, 0.3, 0.4));
    vec![
        Claim {
            paper: "The estimate is flat at 1.259 over the tail.",
            got: format!(
                "{capped} as simulated, since no attempt takes more than 10 medians. {tail} without that."
            ),
            met: least > 0.9 * BETA && most < 1.1 * BETA,
        },
        Claim {
            paper: "The tail is Pareto's, the body is not.",
            got: format!("Where more than the stragglers count: {body}."),
            met: within(SERIES[0].0, 0.3, 0.4).iter().all(|shape| (shape / BETA - 1.0).abs() > 0.1),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hills_estimate_of_exact_quantiles_is_their_shape() {
        let quantile = |i: u32| libm::pow(f64::from(2 * i + 1) / 20_000.0, -1.0 / 1.5);
        let times: Vec<f64> = (0..10_000).map(quantile).collect();
        assert!((hill(&times, 2_000) - 1.5).abs() < 0.02);
        assert!(hill(&[2.0, 2.0, 2.0], 2).is_infinite());
    }
}
