//! Fig. 4: which omega is best, by the number of waves (NSDI'14, appendix A).

use holdfast_sim::grass::theory::{BETA, Model, omega_gs, omega_ras, sigma};

use super::compare::percent;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::figure::{Claim, Figure, Row, line};
use crate::statistics::Point;

/// The title.
pub(super) const TITLE: &str = "Fig. 4: response time by the age from which tasks are copied";

const WAVES: [(&str, f64); 5] =
    [("1 wave", 1.0), ("2 waves", 2.0), ("3 waves", 3.0), ("5 waves", 5.0), ("10 waves", 10.0)];
const SETTING: &str = "beta = 1.259";
const SLOTS: f64 = 100.0;

fn model(waves: f64) -> Model {
    Model { waves, slots: SLOTS, beta: BETA }
}

/// Response times of the model.
pub(super) fn figure() -> Figure {
    // At 0 every task has a copy at once.
    let omegas: Vec<f64> = (0..=50).map(|i| f64::max(f64::from(i) / 10.0, 1e-6)).collect();
    let mut rows = Vec::new();
    for (name, waves) in WAVES {
        let curve = model(waves).curve(&omegas);
        rows.extend(omegas.iter().zip(curve).map(|(&omega, time)| Row {
            setting: SETTING.to_owned(),
            x: omega.into(),
            series: name.to_owned(),
            point: Point::exact(time),
        }));
    }
    let ticks = vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    let panel = Panel {
        title: format!(
            "vertical lines of the paper: GS {}, RAS {:.3}",
            omega_gs(BETA),
            omega_ras(BETA)
        ),
        x: Axis { label: "omega, in least task times", ticks, scale: Scale::Linear },
        y: Axis {
            label: "response time / best",
            ticks: vec![1.0, 1.1, 1.2, 1.3, 1.4],
            scale: Scale::Linear,
        },
        lines: WAVES.iter().zip(COLOURS).map(|(of, colour)| curve(&rows, of.0, colour)).collect(),
    };
    Figure {
        about: vec![format!(
            "The appendix's model on {SLOTS} slots, tasks with a tail of {SETTING}. A task that has run for omega gets one \
             copy while tasks fill all slots, and as many as Theorem 1 says afterwards. The paper's wave counts are lost in \
             the text that we have; these are ours."
        )],
        panels: vec![panel],
        tables: Vec::new(),
        claims: vec![ordering(), copies()],
        rows,
    }
}

const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"];

fn curve(rows: &[Row], name: &str, colour: &'static str) -> Line {
    let style = Style { colour, dash: "", width: 2.0, marker: None };
    Line { label: name.to_owned(), style, points: line(rows, SETTING, name) }
}

fn ordering() -> Claim {
    let pairs = WAVES.map(|(name, waves)| {
        let model = model(waves);
        (name, model.response(omega_gs(BETA)) / model.response(omega_ras(BETA)) - 1.0)
    });
    let said = pairs.map(|(name, more)| format!("{name} {}", percent(more)));
    Claim {
        paper: "GS is near the best below two waves, RAS from two waves on (appendix A).",
        got: format!("GS takes longer than RAS by: {}.", said.join("; ")),
        met: pairs[0].1 <= 0.0 && pairs[1..].iter().all(|(_, more)| *more >= 0.0),
    }
}

fn copies() -> Claim {
    let sigma = sigma(BETA);
    Claim {
        paper: "Early on, no more than two copies of a task pay, and only with beta below 2 (Theorem 1).",
        got: format!("sigma = {sigma:.3} attempts of each task."),
        met: (1.0..=2.0).contains(&sigma),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_says_what_the_paper_says() {
        let figure = figure();
        assert!(figure.claims.iter().all(|claim| claim.met));
        assert_eq!(figure.rows.len(), 51 * WAVES.len());
        assert!(figure.rows.iter().all(|row| row.point.value >= 1.0));
    }
}
