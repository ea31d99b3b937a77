//! Formulas that know nothing of scheduling.

pub mod pareto;
