//! One task, told: when it ran, and why it was copied or not (GR-1 to GR-3).

use std::io::Write;

use holdfast_engine::{
    AttemptId, Bound, Copying, Event, Outcome, RunView, SetId, Stragglers, Time,
};
use holdfast_log::{Along, Entry, Header, ReadError, Record};
use holdfast_words::count;

use super::books::Books;
use crate::args::Explain;
use crate::text::{HEAD, at, duration};
use crate::{Failure, Log, damaged, note_early_end, open};

pub(super) fn run(
    args: &Explain,
    (stage, task): (u32, u32),
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut reader: Log = open(&args.log)?;
    let mut teller = Teller::new(reader.header(), (stage, task));
    let mut damage = None;
    for record in reader.by_ref() {
        if let Err(error) = record.and_then(|record| teller.record(&record)) {
            damage = Some(damaged(&args.log, &error));
            break;
        }
    }
    teller.write(args.limit, out)?;
    if let Some(damage) = damage {
        return Err(damage);
    }
    note_early_end(&args.log, reader.ended(), reader.full());
    Ok(())
}

/// What was said last of a task that runs.
type Said = (Copying, bool);

/// Follows the task through a log.
struct Teller {
    stage: u32,
    task: u32,
    rule: Stragglers,
    /// Decides along; gone when it parts from the log.
    along: Option<Along>,
    books: Books,
    origin: Option<Time>,
    /// The latest set of the stage that has the task, and what it was said of it.
    set: Option<SetId>,
    said: Option<Said>,
    /// Attempts that run: the task's first one, and the copy.
    runs: Vec<(AttemptId, bool)>,
    lines: Vec<String>,
    bound: Option<String>,
    known: bool,
    parted: Option<u64>,
}

impl Teller {
    fn new(header: &Header, (stage, task): (u32, u32)) -> Self {
        Self {
            stage,
            task,
            rule: header.config.stragglers,
            along: Some(Along::new(header)),
            books: Books::default(),
            origin: None,
            set: None,
            said: None,
            runs: Vec::new(),
            lines: Vec::new(),
            bound: None,
            known: false,
            parted: None,
        }
    }

    fn record(&mut self, record: &Record) -> Result<(), ReadError> {
        if let Entry::Event { event, decisions, error } = &record.entry {
            self.origin.get_or_insert(record.now);
            if error.is_none() {
                self.before(record.now, event);
            }
            if let Some(along) = &mut self.along {
                let step = along.step(record, event)?;
                if step.decisions != *decisions || step.error != *error {
                    (self.parted, self.along) = (Some(record.number), None);
                }
            }
            self.look(record.now);
        }
        self.books.see(record);
        Ok(())
    }

    fn say(&mut self, now: Time, what: &str) {
        let origin = self.origin.unwrap_or(now);
        self.lines.push(format!("{}: {what}", at(now, origin)));
    }

    /// What an event means for the task; before it is taken in.
    fn before(&mut self, now: Time, event: &Event) {
        match *event {
            Event::StageBounded { stage, bound, value, .. } if stage.0 == self.stage => {
                let said = match bound {
                    Bound::Deadline => {
                        format!("a deadline in {}", duration(u64::from(value) * 1_000_000))
                    }
                    Bound::Error => {
                        format!(
                            "an error: {} % of the tasks may be missing",
                            f64::from(value) / 1e4
                        )
                    }
                };
                self.say(now, &format!("its stage has {said}"));
                self.bound = Some(said);
            }
            Event::SetSubmitted { set, job, stage, tasks, .. } if stage.0 == self.stage => {
                self.known = true;
                if self.task < tasks {
                    (self.set, self.said) = (Some(set), None);
                    let tasks = count(tasks.into(), "task");
                    let owner = self.books.owner(job);
                    self.say(now, &format!("its stage{owner} was submitted with {tasks}"));
                }
            }
            Event::Launched { attempt, set, task, executor, .. } if self.is_it(set, task) => {
                let copy = !self.runs.is_empty();
                let what = if copy { "a copy was launched on" } else { "launched on" };
                let why =
                    if copy { self.view(now).and_then(|view| self.why(&view, now)) } else { None };
                let why = why.map_or_else(String::new, |why| format!(", since {why}"));
                self.say(now, &format!("{what} {}{why}", self.books.executor(executor)));
                self.runs.push((attempt, copy));
                self.said = None;
            }
            Event::SlotFreed { attempt, outcome } => self.freed(now, attempt, outcome),
            Event::Unfinished { set, task } if self.is_it(set, task) => {
                self.say(now, "it has to run again");
            }
            Event::FinishedElsewhere { set, task } if self.is_it(set, task) => {
                self.say(now, "it was finished elsewhere");
            }
            _ => {}
        }
    }

    fn freed(&mut self, now: Time, attempt: AttemptId, outcome: Outcome) {
        let Some(place) = self.runs.iter().position(|&(id, _)| id == attempt) else { return };
        let (_, copy) = self.runs.remove(place);
        let how = match outcome {
            Outcome::Finished => "finished",
            Outcome::NotFinished => "stopped unfinished",
            Outcome::Failed => "failed",
        };
        let whose = if copy { "its copy " } else { "it " };
        let executor = self.books.attempt(attempt).map(|attempt| attempt.executor);
        let place =
            executor.map_or_else(String::new, |e| format!(" on {}", self.books.executor(e)));
        self.say(now, &format!("{whose}{how}{place}"));
    }

