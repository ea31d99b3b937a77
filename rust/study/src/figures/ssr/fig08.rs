//! Fig. 8: what isolation costs in utilization (SSR-9; ICDCS'17, Eq. 4).

use holdfast_engine::pareto;

use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure, Row, line};
use crate::statistics::Point;

/// The title.
pub(super) const TITLE: &str = "Fig. 8: utilization against isolation";

const TASKS: [u32; 2] = [20, 200];
/// Lightest tail first: the curves' order from above.
const ALPHAS: [f64; 5] = [3.0, 2.0, 1.6, 1.3, 1.1];
/// Isolation near 0 and 1, where the curves are steepest; in between they go by hundredths.
const NEAR_ZERO: [f64; 9] = [0.0, 1e-6, 1e-5, 1e-4, 0.001, 0.002, 0.005, 0.01, 0.02];
const NEAR_ONE: [f64; 5] = [0.995, 0.998, 0.999, 0.9999, 1.0];
/// What the statements below are illustrated at.
const EXAMPLE: f64 = 0.4;

/// Eq. 4 by isolation, for several shapes and both widths of the paper. Nothing is drawn.
pub(super) fn figure(_: &Ask) -> Figure {
    let rows = rows();
    Figure {
        about: vec![
            "A user asks for isolation P: the probability that all N tasks of a phase end before the deadline to which \
             its slots are held. Task durations are Pareto distributed with shape alpha (the smaller, the heavier the \
             tail). Plotted is the lower bound of the share of time for which these slots are busy, if all are held to \
             the deadline (Eq. 4), by the functions that the engine decides with."
                .to_owned(),
            "How to read it: the further a curve stays up to the right, the more isolation can be had for little idle \
             time. With alpha = 1.6, as in production traces, it falls at once: a deadline alone is no remedy for \
             stragglers. The paper does not say for which alpha its curves are; these are ours."
                .to_owned(),
        ],
        panels: TASKS.iter().zip(["(a)", "(b)"]).map(|(&n, letter)| panel(&rows, n, letter)).collect(),
        tables: Vec::new(),
        claims: vec![falls(), ends(), sharper()],
        rows,
    }
}

fn grid() -> Vec<f64> {
    let hundredths = (3..100).map(|i| f64::from(i) / 100.0);
    NEAR_ZERO.into_iter().chain(hundredths).chain(NEAR_ONE).collect()
}

fn setting(tasks: u32) -> String {
    format!("N={tasks}")
}

fn series(alpha: f64) -> String {
    format!("alpha={alpha}")
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (tasks, alpha) in curves() {
        rows.extend(grid().into_iter().map(|x| Row {
            setting: setting(tasks),
            x: x.into(),
            series: series(alpha),
            point: Point::exact(pareto::utilization(x, tasks, alpha)),
        }));
    }
    rows
}

fn curves() -> impl Iterator<Item = (u32, f64)> {
    TASKS.into_iter().flat_map(|tasks| ALPHAS.into_iter().map(move |alpha| (tasks, alpha)))
}

fn panel(rows: &[Row], tasks: u32, letter: &str) -> Panel {
    let styles = [
        ("#e69f00", "2 3"),
        ("#009e73", "9 3 2 3"),
        ("#0072b2", ""),
        ("#cc79a7", "5 3"),
        ("#111111", "1 2"),
    ];
    let axis =
        |label| Axis { label, ticks: vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0], scale: Scale::Linear };
    let lines = ALPHAS.into_iter().zip(styles).map(|(alpha, (colour, dash))| Line {
        label: format!("alpha = {alpha}"),
        style: Style { colour, dash, width: if dash.is_empty() { 2.6 } else { 1.8 }, marker: None },
        points: line(rows, &setting(tasks), &series(alpha)),
    });
    Panel {
        title: format!("{letter} N = {tasks} tasks"),
        x: axis("isolation P"),
        y: axis("utilization, at least"),
        lines: lines.collect(),
    }
}

