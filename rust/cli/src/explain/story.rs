//! Follows each hold from its making to its end.

use holdfast_engine::{
    Account, Decision, EndCause, Engine, Event, ExecutorId, HoldId, Reason, Time, Totals,
    WorkflowId, WorkflowView,
};
use holdfast_log::{Along, Entry, Header, ReadError, Record};
use holdfast_words::count;
use rustc_hash::FxHashMap;

use super::books::Books;
use super::summary::Tally;
use crate::text::{at, duration};

/// Which holds are asked for; `None` lets everything pass.
pub(super) struct Filter {
    pub(super) workflows: Option<Vec<WorkflowId>>,
    pub(super) executors: Option<Vec<ExecutorId>>,
    pub(super) stage: Option<u32>,
    pub(super) hold: Option<u32>,
}

impl Filter {
    /// Returns all but the stage, which is known only when a hold has ended.
    fn fits(&self, hold: HoldId, workflow: WorkflowId, executor: ExecutorId) -> bool {
        self.hold.is_none_or(|h| h == hold.0)
            && self.workflows.as_ref().is_none_or(|ids| ids.contains(&workflow))
            && self.executors.as_ref().is_none_or(|ids| ids.contains(&executor))
    }
}

/// A hold, told.
pub(super) struct Story {
    pub(super) hold: HoldId,
    pub(super) workflow: WorkflowId,
    pub(super) executor: ExecutorId,
    pub(super) reason: Reason,
    pub(super) priority: i32,
    /// What a client chose that gave the priority.
    claim: Option<String>,
    pub(super) made_at: Time,
    deadline: Time,
    /// Later deadlines: since when, until when, and what moved it.
    moved: Vec<(Time, Time, String)>,
    made_when: String,
    /// The stage that left the slot, and the one that used the hold.
    pub(super) stages: [Option<u32>; 2],
    /// What the owner needed just after.
    need: Option<WorkflowView>,
    pub(super) end: Option<(Time, EndCause, String)>,
    pub(super) origin: Time,
}

/// A hold that lives.
struct Live {
    workflow: WorkflowId,
    made_at: Time,
    story: Option<Box<Story>>,
}

/// Goes through a log.
pub(super) struct Teller {
    filter: Option<Filter>,
    /// Decides along, for needs, deadlines and accounts; gone when it parts from the log.
    along: Option<Along>,
    live: FxHashMap<HoldId, Live>,
    origin: Option<Time>,
    reading: Reading,
}

/// What a log tells.
pub(super) struct Reading {
    pub(super) books: Books,
    pub(super) stories: Vec<Story>,
    pub(super) tally: Tally,
    /// What each workflow's holds have cost and given; empty once this build parts from the log.
    pub(super) accounts: Vec<(Option<WorkflowId>, Account)>,
    /// Counters at the end, likewise; none where the engine does not say which tasks are copied.
    pub(super) totals: Option<Totals>,
    /// How good estimates of tasks were, likewise: see [`Engine::accuracies`].
    pub(super) accuracies: Option<[u32; 2]>,
    /// The record from which on this build decides otherwise.
    pub(super) parted: Option<u64>,
    pub(super) span: u64,
    pub(super) events: u64,
}

impl Teller {
    pub(super) fn new(header: &Header, filter: Option<Filter>) -> Self {
        Self {
            along: Some(Along::new(header)),
            filter,
            live: FxHashMap::default(),
            origin: None,
            reading: Reading {
                books: Books::default(),
                stories: Vec::new(),
                tally: Tally::default(),
                accounts: Vec::new(),
                totals: None,
                accuracies: None,
                parted: None,
                span: 0,
                events: 0,
            },
        }
    }

    /// Takes a record in.
    ///
    /// # Errors
    /// The log is forged ([`Along::step`]); what it told before stays.
    pub(super) fn record(&mut self, record: &Record) -> Result<(), ReadError> {
        if let Entry::Event { event, decisions, error } = &record.entry {
            self.decide_along(record, event, decisions, *error)?;
            let origin = *self.origin.get_or_insert(record.now);
            self.reading.span = self.reading.span.max(record.now.since(origin));
            self.reading.events += 1;
            for decision in decisions {
                self.decision(record.now, event, decision);
            }
            self.moved_deadlines(record.now, event);
        }
        self.reading.books.see(record);
        Ok(())
    }

    fn decide_along(
        &mut self,
        record: &Record,
        event: &Event,
        decisions: &[Decision],
        error: Option<i32>,
    ) -> Result<(), ReadError> {
        let Some(along) = &mut self.along else {
            return Ok(());
        };
        let step = along.step(record, event)?;
        if step.decisions != decisions || step.error != error {
            self.reading.parted = Some(record.number);
            self.along = None;
        }
        Ok(())
    }

    fn engine(&self) -> Option<&Engine> {
        self.along.as_ref().map(Along::engine)
    }

    /// The gap after a job brings deadlines forward, the next job puts them off; no decision says so.
    fn moved_deadlines(&mut self, now: Time, event: &Event) {
        let Some(along) = self.along.as_ref().filter(|_| self.filter.is_some()) else {
            return;
        };
        for view in along.engine().holds() {
            let story = self.live.get_mut(&view.id).and_then(|live| live.story.as_mut());
            if let Some(story) = story.filter(|story| story.last_deadline() != view.deadline) {
                story.moved.push((now, view.deadline, self.reading.books.clause(event)));
            }
        }
    }