    fn is_it(&self, set: SetId, task: u32) -> bool {
        task == self.task && self.books.set(set).is_some_and(|set| set.stage.0 == self.stage)
    }

    /// What the engine knows of the task.
    fn view(&self, now: Time) -> Option<RunView> {
        let engine = self.along.as_ref()?.engine();
        engine.runs(self.set?, now).into_iter().find(|view| view.task == self.task)
    }

    /// Says what has changed for the task while it runs once.
    fn look(&mut self, now: Time) {
        if self.runs.len() != 1 {
            return;
        }
        let Some(view) = self.view(now) else { return };
        let said = (view.copying, view.greedy);
        let before = self.said.replace(said);
        if before == Some(said) {
            return;
        }
        if before.is_some_and(|(_, greedy)| greedy != view.greedy) && view.greedy {
            self.say(now, "its stage went over from RAS to GS");
        }
        if let Some(why) = self.why_not(&view, now) {
            self.say(now, &why);
        }
    }

    /// Says why a copy pays.
    fn why(&self, view: &RunView, now: Time) -> Option<String> {
        let (rest, new) = view.estimates?;
        let saving = i128::from(rest) - 2 * i128::from(new);
        let left = view.deadline.map_or_else(String::new, |at| {
            format!(", {} left to the deadline", duration(at.since(now)))
        });
        let rule = self.rule_of(view);
        let saving = signed(saving);
        Some(format!(
            "t_rem {}, t_new {}, saving {saving} ({rule}{left})",
            duration(rest),
            duration(new)
        ))
    }

    fn rule_of(&self, view: &RunView) -> &'static str {
        match self.rule {
            Stragglers::Late => "LATE",
            Stragglers::Mantri => "Mantri",
            _ if view.greedy => "GS",
            _ => "RAS",
        }
    }

    fn why_not(&self, view: &RunView, now: Time) -> Option<String> {
        let (rest, new) = view.estimates.unwrap_or_default();
        Some(match view.copying {
            Copying::Next => {
                format!("it gets a copy on the next slot elsewhere, since {}", self.why(view, now)?)
            }
            Copying::Later => {
                let why = self.why(view, now)?;
                format!("not copied: the stage uses slots for other tasks first; {why}")
            }
            Copying::Twice => "not copied: it ran twice before, or has failed".to_owned(),
            Copying::Unsafe => {
                "not copied: a second run of it is not safe (spark.holdfast.copies)".to_owned()
            }
            Copying::Enough => "not copied: enough tasks of its stage are done".to_owned(),
            Copying::Outranked => {
                "not copied: tasks of a more important workflow wait for slots".to_owned()
            }
            Copying::Unknown => {
                "not copied: no task of its stage has finished, so t_new is not known".to_owned()
            }
            Copying::NoGain if view.greedy => format!(
                "not copied: t_rem {}, t_new {}: a copy would not end before it (GS)",
                duration(rest),
                duration(new)
            ),
            Copying::NoGain => format!(
                "not copied: t_rem {}, t_new {}: a copy would save no slot-time, saving {} (RAS)",
                duration(rest),
                duration(new),
                signed(i128::from(rest) - 2 * i128::from(new))
            ),
            Copying::Late => format!(
                "not copied: a copy takes {} (t_new), and {} are left to the deadline",
                duration(new),
                duration(view.deadline?.since(now))
            ),
        })
    }

    fn write(&self, limit: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let (stage, task) = (self.stage, self.task);
        if !self.known {
            return Err(Failure::Usage(format!("the log has no stage {stage}")));
        }
        if self.set.is_none() {
            return Err(Failure::Usage(format!("stage {stage} has no task {task}")));
        }
        let rule = serde_json::to_value(self.rule).unwrap_or_default();
        let rule = rule.as_str().unwrap_or_default();
        let bound = self.bound.as_ref().map_or("no bound", |bound| bound);
        writeln!(out, "{HEAD}Task {task} of stage {stage}: {bound}, stragglers {rule}{HEAD:#}")?;
        let shown = if limit == 0 { self.lines.len() } else { limit.min(self.lines.len()) };
        for line in &self.lines[..shown] {
            writeln!(out, "  {line}")?;
        }
        if shown < self.lines.len() {
            writeln!(out, "  ... and {} more; --limit 0 shows all", self.lines.len() - shown)?;
        }
        match self.rule {
            Stragglers::Off => {
                writeln!(out, "  Nothing is copied with spark.holdfast.stragglers=off.")?;
            }
            Stragglers::Holds => writeln!(
                out,
                "  With spark.holdfast.stragglers=holds copies run on slots held for their workflow only."
            )?,
            _ => {}
        }
        if let Some(number) = self.parted {
            writeln!(
                out,
                "This build decides otherwise from record {number} on (see holdfast replay): no reasons are shown from there."
            )?;
        }
        Ok(())
    }
}

/// A duration that may be below nothing.
fn signed(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let size = u64::try_from(nanos.unsigned_abs()).unwrap_or(u64::MAX);
    format!("{sign}{}", duration(size))
}
