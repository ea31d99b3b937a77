//! What only `spark` answers so far: the order, the choice and the executor are the host's own.

mod common;

use common::Host;
use holdfast_engine::{Config, EngineError, ExecutorId, SetId, WorkflowId};

#[test]
fn order_pick_and_fit_are_left_to_the_host() {
    let mut host = Host::new(Config::default(), &[4]);
    let (set, executor) = (SetId(1), ExecutorId(0));
    assert_eq!(host.engine.order(WorkflowId(1)), Err(EngineError::UnknownWorkflow));
    assert_eq!(host.engine.pick(set, executor), Err(EngineError::UnknownSet));
    assert_eq!(host.engine.fit(set, executor), Err(EngineError::UnknownSet));
    host.simple(1, 10, 4, 0);
    assert_eq!(host.engine.order(WorkflowId(1)), Ok(0));
    assert_eq!(host.engine.pick(set, executor), Ok(holdfast_engine::Choice::Host));
    assert_eq!(host.engine.fit(set, executor), Ok(None));
    assert_eq!(host.engine.fit(set, ExecutorId(9)), Err(EngineError::UnknownExecutor));
}
