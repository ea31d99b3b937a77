//! Settings of the papers that are reproduced, a folder each.

pub(crate) mod ssr;
