//! Settings of the papers that are reproduced, a folder each.

pub mod grass;
pub(crate) mod ssr;
