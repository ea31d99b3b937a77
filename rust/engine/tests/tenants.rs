//! Tenants: their workflows together hold no more than they may.

mod common;

use common::{Host, SECOND};
use holdfast_engine::{Config, Decision, EndCause, EngineError, Event, TenantId, Time, WorkflowId};

fn bound(host: &mut Host, workflow: u32, tenant: u32, holds: u32) {
    let (workflow, tenant) = (WorkflowId(workflow), TenantId(tenant));
    let ended = |d: &Decision| matches!(d, Decision::HoldEnded { .. });
    let said = host.say(Event::Bounded { workflow, tenant, holds });
    assert!(!said.iter().any(ended), "what is held is not taken away: {said:?}");
}

/// Two workflows of four tasks each on eight slots, of which four follow; what each holds when all have ended.
fn held(bounds: &[(u32, u32, u32)]) -> [usize; 2] {
    let mut host = Host::new(Config::default(), &[8]);
    for w in [1, 2] {
        host.workflow(w, 1);
        host.job(w, w, false, &[(w, 4, 4), (w + 10, 4, 0)]);
    }
    bounds.iter().for_each(|&(workflow, tenant, holds)| bound(&mut host, workflow, tenant, holds));
    for w in [1, 2] {
        host.set(w, w, 4);
        (0..4).for_each(|task| drop(host.launch(10 * w + task, w, task, 0)));
    }
    for w in [1, 2] {
        (0..4).for_each(|task| drop(host.free(10 * w + task)));
    }
    count(&host)
}

fn count(host: &Host) -> [usize; 2] {
    let of = |id| host.engine.holds().iter().filter(|hold| hold.workflow == WorkflowId(id)).count();
    [of(1), of(2)]
}

#[test]
fn the_workflows_of_a_tenant_share_its_bound_and_others_do_not() {
    assert_eq!(held(&[]), [4, 4]);
    assert_eq!(held(&[(1, 7, 5), (2, 7, 5)]), [4, 1]);
    assert_eq!(held(&[(1, 7, 3)]), [3, 4]);
    assert_eq!(held(&[(1, 7, 3), (2, 8, 2)]), [3, 2]);
    assert_eq!(held(&[(1, 7, 0), (2, 0, 0)]), [0, 4], "nobody has no bound");
    assert_eq!(held(&[(1, 7, 3), (1, 0, 0)]), [4, 4], "nor who is nobody's any more");
    assert_eq!(held(&[(1, 7, 1), (2, 7, 6)]), [4, 2], "what was said last counts");
}

#[test]
fn what_is_held_counts_wherever_its_workflow_goes_and_until_it_ends() {
    let mut host = Host::new(Config::default(), &[8]);
    host.simple(1, 1, 4, 4);
    host.simple(2, 0, 100, 0);
    (0..4).for_each(|task| drop(host.launch(task, 1, task, 0)));
    bound(&mut host, 1, 7, 2);
    host.free(0);
    host.free(1);
    assert_eq!(count(&host)[0], 2);
    bound(&mut host, 1, 8, 1);
    host.free(2);
    assert_eq!(count(&host)[0], 2, "two are more than one");
    host.free(3);
    bound(&mut host, 1, 7, 3);
    assert_eq!(count(&host)[0], 3, "a slot that was free is claimed at once");
    let ended = host.at(61 * SECOND);
    let expired = |d: &&Decision| matches!(d, Decision::HoldEnded { cause: EndCause::Expired, .. });
    assert_eq!(ended.iter().filter(expired).count(), 3);
}

#[test]
fn an_unknown_workflow_is_refused() {
    let mut host = Host::new(Config::default(), &[1]);
    let event = Event::Bounded { workflow: WorkflowId(9), tenant: TenantId(1), holds: 1 };
    let refused = host.engine.step(Time(0), &event, &mut Vec::new());
    assert_eq!(refused, Err(EngineError::UnknownWorkflow));
}
