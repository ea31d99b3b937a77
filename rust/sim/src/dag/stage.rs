//! A stage of a job that was submitted: which partitions are done, and where they ran.

use smallvec::SmallVec;

use crate::ids::NONE;
use crate::world::draw::Draw;
use crate::world::{StageSpec, World};

/// Partitions in a word.
const BITS: u32 = u64::BITS;

/// A stage of a job that was submitted. What every end of a task touches comes first, in one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Stage {
    /// Its job, in the table of jobs.
    pub job: u32,
    /// How many partitions are not done.
    pub missing: u32,
    /// Attempts so far.
    pub attempts: u32,
    /// Its latest task set goes on.
    pub active: bool,
    /// Which partitions are done: one bit for each.
    done: SmallVec<[u64; 2]>,
    /// Where each partition ran last; empty where no other stage reads it.
    pub ran_on: Vec<u32>,
    /// Spark's number.
    pub id: u32,
    /// Its place in the job.
    pub place: u32,
    /// Its workflow and the job's place in that.
    pub of: (u32, u32),
    /// Partitions.
    tasks: u32,
    /// Where attempts ran that were not first; empty as well.
    pub ran_in_vain_on: Vec<u32>,
    /// How many partitions were done when its job's bound was reached, if others were missing then.
    pub kept: Option<u32>,
}

const _: () = assert!(std::mem::offset_of!(Stage, id) == 64);

impl Stage {
    /// Makes a stage of which nothing is done; `asked` if another stage will ask where its partitions ran.
    #[must_use]
    pub fn new(id: u32, (job, place): (u32, u32), of: (u32, u32), tasks: u32, asked: bool) -> Self {
        Self {
            job,
            missing: tasks,
            attempts: 0,
            active: false,
            done: SmallVec::from_elem(0, tasks.div_ceil(BITS) as usize),
            ran_on: if asked { vec![NONE; tasks as usize] } else { Vec::new() },
            id,
            place,
            of,
            tasks,
            ran_in_vain_on: Vec::new(),
            kept: None,
        }
    }

    /// Returns the stage as the world says.
    #[must_use]
    pub fn spec<'w>(&self, world: &'w World) -> &'w StageSpec {
        &world.workflows[self.of.0 as usize].jobs[self.of.1 as usize].stages[self.place as usize]
    }

    /// Returns draws about it.
    #[must_use]
    pub fn draw(&self, draw: Draw) -> Draw {
        draw.of(u64::from(self.of.0)).of(u64::from(self.of.1)).of(u64::from(self.place))
    }

    /// Returns whether all partitions are done.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Returns whether a partition is done; none is of a stage that was forgotten.
    #[must_use]
    pub fn is_done(&self, partition: u32) -> bool {
        let word = self.done.get((partition / BITS) as usize);
        word.is_some_and(|word| word & (1 << (partition % BITS)) != 0)
    }

    /// Returns the partitions that are not done, if some are; `None`: all are missing.
    #[must_use]
    pub fn some_missing(&self) -> Option<Box<[u32]>> {
        if self.missing == self.tasks {
            return None;
        }
        Some((0..self.tasks).filter(|&partition| !self.is_done(partition)).collect())
    }

    /// Marks a partition as done.
    pub(crate) fn complete(&mut self, partition: u32) {
        self.missing -= u32::from(!self.is_done(partition));
        self.done[(partition / BITS) as usize] |= 1 << (partition % BITS);
    }

    /// Marks a partition as not done: it has to be made again.
    pub fn undo(&mut self, partition: u32) {
        if self.is_done(partition) {
            self.missing += 1;
            self.done[(partition / BITS) as usize] &= !(1 << (partition % BITS));
        }
    }

    /// Gives up what is missing: nothing is from now on.
    pub fn give_up(&mut self) {
        self.kept = Some(self.done());
        self.done.fill(u64::MAX);
        self.missing = 0;
    }

    /// Returns how many partitions are done, but for those that were given up.
    #[must_use]
    pub fn done(&self) -> u32 {
        self.kept.unwrap_or(self.tasks - self.missing)
    }

    /// Returns how many partitions there are.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.tasks
    }

    /// Marks all partitions as not done.
    pub fn undo_all(&mut self) {
        self.done.fill(0);
        self.missing = self.tasks;
    }

    /// Forgets which partitions are done, since its job is over.
    pub fn forget(&mut self) {
        self.done = SmallVec::new();
    }

    /// Notes where an attempt has run that was not first.
    pub fn ran_in_vain(&mut self, executor: u32) {
        if !self.ran_on.is_empty() {
            self.ran_in_vain_on.push(executor);
        }
    }

    /// Notes where a partition was made.
    pub fn ran(&mut self, partition: u32, executor: u32) {
        if let Some(place) = self.ran_on.get_mut(partition as usize) {
            *place = executor;
        }
    }
}
