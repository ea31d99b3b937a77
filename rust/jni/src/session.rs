//! One engine with its log.

use std::collections::BTreeMap;

use holdfast_engine::{
    Choice, Config, Decision, Engine, Event, ExecutorId, Resources, Sample, SetId, Time, Transition,
};
use holdfast_log::{ARGUMENTS, Header, LogWriter, MOST, NameKind, event_from_wire, event_to_wire};

use crate::fault::Fault;
use crate::handles::Table;
use crate::numbers::{self, AMOUNTS, TOTALS};

/// "No deadline" in a step's result, before it is shifted.
const NO_DEADLINE: i64 = i64::MAX >> 2;

/// The log may wait for its writer up to here, in bytes; then it is given up rather than the driver's memory.
const MAX_PENDING: usize = 16 << 20;

/// One engine with its log.
pub(crate) struct Session {
    engine: Engine,
    decisions: Vec<Decision>,
    /// A refused event's expiries asked for offers; the next result says so.
    owed_reoffer: bool,
    events: u64,
    /// What the host has not fetched yet; none when no log is wanted, or it was given up.
    log: Option<LogWriter>,
    panic_in: i32,
}

impl Session {
    /// Opens an engine by its JSON configuration, with a log in memory where one is wanted.
    pub(crate) fn open(config: &[u8], header: &[u8], logs: bool) -> Result<Self, Fault> {
        let config: Config = serde_json::from_slice(config).map_err(|e| {
            Fault::BadArgument(format!("the engine's configuration is refused: {e}"))
        })?;
        let host: BTreeMap<String, String> = serde_json::from_slice(header).map_err(|e| {
            Fault::BadArgument(format!("the log's header must map strings to strings: {e}"))
        })?;
        let log = logs.then(|| LogWriter::new(&Header::new(config.clone(), host)));
        let log = log.and_then(|log| log.map_err(|why| give_up(&why)).ok());
        Ok(Self {
            engine: Engine::new(config),
            decisions: Vec::new(),
            owed_reoffer: false,
            events: 0,
            log,
            panic_in: 0,
        })
    }

    /// Tells the engine one event: `deadline << 2 | restricts << 1 | reoffer`.
    pub(crate) fn step(&mut self, now: i64, event: &Event) -> Result<i64, Fault> {
        if self.panic_in > 0 {
            self.panic_in -= 1;
            assert!(self.panic_in > 0, "asked for by testPanic");
        }
        let now = Time(now.max(0).unsigned_abs());
        self.decisions.clear();
        let result = self.engine.step(now, event, &mut self.decisions);
        self.events += 1;
        if let Some(log) = &mut self.log {
            log.event(now, event, &self.decisions, result.err().map(|e| e.code()));
            self.watch_log();
        }
        self.owed_reoffer |= self.decisions.contains(&Decision::Reoffer);
        result?;
        let deadline = self.engine.next_deadline().map_or(NO_DEADLINE, |time| {
            i64::try_from(time.0).unwrap_or(NO_DEADLINE).min(NO_DEADLINE)
        });
        let reoffer = i64::from(std::mem::take(&mut self.owed_reoffer));
        Ok(deadline << 2 | i64::from(self.engine.restricts()) << 1 | reoffer)
    }

    pub(crate) fn verdict(&self, set: u32, executor: u32, free: &Resources) -> Result<i32, Fault> {
        Ok(numbers::verdict(self.engine.verdict(SetId(set), ExecutorId(executor), free)?))
    }

    pub(crate) fn barrier_room(
        &self,
        set: u32,
        executor: u32,
        free: &Resources,
    ) -> Result<i32, Fault> {
        let room = self.engine.barrier_room(SetId(set), ExecutorId(executor), free)?;
        Ok(i32::try_from(room).unwrap_or(i32::MAX))
    }

    pub(crate) fn admits(&self, set: u32) -> Result<i32, Fault> {
        Ok(self.engine.admits(SetId(set))?.into())
    }

    /// One more than the number of the task to be copied there, or 0.
    pub(crate) fn copy(&self, set: u32, executor: u32) -> Result<i32, Fault> {
        let task = self.engine.copy(SetId(set), ExecutorId(executor))?;
        Ok(task.map_or(0, |task| i32::try_from(task + 1).unwrap_or(0)))
    }

    pub(crate) fn wants_copies(&self, set: u32) -> Result<i32, Fault> {
        Ok(self.engine.wants_copies(SetId(set))?.into())
    }

    /// Whether [`Session::pick`] may answer anything but the host's own choice: 1 or 0.
    pub(crate) fn picks(&self) -> i32 {
        self.engine.config().picks().into()
    }

    /// What a set launches next on an executor, see [`choice`].
    pub(crate) fn pick(&self, set: u32, executor: u32) -> Result<i64, Fault> {
        Ok(choice(self.engine.pick(SetId(set), ExecutorId(executor))?))
    }

    pub(crate) fn name(&mut self, kind: i32, id: u32, name: &str) -> Result<i32, Fault> {
        let kind = u8::try_from(kind).ok().and_then(NameKind::from_code);
        let kind = kind.ok_or_else(|| Fault::BadArgument("unknown kind of name".to_owned()))?;
        if let Some(log) = &mut self.log {
            log.name(kind, id, name);
            self.watch_log();
        }
        Ok(0)
    }

    pub(crate) fn totals(&self) -> [i64; TOTALS] {
        numbers::totals(self.engine.totals(), self.engine.left() as u64, self.events)
    }

