//! Jobs with pauses between them.

use holdfast_engine::{Config, Decision, Event, JobId};

use super::{Host, SECOND};

pub const MILLI: u64 = SECOND / 1_000;

pub fn job_ended(host: &mut Host, job: u32) -> Vec<Decision> {
    host.say(Event::JobEnded { job: JobId(job), succeeded: true })
}

/// A workflow that runs one task per job on the only slot, from `host.now`.
pub fn run_job(host: &mut Host, job: u32) {
    host.job(job, 1, true, &[(job, 1, 0)]);
    host.set(job, job, 1);
    host.launch(job, job, 0, 0);
    host.free(job);
    host.end(job);
    job_ended(host, job);
}

pub fn one_slot(config: Config) -> Host {
    let mut host = Host::new(config, &[1]);
    host.workflow(1, 1);
    host
}

/// A cluster on which a slot that is given away is back at once: others' latest task took no time.
pub fn beside_short_tasks(config: Config) -> Host {
    let mut host = Host::new(config, &[1]);
    a_task_of_others(&mut host, 0);
    host.workflow(1, 1);
    host
}

/// A job of somebody without priority, of one task that takes so long; its ids are 1,000 and more.
pub fn a_task_of_others(host: &mut Host, nanos: u64) {
    let id = 1_000 + u32::try_from(host.now / MILLI).expect("a short history");
    host.simple(id, 0, 1, 0);
    host.launch(id, id, 0, 0);
    host.now += nanos;
    host.free(id);
    host.end(id);
    job_ended(host, id);
}

pub fn deadline(host: &Host) -> Option<u64> {
    host.engine.next_deadline().map(|time| time.0)
}
