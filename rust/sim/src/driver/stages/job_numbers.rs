//! Spark's numbers of jobs, by which FIFO goes. The thread that submits a job draws its number, and the DAG scheduler hears
//! of the job a moment later: threads may overtake each other in between (`DAGScheduler.submitJob`).

use crate::driver::state::{Event, Host, MILLI};

impl Host<'_> {
    /// A job comes so many nanoseconds from now; its number is drawn before that, if the world says so.
    pub(crate) fn plan_job(&mut self, workflow: u32, place: u32, after: u64) {
        let spec = &self.world.workflows[workflow as usize].jobs[place as usize];
        if spec.numbered_ahead_ms > 0 {
            let ahead = spec.numbered_ahead_ms * MILLI;
            self.plan(after.saturating_sub(ahead), Event::Number(workflow, place));
        }
        self.plan(after, Event::Submit(workflow, place));
    }

    /// A number is drawn for a job.
    pub(crate) fn draw_number(&mut self, workflow: u32, place: u32) {
        let number = self.next_number();
        self.runs[workflow as usize].numbers.push((place, number));
    }

    /// The number of a job that is submitted.
    pub(crate) fn number_of(&mut self, workflow: u32, place: u32) -> u32 {
        let drawn = &mut self.runs[workflow as usize].numbers;
        match drawn.iter().position(|&(other, _)| other == place) {
            Some(at) => drawn.swap_remove(at).1,
            None => self.next_number(),
        }
    }

    fn next_number(&mut self) -> u32 {
        self.next_job += 1;
        self.next_job - 1
    }
}