    /// An array of objects: the fields of an account, and `workflow`, its id or null.
    pub(crate) fn accounts(&self) -> Result<String, Fault> {
        let rows = self.engine.accounts().into_iter().map(|(workflow, account)| {
            let mut row = serde_json::to_value(account)?;
            row["workflow"] = serde_json::to_value(workflow)?;
            Ok(row)
        });
        let rows = rows.collect::<Result<Vec<_>, serde_json::Error>>();
        let rows = rows.map_err(|e| Fault::BadArgument(format!("accounts are no JSON: {e}")))?;
        Ok(serde_json::Value::from(rows).to_string())
    }

    /// An array of objects: `workflow`, and its `steps` as arrays of what `Event::Recalled` says after the workflow.
    pub(crate) fn patterns(&self) -> String {
        let rows = self.engine.patterns().into_iter().map(|(workflow, steps)| {
            let steps =
                steps.iter().map(|Transition { after: [first, second], then, tasks, nanos }| {
                    serde_json::json!([first, second, then, tasks, nanos / 1_000_000])
                });
            serde_json::json!({"workflow": workflow, "steps": steps.collect::<Vec<_>>()})
        });
        serde_json::Value::from_iter(rows).to_string()
    }

    /// An array of arrays: the numbers of `Event::Sampled`, of each kind of sample the oldest first.
    pub(crate) fn samples(&self) -> String {
        let rows = self.engine.samples().into_iter().map(|sample| {
            let Sample { greedy, bound, tasks, value, utilization, accuracy, score } = sample;
            let told = Event::Sampled { greedy, bound, tasks, value, utilization, accuracy, score };
            event_to_wire(&told).1
        });
        serde_json::json!(rows.collect::<Vec<_>>()).to_string()
    }

    pub(crate) const fn panic_in(&mut self, calls: i32) -> i32 {
        self.panic_in = calls;
        0
    }

    /// Writes the log's last record, since there is no room for more.
    pub(crate) fn end_log(&mut self) -> i32 {
        self.log.iter_mut().for_each(LogWriter::fill);
        0
    }

    /// Stops recording: the engine decides without a log from now on.
    pub(crate) fn drop_log(&mut self) -> i32 {
        self.log = None;
        0
    }

    fn watch_log(&mut self) {
        if self.log.as_ref().is_some_and(|log| log.pending() > MAX_PENDING) {
            give_up(&format!("{} MiB wait for its disk", MAX_PENDING >> 20));
            self.drop_log();
        }
    }
}

/// A choice as one number: 0 is the host's, 1 nothing, `task << 2 | 2` a copy, `most << 3 | largest << 2 | 3` a pending task.
const fn choice(choice: Choice) -> i64 {
    match choice {
        Choice::Host => 0,
        Choice::Nothing => 1,
        Choice::Copy(task) => (task as i64) << 2 | 2,
        Choice::Pending { largest, most } => (most as i64) << 3 | (largest as i64) << 2 | 3,
    }
}

/// Says it once; what has been fetched stays a readable log.
fn give_up(why: &str) {
    log::warn!("the decision log is given up: {why}");
}

/// The event of a kind and its numbers as the JVM gives them; what is beyond those of the kind is ignored.
pub(crate) fn event(kind: i32, numbers: &[i32]) -> Result<Event, Fault> {
    let refuse = |why| Fault::BadArgument(format!("event kind {kind} with {numbers:?}: {why}"));
    let index = u8::try_from(kind).ok().filter(|&k| usize::from(k) < ARGUMENTS.len());
    let index = index.ok_or_else(|| refuse("no such kind"))?;
    if numbers.len() < ARGUMENTS[usize::from(index)] {
        return Err(refuse("it has more numbers"));
    }
    let amounts = AMOUNTS[usize::from(index)];
    let mut told = [0; MOST];
    for (i, (to, &number)) in told.iter_mut().zip(numbers).enumerate() {
        if amounts >> i & 1 == 1 && number < 0 {
            return Err(refuse("an amount is negative"));
        }
        *to = number.cast_unsigned();
    }
    event_from_wire(index, &told).ok_or_else(|| refuse("a truth value is not 0 or 1"))
}

/// Resources as the JVM gives them.
pub(crate) fn resources(amounts: [i32; 4]) -> Result<Resources, Fault> {
    if amounts.iter().any(|&a| a < 0) {
        return Err(Fault::BadArgument(format!("a free amount is negative: {amounts:?}")));
    }
    Ok(Resources(amounts.map(i32::unsigned_abs)))
}

/// Hands the log's next block to `fetch`, outside the session's lock; `None` when all has been fetched.
pub(crate) fn drain<R>(
    table: &Table<Session>,
    handle: i64,
    fetch: impl FnOnce(&[u8]) -> Result<R, Fault>,
) -> Result<Option<R>, Fault> {
    let block = table.with(handle, |session| {
        let Some(log) = &mut session.log else { return Ok(None) };
        Ok(log.take().or_else(|| {
            log.seal();
            log.take()
        }))
    })?;
    let Some(block) = block else { return Ok(None) };
    let fetched = fetch(&block);
    let given_back = table.with(handle, |session| {
        match &mut session.log {
            Some(log) if fetched.is_ok() => log.recycle(block),
            // What follows a lost block cannot be read.
            _ => _ = session.drop_log(),
        }
        Ok(())
    });
    // A session that has been closed meanwhile has given its log's rest, which follows this block.
    drop(given_back);
    fetched.map(Some)
}

/// Ends a session and returns what its log still has. The log gets its end record unless the engine broke.
pub(crate) fn close(table: &Table<Session>, handle: i64) -> Result<Option<Vec<u8>>, Fault> {
    let (session, broken) = table.remove(handle)?;
    Ok(session.log.map(|mut log| {
        if !broken {
            log.end();
        }
        log.rest()
    }))
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