fn falls() -> Claim {
    let grid = grid();
    let falling = |&(tasks, alpha): &(u32, f64)| {
        let bounds = grid.iter().map(|&p| pareto::utilization(p, tasks, alpha));
        bounds.is_sorted_by(|a, b| a > b)
    };
    let (all, met) = (curves().count(), curves().filter(falling).count());
    Claim {
        paper: "The bound falls as P rises (section IV-B).",
        got: format!("It falls at each of {} steps of P on {met} of {all} curves.", grid.len() - 1),
        met: met == all,
    }
}

fn ends() -> Claim {
    let spread = |p: f64| {
        let bounds = curves().map(|(tasks, alpha)| pareto::utilization(p, tasks, alpha));
        bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), u| (lo.min(u), hi.max(u)))
    };
    let (none, strict) = (spread(0.0), spread(1.0));
    Claim {
        paper: "Without isolation (P = 0) nothing is lost; strict isolation (P = 1) may cost nearly everything (section IV-B).",
        got: format!(
            "The bound is {:.3} to {:.3} at P = 0 and {:.3} to {:.3} at P = 1, over all curves.",
            none.0, none.1, strict.0, strict.1
        ),
        met: none == (1.0, 1.0) && strict == (0.0, 0.0),
    }
}

fn sharper() -> Claim {
    let ordered = |tasks: u32, p: f64| {
        ALPHAS.map(|alpha| pareto::utilization(p, tasks, alpha)).is_sorted_by(|a, b| a > b)
    };
    // At both ends all curves meet.
    let inner: Vec<f64> = grid().into_iter().filter(|p| (0.0 < *p) && (*p < 1.0)).collect();
    let met = TASKS.into_iter().all(|tasks| inner.iter().all(|&p| ordered(tasks, p)));
    let example = TASKS.map(|tasks| {
        let at = |alpha| pareto::utilization(EXAMPLE, tasks, alpha);
        format!(
            "N = {tasks}: {:.3} at alpha = 3, {:.3} at 1.6, {:.3} at 1.1",
            at(3.0),
            at(1.6),
            at(1.1)
        )
    });
    let verdict =
        if met { "is lower at every P between 0 and 1" } else { "is not lower at every P" };
    Claim {
        paper: "The heavier the tail (the smaller alpha), the sharper the trade-off (section IV-B).",
        got: format!(
            "With a smaller alpha the bound {verdict}. At P = {EXAMPLE}: {}.",
            example.join("; ")
        ),
        met,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        super::figure(&Ask::new("fig08", 1, None, 1))
    }

    /// By hand: 1 - 0.4^(1/20) = 0.044781, to the power of 1/1.6 0.143482, and 1.6/0.6 x 0.143482 - 0.044781/0.6 =
    /// 0.3080.
    #[test]
    fn ssr_9_golden_values_of_eq_4() {
        let figure = figure();
        for (tasks, p, golden) in [(20, 0.4, 0.3081), (20, 0.9, 0.0915), (200, 0.4, 0.0843)] {
            let points = line(&figure.rows, &setting(tasks), "alpha=1.6");
            let at: Vec<f64> =
                points.iter().filter(|(x, _)| *x == p).map(|(_, u)| u.value).collect();
            assert!(matches!(at[..], [u] if (u - golden).abs() < 5e-5), "N {tasks}, P {p}: {at:?}");
        }
    }

    #[test]
    fn each_curve_goes_from_no_isolation_to_all() {
        let figure = figure();
        assert_eq!(figure.rows.len(), 2 * 5 * (9 + 97 + 5));
        for panel in &figure.panels {
            assert_eq!(panel.lines.len(), 5);
            for Line { points, .. } in &panel.lines {
                let ends = [points.first(), points.last()].map(|end| end.unwrap());
                assert_eq!(ends, [&(0.0, Point::exact(1.0)), &(1.0, Point::exact(0.0))]);
                assert!(points.is_sorted_by(|a, b| a.0 < b.0));
            }
        }
    }

    #[test]
    fn the_papers_statements_are_met() {
        for Claim { paper, got, met } in figure().claims {
            assert!(met, "{paper}: {got}");
        }
    }
}
