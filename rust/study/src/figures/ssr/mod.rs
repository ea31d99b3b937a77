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
