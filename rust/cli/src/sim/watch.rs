//! What a user hears while it takes long, and how it is ended.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anstream::stderr;
use holdfast_sim::{Outcome, Progress};
use holdfast_study::sim::study;
use holdfast_words::count;

/// After this time the program shows how far it is.
const PATIENCE: Duration = Duration::from_secs(2);
/// It is shown anew at most so often.
const PAUSE: Duration = Duration::from_millis(250);
/// What shells expect of a program that Ctrl-C has ended.
pub(super) const INTERRUPTED: u8 = 130;
/// To the line's beginning, and nothing in it.
const ERASE: &str = "\r\x1b[2K";

static ENDED: AtomicBool = AtomicBool::new(false);

/// Returns the flag that becomes true when Ctrl-C ends the runs.
pub(super) fn flag() -> &'static AtomicBool {
    &ENDED
}

/// How far all runs are.
pub(super) struct Watch {
    begin: Instant,
    of: usize,
    runs: AtomicUsize,
    /// Workflows that have had a world for themselves.
    alone: AtomicUsize,
    events: AtomicU64,
    decisions: AtomicU64,
    /// Time that simulations took, in nanoseconds, by all threads together.
    busy: AtomicU64,
    /// Events that progress has been heard of.
    heard: AtomicU64,
    /// When it was shown last, if standard error is a terminal.
    shown: Option<Mutex<Option<Instant>>>,
}

impl Watch {
    /// Watches `of` runs. From here on Ctrl-C ends them, and a second one ends the program.
    pub(super) fn new(of: usize) -> Self {
        // Where there is no such thing as Ctrl-C the program ends as all do.
        let _ = ctrlc::set_handler(|| {
            if ENDED.swap(true, Ordering::Relaxed) {
                process::exit(INTERRUPTED.into());
            }
        });
        if of > 1 {
            let _ = writeln!(stderr(), "note: {of} runs; Ctrl-C keeps what is done");
        }
        Self {
            begin: Instant::now(),
            of,
            runs: AtomicUsize::new(0),
            alone: AtomicUsize::new(0),
            events: AtomicU64::new(0),
            decisions: AtomicU64::new(0),
            busy: AtomicU64::new(0),
            heard: AtomicU64::new(0),
            shown: io::stderr().is_terminal().then(|| Mutex::new(None)),
        }
    }

    fn show(&self, far: impl FnOnce() -> String) {
        let elapsed = self.begin.elapsed();
        let Some(shown) = self.shown.as_ref().filter(|_| elapsed > PATIENCE) else { return };
        // Another thread shows it.
        let Ok(mut shown) = shown.try_lock() else { return };
        if shown.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        *shown = Some(Instant::now());
        let _ = write!(stderr(), "{ERASE}{}, {} s", far(), elapsed.as_secs());
    }

    /// All is done, or ended: says how fast it was, where it does not disturb the output: it is another one each time.
    pub(super) fn end(self) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let was_shown = self.shown.and_then(|shown| shown.into_inner().ok().flatten()).is_some();
        let erase = if was_shown { ERASE } else { "" };
        let (done, seconds) = (self.runs.load(Ordering::Relaxed), self.begin.elapsed());
        let busy = (of(&self.busy) as f64 / 1e9).max(1e-9);
        let [events, decisions] =
            [&self.events, &self.decisions].map(|n| rate(of(n) as f64 / busy));
        let runs = count(done as u64, "run");
        let each = if self.of > 1 { " on each thread" } else { "" };
        let _ = writeln!(
            stderr(),
            "{erase}note: {runs} in {:.2} s, {events} events and {decisions} decisions a second{each}",
            seconds.as_secs_f64()
        );
    }
}

impl study::Watch for Watch {
    fn ended(&self) -> &AtomicBool {
        &ENDED
    }

    fn hear(&self, progress: Progress, seen: &AtomicU64) {
        let before = seen.swap(progress.events, Ordering::Relaxed);
        self.heard.fetch_add(progress.events.saturating_sub(before), Ordering::Relaxed);
        self.show(|| {
            let events = millions(self.heard.load(Ordering::Relaxed));
            let Progress { now_ns, open, .. } = progress;
            let far = if self.of == 1 {
                format!(
                    "{} s simulated, {} still to end",
                    now_ns / 1_000_000_000,
                    count(open as u64, "workflow")
                )
            } else {
                format!("{} of {} runs", self.runs.load(Ordering::Relaxed), self.of)
            };
            format!("{far}, {events:.0} million events")
        });
    }

    fn alone(&self) {
        let done = self.alone.fetch_add(1, Ordering::Relaxed) + 1;
        self.show(|| format!("{} alone", count(done as u64, "workflow")));
    }

    fn done(&self, outcome: &Outcome, elapsed: Duration) {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.events.fetch_add(outcome.events, Ordering::Relaxed);
        self.decisions.fetch_add(outcome.decisions, Ordering::Relaxed);
        let nanos = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        self.busy.fetch_add(nanos, Ordering::Relaxed);
    }
}

fn rate(a_second: f64) -> String {
    if a_second < 1e6 {
        format!("{:.1} thousand", a_second / 1e3)
    } else {
        format!("{:.2} million", a_second / 1e6)
    }
}

fn millions(number: u64) -> f64 {
    number as f64 / 1e6
}
