//! What a user sees of a long simulation, and how it is ended.

use std::io::Write;
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anstream::stderr;
use holdfast_sim::Progress;

use crate::Failure;
use crate::text::{count, seconds};

/// How often it is said how far a simulation is; a shorter one is not disturbed.
const EVERY: Duration = Duration::from_secs(2);
/// Of a process that Ctrl-C has ended, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

static ASKED_TO_END: AtomicBool = AtomicBool::new(false);

/// Says how far it is, and hears Ctrl-C.
pub(crate) struct Watch(Mutex<Instant>);

impl Watch {
    /// From now on the first Ctrl-C ends simulations between two events, and the second one the process.
    ///
    /// # Errors
    /// The system does not let a process hear it.
    pub(crate) fn begin() -> Result<Self, Failure> {
        let heard = || {
            if ASKED_TO_END.swap(true, Ordering::Relaxed) {
                process::exit(INTERRUPTED.into());
            }
        };
        ctrlc::set_handler(heard).map_err(|e| Failure::Input(format!("no Ctrl-C: {e}")))?;
        Ok(Self(Mutex::new(Instant::now() + EVERY)))
    }

    /// Becomes true when the user wants an end.
    pub(crate) fn interrupt(&self) -> &'static AtomicBool {
        &ASKED_TO_END
    }

    /// # Errors
    /// The user wants an end.
    pub(crate) fn go_on(&self) -> Result<(), Failure> {
        if ASKED_TO_END.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Says how far a simulation is, if it is time for that.
    pub(crate) fn note(&self, Progress { now_ns, events, open }: Progress) {
        let Ok(mut next) = self.0.lock() else { return };
        if Instant::now() < *next {
            return;
        }
        *next = Instant::now() + EVERY;
        let (now, events) = (seconds(now_ns.into()), count(events, "event"));
        let open = count(open.into(), "workflow");
        let _ = writeln!(stderr(), "note: at {now} s of simulated time, {events}, {open} to end");
    }
}
