//! Which tasks of a set run, oldest first, and how long the others took: what copies are decided by.

use super::tasks::{Start, Task};
use crate::api::ids::Time;
use crate::tables::median::Median;
use crate::tables::spares::Buffer;

#[derive(Clone, Debug, Default)]
pub(crate) struct RunningTasks {
    /// In order. An entry that says no longer what the task says is dead, and dropped in time.
    starts: Vec<Start>,
    pub durations: Median,
}

impl RunningTasks {
    pub fn launched(&mut self, start: Start, tasks: &[Task], living: u32) {
        self.tidy(tasks, living);
        // Almost always: time does not go back.
        if self.starts.last().is_none_or(|&last| last < start) {
            return self.starts.push(start);
        }
        let place = self.starts.partition_point(|&other| other < start);
        if self.starts.get(place) != Some(&start) {
            self.starts.insert(place, start);
        }
    }

    /// Drops the dead entries when they are many: each is dropped once.
    pub fn tidy(&mut self, tasks: &[Task], living: u32) {
        if self.starts.len() > 2 * living as usize + 16 {
            self.starts.retain(|start| tasks[start.1 as usize].may_be_copied(*start));
        }
    }

    /// Tasks that may get a copy and were launched by then, oldest first.
    pub fn until<'a>(
        &'a self,
        tasks: &'a [Task],
        latest: Time,
    ) -> impl DoubleEndedIterator<Item = Start> + 'a {
        let end = self.starts.partition_point(|start| start.0 <= latest);
        Self::living(&self.starts[..end], tasks)
    }

    /// The first that may get a copy and was launched later than that.
    pub fn first_after(&self, tasks: &[Task], latest: Time) -> Option<Start> {
        let end = self.starts.partition_point(|start| start.0 <= latest);
        Self::living(&self.starts[end..], tasks).next()
    }

    fn living<'a>(
        starts: &'a [Start],
        tasks: &'a [Task],
    ) -> impl DoubleEndedIterator<Item = Start> + 'a {
        let living = |start: &Start| tasks[start.1 as usize].may_be_copied(*start);
        starts.iter().copied().filter(living)
    }
}

impl Buffer for RunningTasks {
    fn clear(&mut self) {
        self.starts.clear();
        self.durations.clear();
    }

    fn capacity(&self) -> usize {
        self.starts.capacity().max(self.durations.capacity())
    }
}
