//! What every reader and every output of Holdfast's programs needs: [`shown`], [`html`] and [`json`] for names that others
//! have chosen, [`fault`] for what is wrong with JSON, [`count`] for numbers of things.

mod count;
mod fault;
mod shown;

pub use count::{count, counted, verb};
pub use fault::{fault, placed, said};
pub use shown::{html, json, shown, shown_path, steers};