    fn decision(&mut self, now: Time, event: &Event, decision: &Decision) {
        match *decision {
            Decision::Held { hold, workflow, executor, reason, deadline } => {
                self.reading.tally.made(workflow, reason);
                let asked = self.filter.as_ref().is_some_and(|f| f.fits(hold, workflow, executor));
                let story = asked.then(|| {
                    let views = self.engine().map(Engine::workflows).unwrap_or_default();
                    Box::new(Story {
                        hold,
                        workflow,
                        executor,
                        reason,
                        priority: self.reading.books.priority(workflow),
                        claim: self.reading.books.claim(workflow).map(str::to_owned),
                        made_at: now,
                        deadline,
                        moved: Vec::new(),
                        made_when: self.reading.books.clause(event),
                        stages: [self.reading.books.stage_of(event), None],
                        need: views.into_iter().find(|view| view.id == workflow),
                        end: None,
                        origin: self.origin.unwrap_or(now),
                    })
                });
                self.live.insert(hold, Live { workflow, made_at: now, story });
            }
            Decision::HoldEnded { hold, cause } => {
                let Some(live) = self.live.remove(&hold) else {
                    return;
                };
                self.reading.tally.ended(live.workflow, cause, now.since(live.made_at));
                if let Some(mut story) = live.story {
                    if cause == EndCause::Used {
                        story.stages[1] = self.reading.books.stage_of(event);
                    }
                    story.end = Some((now, cause, self.reading.books.clause(event)));
                    self.tell(*story);
                }
            }
            Decision::Reoffer => self.reading.tally.reoffers += 1,
        }
    }

    fn tell(&mut self, story: Story) {
        let stage = self.filter.as_ref().and_then(|f| f.stage);
        if stage.is_none_or(|s| story.stages.contains(&Some(s))) {
            self.reading.stories.push(story);
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        let end = self.origin.unwrap_or_default().after(self.reading.span);
        for (_, live) in std::mem::take(&mut self.live) {
            self.reading.tally.left(live.workflow, end.since(live.made_at));
            if let Some(story) = live.story {
                self.tell(*story);
            }
        }
        self.reading.accounts = self.engine().map(Engine::accounts).unwrap_or_default();
        let picking = self.engine().filter(|engine| engine.config().picks());
        self.reading.totals = picking.map(|engine| *engine.totals());
        self.reading.accuracies = self.engine().and_then(Engine::accuracies);
        self.reading.stories.sort_unstable_by_key(|story| story.hold);
        self.reading
    }
}

impl Story {
    fn last_deadline(&self) -> Time {
        self.moved.last().map_or(self.deadline, |&(_, deadline, _)| deadline)
    }

    /// Returns a title, and lines to put below it.
    pub(super) fn text(&self, books: &Books) -> (String, Vec<String>) {
        let (owner, executor) = (books.workflow(self.workflow), books.executor(self.executor));
        let claim = self.claim.as_ref().map_or_else(String::new, |c| format!(", claimed: {c}"));
        let title = format!(
            "Hold {} on {executor} for {owner} (priority {}{claim})",
            self.hold.0, self.priority
        );
        let mut lines = vec![
            format!("made {} when {}", at(self.made_at, self.origin), self.made_when),
            format!("  because {}{}", self.because(), self.needs()),
            format!(
                "until {} at the latest, {} after it was made",
                at(self.deadline, self.origin),
                duration(self.deadline.since(self.made_at))
            ),
        ];
        for (since, until, clause) in &self.moved {
            let (since, until) = (at(*since, self.origin), at(*until, self.origin));
            lines.push(format!("from {since} on until {until} at the latest, since {clause}"));
        }
        lines.push(match &self.end {
            Some((time, cause, clause)) => format!(
                "ended {} after {}: {}",
                at(*time, self.origin),
                duration(time.since(self.made_at)),
                ended(*cause, clause)
            ),
            None => "had not ended when the log did".to_owned(),
        });
        (title, lines)
    }

    const fn because(&self) -> &'static str {
        match self.reason {
            Reason::Waiting => "it has tasks that still wait for a slot",
            Reason::Barrier => "what comes after the stage will want the slot",
            Reason::Gap => "its next job will want the slot",
            Reason::Grow => "it owned fewer slots than it needs while others wait for slots, too",
            Reason::Nearer => {
                "more of its input lies there than where the hold was that it gave up for this one"
            }
        }
    }

    fn needs(&self) -> String {
        let Some(view) = &self.need else {
            return String::new();
        };
        let slots = count(u64::from(view.need), "slot");
        format!(": it then needed {slots}, ran on {} and held {}", view.running, view.held)
    }
}

fn ended(cause: EndCause, clause: &str) -> String {
    match cause {
        EndCause::Used => format!("used, {clause}"),
        EndCause::Moved => format!("moved, its owner went elsewhere: {clause}"),
        EndCause::Overridden => {
            format!("overridden by a workflow that ranks before its owner: {clause}")
        }
        EndCause::Expired => "expired, its owner did not use it in time".to_owned(),
        EndCause::NotNeeded => format!("not needed any more since {clause}"),
        EndCause::WorkflowOver => format!("its workflow has nothing left to do: {clause}"),
        EndCause::ExecutorGone => format!("its executor is gone or barred: {clause}"),
    }
}
