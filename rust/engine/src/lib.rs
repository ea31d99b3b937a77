//! The decision engine of Holdfast: events in, decisions out.
//!
//! ```text
//!   host (Spark driver, simulator, replay)      engine (this crate)
//!   ----------------------------------------    ------------------------------------
//!   a fact becomes true          -- Event ->    ledger: what is true
//!                                               policy: what a workflow needs
//!   reoffer, log, metrics        <- Decision -  holds made and ended
//!   "may this set use a slot?"   -- verdict ->  allow, or veto with a reason
//!   one timer                    <- next_deadline
//! ```
//!
//! Architecture invariant: this crate knows no clock, thread, file, environment or Spark.
//! Architecture invariant: [`Engine::step`] is the only way to change an [`Engine`]; asks are queries.
//! The rules in full are in this crate's README.

mod api;
mod apply;
mod asks;
mod engine;
mod expiry;
mod holds;
mod ledger;
mod math;
mod needs;
mod policies;
mod roles;
mod state;
mod step;
mod tables;
mod timers;
mod views;
mod wake;
mod watch;
mod wiring;

pub use api::account::Account;
pub use api::ask_class::AskClass;
pub use api::choice::Choice;
pub use api::config::{Config, Copies, GrassSwitch, HoldFor, NeedRule, Policy, Stragglers};
pub use api::decision::{Decision, EndCause, Reason, Verdict, VetoReason};
pub use api::error::EngineError;
pub use api::event::{Bound, Event, Outcome, StageKind};
pub use api::ids::{
    AttemptId, ExecutorId, HoldId, JobId, PoolId, ProfileId, RESOURCES, Resources, SetId, StageId,
    TenantId, Time, WorkflowId,
};
pub use api::timer::{Due, Timer};
pub use api::totals::Totals;
pub use api::views::{ExecutorView, HoldView, PoolView, SetView, WorkflowView};
pub use engine::Engine;
pub use ledger::Transition;
pub use math::pareto;
pub use policies::grass::learner::Sample;
pub use policies::grass::view::{Copying, RunView};
