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

mod account;
mod apply;
mod asks;
mod budget;
mod claims;
mod config;
mod copies;
mod decision;
mod engine;
mod error;
mod event;
mod executors;
mod holds;
mod homes;
mod ids;
mod jobs;
mod ledger;
pub mod pareto;
mod policy;
mod pools;
mod rents;
mod sizes;
mod spread;
mod tenants;
mod unforeseen;
mod view;
mod waves;

pub use account::Account;
pub use config::{Config, Copies, HoldFor, NeedRule, Policy};
pub use decision::{Decision, EndCause, Reason, Verdict, VetoReason};
pub use engine::{Engine, Totals};
pub use error::EngineError;
pub use event::{Event, Outcome, StageKind};
pub use ids::{
    AttemptId, ExecutorId, HoldId, JobId, PoolId, ProfileId, RESOURCES, Resources, SetId, StageId,
    TenantId, Time, WorkflowId,
};
pub use ledger::Step;
pub use view::{ExecutorView, HoldView, PoolView, SetView, WorkflowView};
