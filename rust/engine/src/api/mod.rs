//! What hosts see: events, decisions, configuration, ids and views.

pub mod account;
pub mod ask_class;
pub mod choice;
pub mod config;
pub mod decision;
pub mod error;
pub mod event;
pub mod ids;
pub mod timer;
pub mod totals;
pub mod views;
