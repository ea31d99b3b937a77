//! Rounds of offers (`TaskSchedulerImpl.resourceOffers` of Spark 4.1).

mod admit;
mod ask;
mod barrier_set;
pub(super) mod copies;
mod exhaustive;
mod gather;
mod launch;
mod near;
mod offer;
pub(super) mod rounds;
mod turn;
mod visit;
