//! Figures of "GRASS: Trimming Stragglers in Approximation Analytics" (Ananthanarayanan et al., NSDI'14).

mod compare;
mod fig01;
mod fig03;
mod fig04;
mod fig05;
mod fig06;
mod fig09;
mod parts;
mod runs;

use holdfast_sim::grass::setup::{Bounds, CONCURRENT};

use super::Entry;

/// In the paper's order.
pub(super) const FIGURES: [Entry; 16] = [
    Entry { name: "fig01", title: |_| fig01::TITLES[0].to_owned(), figure: |_| fig01::deadline() },
    Entry { name: "fig02", title: |_| fig01::TITLES[1].to_owned(), figure: |_| fig01::error() },
    Entry {
        name: "fig03",
        title: |_| fig03::TITLE.to_owned(),
        figure: |ask| Ok(fig03::figure(ask)),
    },
    Entry { name: "fig04", title: |_| fig04::TITLE.to_owned(), figure: |_| Ok(fig04::figure()) },
    Entry { name: "fig05", title: |_| fig05::TITLES[0].to_owned(), figure: fig05::deadlines },
    Entry { name: "fig06", title: |_| fig06::TITLE.to_owned(), figure: fig06::figure },
    Entry { name: "fig07", title: |_| fig05::TITLES[1].to_owned(), figure: fig05::errors },
    Entry { name: "fig08", title: |_| parts::TITLES[0].to_owned(), figure: parts::oracle },
    Entry { name: "fig09", title: |_| fig09::TITLES[0].to_owned(), figure: fig09::lengths },
    Entry { name: "fig10", title: |_| parts::TITLES[1].to_owned(), figure: parts::deadlines },
    Entry { name: "fig11", title: |_| parts::TITLES[2].to_owned(), figure: parts::errors },
    Entry { name: "fig12", title: |_| parts::TITLES[3].to_owned(), figure: parts::two_waves },
    Entry {
        name: "fig13",
        title: |_| parts::TITLES[4].to_owned(),
        figure: parts::deadline_factors,
    },
    Entry { name: "fig14", title: |_| parts::TITLES[5].to_owned(), figure: parts::error_factors },
    Entry { name: "fig15", title: |_| fig09::TITLES[1].to_owned(), figure: fig09::explored },
    Entry { name: "swim", title: |_| fig05::TITLES[2].to_owned(), figure: fig05::swim },
];

/// Says what is simulated.
fn about(bounds: Bounds) -> String {
    let (jobs, gain) = match bounds {
        Bounds::Deadlines => (
            format!(
                "Jobs have deadlines 2 to 20 % above their ideal duration; {CONCURRENT} of them run at a time on average."
            ),
            "A gain is (a - b) / b of the mean shares of tasks that are done at the deadline.",
        ),
        Bounds::Errors => (
            "Jobs can do without 5 to 30 % of their tasks, and ask for 0.6 of all slot-time."
                .to_owned(),
            "A gain is (b - a) / b of the mean times.",
        ),
        Bounds::Exact => (
            "Jobs need all of their tasks, and ask for 0.6 of all slot-time.".to_owned(),
            "A gain is (b - a) / b of the mean times.",
        ),
    };
    format!(
        "{jobs} 100 slots are shared fairly. Small jobs have up to 50 tasks, large ones more than 500. {gain} The first fifth \
         of the jobs teaches the learner and does not count. Bars are means over seeds, whiskers 95 % confidence intervals."
    )
}
