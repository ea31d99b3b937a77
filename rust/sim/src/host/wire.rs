//! The engine, as the shim talks to it: events in their order, decisions, asks, one timer, and the log of it all.

use std::collections::BTreeMap;

use holdfast_engine::{
    AskClass, Choice, Config, Decision, Engine, EngineError, Event, ExecutorId, Resources, SetId,
    Time, Verdict,
};
use holdfast_log::{Header, LogWriter};

/// A millisecond in nanoseconds.
const MILLI: u64 = 1_000_000;

/// What has passed between driver and engine so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct WireCounts {
    /// Events that the engine was told.
    pub steps: u64,
    /// Decisions that it took.
    pub decisions: u64,
    /// Asks that it answered.
    pub asks: u64,
    /// Asks that it refused.
    pub vetoes: u64,
}

/// The engine and what of it is still to be served.
pub struct Wire {
    engine: Option<Engine>,
    log: Option<(LogWriter, Vec<u8>)>,
    out: Vec<Decision>,
    /// Free slots are to be offered again.
    pub reoffer: bool,
    stepped: bool,
    /// When the engine's timer rings, and from when on its deadline counts as come; as of the latest look.
    timer: Option<(Time, Time)>,
    /// The latest ask, which is often asked twice, after how many steps, and the answer.
    last: Option<((SetId, u32, Resources, u64), Verdict)>,
    /// The latest pick, which is asked for at each level of locality.
    picked: Option<((SetId, u32, u64), Choice)>,
    tick_lag_ns: u64,
    /// Priorities sort, and asks may be refused (`Settings.enforces` of the shim).
    pub enforces: bool,
    /// The engine may say which task is launched next.
    pub picks: bool,
    /// A hold may let its owner launch away from its input.
    pub may_widen: bool,
    /// What has passed.
    pub count: WireCounts,
    /// The first event that the engine refused: a mistake of the simulator.
    pub refused: Option<(Event, EngineError)>,
}

impl Wire {
    /// Makes an engine, or none; with a log of what it is told and decides, if that is wanted.
    ///
    /// # Errors
    /// The log cannot begin.
    pub fn new(config: Option<&Config>, logged: bool, tick_lag_ms: u64) -> Result<Self, String> {
        let log = match config.filter(|_| logged) {
            Some(config) => {
                let host = BTreeMap::from([("host".to_owned(), "simulator".to_owned())]);
                Some((LogWriter::new(&Header::new(config.clone(), host))?, Vec::new()))
            }
            None => None,
        };
        let engine = config.map(|config| Engine::new(config.clone()));
        Ok(Self {
            enforces: engine.as_ref().is_some_and(Engine::enforces),
            engine,
            log,
            out: Vec::new(),
            reoffer: false,
            stepped: false,
            timer: None,
            last: None,
            picked: None,
            tick_lag_ns: tick_lag_ms * MILLI,
            picks: config.is_some_and(Config::picks),
            may_widen: config.is_some_and(Config::may_widen),
            count: WireCounts::default(),
            refused: None,
        })
    }

    /// Returns the engine.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// Tells the engine something; what it decides is in [`Wire::decision`] until the next event.
    pub fn step(&mut self, now: Time, event: &Event) {
        let Some(engine) = &mut self.engine else { return };
        self.out.clear();
        let result = engine.step(now, event, &mut self.out);
        self.count.steps += 1;
        self.count.decisions += self.out.len() as u64;
        self.stepped = true;
        if let Some((log, bytes)) = &mut self.log {
            log.event(now, event, &self.out, result.err().map(EngineError::code));
            while let Some(block) = log.take() {
                bytes.extend_from_slice(&block);
                log.recycle(block);
            }
        }
        if let Err(error) = result {
            self.refused.get_or_insert((*event, error));
        }
    }

    /// Returns the number of decisions of the latest step.
    #[must_use]
    pub fn decided(&self) -> usize {
        self.out.len()
    }

    /// Returns one of them.
    #[must_use]
    pub fn decision(&self, number: usize) -> Decision {
        self.out[number]
    }

    /// Returns whether some set may be refused as a whole.
    #[must_use]
    pub fn may_skip(&self) -> bool {
        self.engine.as_ref().is_some_and(|e| e.restricts() && !e.has_room())
    }

