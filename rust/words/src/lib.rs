//! What every reader and every output of Holdfast's programs needs: [`shown`], [`html`] and [`json`] for names that
//! others have chosen, [`fault`] for what is wrong with JSON, [`count`] for numbers of things, [`fits`] for patterns.

mod count;
mod fault;
mod glob;
mod shown;

pub use count::{count, counted, grouped, verb};
pub use fault::{fault, placed, said};
pub use glob::fits;
pub use shown::{columns, html, json, shown, shown_path, steers};
