//! What is planned: the time, the queue of events, and the message that asks for a round.

use holdfast_engine::Time;

use crate::host::event::SimEvent;
use crate::host::queue::{Queue, Ticket};

/// A millisecond in nanoseconds.
pub const MILLI: u64 = 1_000_000;

/// The time, and what is planned for later.
#[derive(Default)]
pub struct Agenda {
    /// Simulated time.
    pub now: Time,
    /// What is planned.
    pub queue: Queue<SimEvent>,
    /// A round of all executors is asked for, and has not begun.
    pub revive_asked: bool,
    /// Since when nothing but timers is left, where a timer has found that.
    pub idle_since: Option<Time>,
}

impl Agenda {
    /// Plans an event `after` nanoseconds from now.
    pub fn plan(&mut self, after: u64, event: SimEvent) -> Ticket {
        self.queue.plan(self.now.after(after), event)
    }

    /// Asks the backend to offer everything. One message is enough at a time.
    pub fn revive_offers(&mut self) {
        if !self.revive_asked {
            self.revive_asked = true;
            self.plan(0, SimEvent::ReviveAsked);
        }
    }
}