    /// Asks whether a set may use a slot there. A set that the engine does not know may.
    pub fn verdict(&mut self, set: SetId, executor: u32, free: &Resources) -> Verdict {
        let Some(engine) = self.engine.as_ref().filter(|e| e.restricts()) else {
            return Verdict::Allow;
        };
        let ask = (set, executor, *free, self.count.steps);
        if let Some((_, verdict)) = self.last.filter(|&(last, _)| last == ask) {
            return verdict;
        }
        self.count.asks += 1;
        let verdict = engine.verdict(set, ExecutorId(executor), free).unwrap_or(Verdict::Allow);
        self.count.vetoes += u64::from(matches!(verdict, Verdict::Veto(_)));
        self.last = Some((ask, verdict));
        verdict
    }

    /// Returns how many tasks of a barrier set fit there, apart from what is kept from it.
    pub fn barrier_room(
        &mut self,
        set: SetId,
        demand: &Resources,
        executor: u32,
        free: &Resources,
    ) -> u32 {
        let all = demand.fit_into(free);
        let Some(engine) = self.engine.as_ref().filter(|e| e.restricts()) else { return all };
        self.count.asks += 1;
        engine.barrier_room(set, ExecutorId(executor), free).unwrap_or(all)
    }

    /// Returns what the answers to a set's asks depend on; none without an engine that knows the set.
    #[must_use]
    pub fn ask_class(&self, set: SetId) -> Option<AskClass> {
        self.engine.as_ref()?.ask_class(set).ok()
    }

    /// Returns whether some executor could allow this set something now.
    pub fn admits(&mut self, set: SetId) -> bool {
        let Some(engine) = self.engine.as_ref().filter(|e| e.restricts()) else { return true };
        self.count.asks += 1;
        let admitted = engine.admits(set).unwrap_or(true);
        self.count.vetoes += u64::from(!admitted);
        admitted
    }

    /// Returns whether some task of the set should get a copy somewhere.
    #[must_use]
    pub fn wants_copies(&self, set: SetId) -> bool {
        let engine = self.engine.as_ref().filter(|e| self.picks || e.restricts());
        engine.is_some_and(|e| e.wants_copies(set).unwrap_or(false))
    }

    /// Returns the task that should get a copy there now.
    #[must_use]
    pub fn copy(&self, set: SetId, executor: u32) -> Option<u32> {
        let engine = self.engine.as_ref().filter(|e| self.picks || e.restricts())?;
        engine.copy(set, ExecutorId(executor)).ok().flatten()
    }

    /// Returns what the set launches next there.
    pub fn pick(&mut self, set: SetId, executor: u32) -> Choice {
        let Some(engine) = self.engine.as_ref().filter(|_| self.picks) else {
            return Choice::Host;
        };
        let ask = (set, executor, self.count.steps);
        if let Some((_, choice)) = self.picked.filter(|&(last, _)| last == ask) {
            return choice;
        }
        let choice = engine.pick(set, ExecutorId(executor)).unwrap_or(Choice::Host);
        self.picked = Some((ask, choice));
        choice
    }

    /// Returns when the timer of the engine's deadlines rings: in whole milliseconds, rounded up, and late by its lag.
    pub fn due(&mut self) -> Option<Time> {
        self.look_at_timer().map(|(rings, _)| rings)
    }

    /// Returns whether a deadline has come, for a timer that is late by its lag.
    pub fn is_due(&mut self, now: Time) -> bool {
        self.look_at_timer().is_some_and(|(_, comes)| comes <= now)
    }

    /// Returns whether a deadline has come, by the clock.
    pub fn is_overdue(&mut self, now: Time) -> bool {
        let lag = self.tick_lag_ns;
        self.look_at_timer().is_some_and(|(_, comes)| comes <= now.after(lag))
    }

    /// Looks at the engine's next deadline: asked more than once for every event, and new only after a step.
    fn look_at_timer(&mut self) -> Option<(Time, Time)> {
        if std::mem::take(&mut self.stepped) {
            let due = self.engine.as_ref().and_then(Engine::next_deadline);
            self.timer = due.filter(|due| *due != Time::NEVER).map(|due| {
                let rings = Time(due.0.div_ceil(MILLI) * MILLI);
                (rings.after(self.tick_lag_ns), due.after(self.tick_lag_ns))
            });
        }
        self.timer
    }

    /// Closes the log. Returns all of it.
    pub fn finish_log(&mut self) -> Option<Vec<u8>> {
        let (mut log, mut bytes) = self.log.take()?;
        log.end();
        while let Some(block) = log.take() {
            bytes.extend_from_slice(&block);
        }
        Some(bytes)
    }
}
