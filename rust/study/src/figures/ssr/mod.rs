//! Figures of "Speculative Slot Reservation" (Chen, Wang, Li; ICDCS'17).

mod fig08;
mod fig10;
mod fig15;
mod fig16;
mod fig17;
mod runs;

use super::Entry;

/// In the paper's order.
pub(super) const FIGURES: [Entry; 5] = [
    Entry {
        name: "fig08",
        title: |_| fig08::TITLE.to_owned(),
        figure: |ask| Ok(fig08::figure(ask)),
    },
    Entry {
        name: "fig10",
        title: |_| fig10::TITLE.to_owned(),
        figure: |ask| Ok(fig10::figure(ask)),
    },
    Entry { name: "fig15", title: fig15::title, figure: fig15::figure },
    Entry { name: "fig16", title: |_| fig16::TITLE.to_owned(), figure: fig16::figure },
    Entry { name: "fig17", title: |_| fig17::TITLE.to_owned(), figure: fig17::figure },
];

/// Computes a figure from `seeds` seeds in a cluster of five nodes: on one thread, which it returns, and on three. Both
/// have to be equal, byte for byte.
#[cfg(test)]
fn on_any_threads(name: &str, seeds: u32) -> super::figure::Figure {
    use std::num::NonZeroU32;

    use crate::drawing::plot;
    use crate::figures::csv;

    let entry = FIGURES.iter().find(|entry| entry.name == name).unwrap();
    let [one, many] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let ask = super::ask::Ask::new(entry.name, 3, NonZeroU32::new(seeds), 5);
        pool.install(|| (entry.figure)(&ask)).ok().unwrap()
    });
    let title = (entry.title)(5);
    assert!(csv::text(&one.rows) == csv::text(&many.rows));
    assert!(plot::svg(&title, &one.panels) == plot::svg(&title, &many.panels));
    assert_eq!(one.tables.len(), many.tables.len());
    for (one, many) in one.tables.iter().zip(&many.tables) {
        assert_eq!(one.rows, many.rows);
    }
    one
}
