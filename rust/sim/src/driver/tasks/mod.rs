//! Task sets and their tasks (`TaskSetManager` of Spark 4.1).

pub(crate) mod attempt;
pub(crate) mod delay;
pub(crate) mod pending;
pub(crate) mod preferred;
pub(crate) mod set;
pub(crate) mod speculation;
