//! Rounds of offers (`TaskSchedulerImpl.resourceOffers` of Spark 4.1).

mod barrier_set;
mod exhaustive;
mod launch;
pub(crate) mod offers;
pub(crate) mod order;
mod rounds;
mod visit;
