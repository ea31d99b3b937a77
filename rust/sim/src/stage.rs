//! A stage of a job that was submitted: which partitions are done, and where they ran.

use crate::draw::Draw;
use crate::world::{StageSpec, World};

/// A stage of a job that was submitted.
#[derive(Debug)]
pub struct Stage {
    /// Spark's number.
    pub id: u32,
    /// Its job, in the table of jobs.
    pub job: u32,
    /// Its place in the job.
    pub place: u32,
    /// Its workflow and the job's place in that.
    pub of: (u32, u32),
    /// Which partitions are done.
    pub(crate) done: Vec<bool>,
    /// How many are not.
    pub missing: u32,
    /// Attempts so far.
    pub attempts: u32,
    /// Its latest task set goes on.
    pub active: bool,
    /// Where each partition ran last; empty where nobody wants to know.
    pub ran_on: Vec<u32>,
    /// Where attempts ran that were not first; empty as well.
    pub ran_in_vain_on: Vec<u32>,
}

impl Stage {
    /// As the world says.
    #[must_use]
    pub fn spec<'w>(&self, world: &'w World) -> &'w StageSpec {
        &world.workflows[self.of.0 as usize].jobs[self.of.1 as usize].stages[self.place as usize]
    }

    /// Draws about it.
    #[must_use]
    pub fn draw(&self, draw: Draw) -> Draw {
        draw.of(u64::from(self.of.0)).of(u64::from(self.of.1)).of(u64::from(self.place))
    }

    /// Whether all partitions are done.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Partitions that are not done, if some are; `None`: all are missing.
    #[must_use]
    pub fn some_missing(&self) -> Option<Box<[u32]>> {
        if self.missing as usize == self.done.len() {
            return None;
        }
        let missing = (0..).zip(&self.done).filter(|(_, done)| !**done);
        Some(missing.map(|(partition, _)| partition).collect())
    }

    /// A partition is done.
    pub(crate) fn complete(&mut self, partition: u32) {
        let done = &mut self.done[partition as usize];
        self.missing -= u32::from(!*done);
        *done = true;
    }

    /// A partition has to be made again.
    pub fn undo(&mut self, partition: u32) {
        if let Some(done) = self.done.get_mut(partition as usize) {
            self.missing += u32::from(*done);
            *done = false;
        }
    }

    /// All of it has to be made again.
    pub fn undo_all(&mut self) {
        self.done.fill(false);
        self.missing = crate::number(self.done.len());
    }

    /// An attempt that was not first has run on an executor.
    pub fn ran_in_vain(&mut self, executor: u32) {
        if !self.ran_on.is_empty() {
            self.ran_in_vain_on.push(executor);
        }
    }

    /// A partition was made on an executor.
    pub fn ran(&mut self, partition: u32, executor: u32) {
        if let Some(place) = self.ran_on.get_mut(partition as usize) {
            *place = executor;
        }
    }
}
