//! Fig. 1 and 2: the worked examples, played on the engine (NSDI'14, section 3.1).

use holdfast_engine::Stragglers;
use holdfast_sim::grass::examples::{Outcomes, fig_1, fig_2};

use crate::Failure;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::figure::{Claim, Figure, Row, line};
use crate::statistics::Point;

/// The titles.
pub(super) const TITLES: [&str; 2] = [
    "Fig. 1: nine tasks on two slots with a deadline",
    "Fig. 2: six tasks on three slots with an error bound",
];

const RULES: [(&str, Stragglers, &str, &str); 2] =
    [("GS", Stragglers::Gs, "#d55e00", "6 4"), ("RAS", Stragglers::Ras, "#0072b2", "")];

/// A play of both rules: the setting's name, and GS before RAS.
type Pair = (&'static str, [Outcomes; 2]);

fn both(
    name: &'static str,
    play: impl Fn(Stragglers) -> Result<Outcomes, holdfast_engine::EngineError>,
) -> Result<Pair, Failure> {
    let of = |rule| play(rule).map_err(|e| Failure::Input(e.to_string()));
    Ok((name, [of(RULES[0].1)?, of(RULES[1].1)?]))
}

/// Tasks that are done by the deadline.
///
/// # Errors
/// Those of the engine.
pub(super) fn deadline() -> Result<Figure, Failure> {
    let late = both("deadline 6", |rule| fig_1(rule, 6))?;
    let tight = both("deadline 3", |rule| fig_1(rule, 3))?;
    let done = |pair: &Pair| pair.1.each_ref().map(|outcomes| outcomes.done.len());
    let (late_done, tight_done) = (done(&late), done(&tight));
    let claims = vec![
        Claim {
            paper: "Until 6 GS does seven of nine tasks, and RAS eight: it copies T1.",
            got: format!("GS {}, RAS {}.", late_done[0], late_done[1]),
            met: late_done == [7, 8] && late.1[1].copies.first() == Some(&0),
        },
        Claim {
            paper: "Until 3 GS does three tasks, and RAS fewer.",
            got: format!("GS {}, RAS {}.", tight_done[0], tight_done[1]),
            met: tight_done == [3, 2],
        },
    ];
    let about = "T2 ends at 1. By then T1 has 5 left, and a copy of it takes 2. T3 to T8 take 1 each, and T9 takes 3.";
    Ok(figure(about, &[("(a) until 6", late), ("(b) until 3", tight)], claims, 6))
}

/// How long it takes until enough tasks are done.
///
/// # Errors
/// Those of the engine.
pub(super) fn error() -> Result<Figure, Failure> {
    let three = both("3 of 6", |rule| fig_2(rule, 3))?;
    let four = both("4 of 6", |rule| fig_2(rule, 4))?;
    let last =
        |pair: &Pair| pair.1.each_ref().map(|outcomes| outcomes.done.last().copied().unwrap_or(0));
    let (few, many) = (last(&three), last(&four));
    let claims = vec![
        Claim {
            paper: "With three tasks wanted GS copies T3, which takes longest, and is sooner.",
            got: format!("GS at {}, RAS at {}.", few[0], few[1]),
            met: few[0] < few[1] && three.1[0].copies.first() == Some(&2),
        },
        Claim {
            paper: "With four tasks wanted RAS is sooner.",
            got: format!("GS at {}, RAS at {}.", many[0], many[1]),
            met: many[1] < many[0],
        },
    ];
    let about = "T2 ends at 5. By then T1 has 2 left, and T3 has 6. A copy of T3 takes 4, all others take 5. The paper gives \
                 the order of the two rules; the times are ours.";
    Ok(figure(about, &[("(a) three of six", three), ("(b) four of six", four)], claims, 12))
}

fn figure(about: &str, plays: &[(&str, Pair)], claims: Vec<Claim>, last: u32) -> Figure {
    let rows: Vec<Row> = plays.iter().flat_map(|(_, pair)| rows(pair)).collect();
    let panels =
        plays.iter().map(|(title, (setting, _))| panel((title, setting), &rows, last)).collect();
    let about = vec![format!(
        "{about} The engine decides at each end of a task, and each step up is a task that is done."
    )];
    Figure { about, panels, tables: Vec::new(), claims, rows }
}

/// How many tasks are done when: before and after each end.
fn rows((setting, outcomes): &Pair) -> Vec<Row> {
    let mut rows = Vec::new();
    for ((name, ..), outcomes) in RULES.iter().zip(outcomes) {
        let mut say = |at: u64, done: usize| {
            rows.push(Row {
                setting: (*setting).to_owned(),
                x: (at as f64).into(),
                series: (*name).to_owned(),
                point: Point::exact(done as f64),
            });
        };
        say(0, 0);
        for (before, &at) in outcomes.done.iter().enumerate() {
            say(at, before);
            say(at, before + 1);
        }
    }
    rows
}

fn panel((title, setting): (&str, &str), rows: &[Row], last: u32) -> Panel {
    let lines = RULES.iter().map(|&(name, _, colour, dash)| Line {
        label: name.to_owned(),
        style: Style { colour, dash, width: 2.0, marker: None },
        points: line(rows, setting, name),
    });
    Panel {
        title: title.to_owned(),
        x: Axis {
            label: "time",
            ticks: (0..=last / 2).map(|i| f64::from(2 * i)).collect(),
            scale: Scale::Linear,
        },
        y: Axis {
            label: "tasks done",
            ticks: (0..=4).map(|i| f64::from(2 * i)).collect(),
            scale: Scale::Linear,
        },
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_does_what_the_paper_says() {
        for figure in [deadline().unwrap(), error().unwrap()] {
            assert!(figure.claims.iter().all(|claim| claim.met));
        }
    }
}
