//! Structures that know nothing of scheduling.

pub(crate) mod arena;
pub(crate) mod heap;
pub(crate) mod median;
pub(crate) mod pages;
pub(crate) mod ranks;
pub(crate) mod rooms;
pub(crate) mod spares;
