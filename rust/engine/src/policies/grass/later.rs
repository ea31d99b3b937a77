//! What comes after a bounded stage (GR-7; NSDI'14, section 5.2): its deadline is sooner by the time that later stages of
//! similar jobs took.

use std::collections::VecDeque;

use crate::api::ids::{JobId, Time};
use crate::policies::grass::learner::size;

/// So many jobs of a size count, the latest.
const MOST: usize = 32;

/// How long jobs went on after their bounded stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Later {
    /// By the size of that stage, in nanoseconds, the oldest first.
    took: [VecDeque<u64>; 3],
    /// Jobs whose bounded stage has ended: its size, and when.
    begun: Vec<(JobId, usize, Time)>,
}

impl Later {
    /// The bounded stage of a job has ended, of so many tasks, and others follow it.
    pub fn stage_ended(&mut self, job: JobId, tasks: u32, now: Time) {
        self.begun.retain(|&(other, ..)| other != job);
        self.begun.push((job, size(tasks), now));
    }

    /// A job has ended: one that did well teaches how long its later stages took.
    pub fn job_ended(&mut self, job: JobId, succeeded: bool, now: Time) {
        let Some(place) = self.begun.iter().position(|&(other, ..)| other == job) else { return };
        let (_, size, since) = self.begun.swap_remove(place);
        if !succeeded {
            return;
        }
        let took = &mut self.took[size];
        if took.len() == MOST {
            took.pop_front();
        }
        took.push_back(now.since(since));
    }

    /// Returns how long stages after a bounded one of so many tasks will take: the lower median, 0 while none is known.
    pub fn expected(&self, tasks: u32) -> u64 {
        let mut sorted: Vec<u64> = self.took[size(tasks)].iter().copied().collect();
        sorted.sort_unstable();
        sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0)
    }
}
