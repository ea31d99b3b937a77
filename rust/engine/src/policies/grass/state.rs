//! What rules for stragglers remember from event to event.

use crate::api::config::{Config, Copies, GrassSwitch, Stragglers};
use crate::api::event::{Event, StageKind};
use crate::api::ids::{AttemptId, JobId, SetId, StageId, Time};
use crate::api::totals::Totals;
use crate::ledger::{Ledger, Set};
use crate::policies::grass::attempts::Runner;
use crate::policies::grass::course::{Bounds, Course};
use crate::policies::grass::estimates::{Accuracy, Pace};
use crate::policies::grass::later::Later;
use crate::policies::grass::learner::{Learner, Sample};
use crate::policies::grass::race::{Mode, Race};
use crate::tables::arena::{Arena, key};
use crate::tables::heap::Heap;
use crate::tables::pages::IdMap;

key!(
    /// Of a race.
    RaceKey
);

/// What the policy keeps of a set besides its tasks.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub set: SetId,
    /// Of that set: its id may come again.
    pub serial: u32,
    pub job: JobId,
    pub race: Race,
    pub course: Option<Course>,
    /// The copies that were offered last: the best, and the best elsewhere than where the task of that runs.
    pub offered: [Option<u32>; 2],
    /// When last looked at it wanted copies, or would have if no more important workflow had waited.
    pub wants: bool,
    /// A more important workflow waited then.
    pub outranked: bool,
    /// When a task without a report may first deserve a copy.
    pub of_age: Option<Time>,
    /// When it is looked at again.
    pub due: Option<Time>,
}

/// How good estimates were, in all sets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Accuracies {
    pub rest: Accuracy,
    pub new: Accuracy,
}

impl Accuracies {
    /// Both, in millionths, once each has been seen.
    pub fn seen(self) -> Option<[u32; 2]> {
        (self.rest.is_seen() && self.new.is_seen()).then(|| [self.rest.ppm(), self.new.ppm()])
    }

    /// The mean of both, in millionths.
    pub fn ppm(self) -> u32 {
        (self.rest.ppm() + self.new.ppm()) / 2
    }
}

/// All sets, while `stragglers` is neither `holds` nor `off`.
#[derive(Clone, Debug)]
pub(crate) struct Races {
    pub rule: Stragglers,
    pub waves: bool,
    copies: Copies,
    pub entries: Arena<RaceKey, Entry>,
    pub by_set: IdMap<SetId, RaceKey>,
    pub runners: IdMap<AttemptId, Runner>,
    /// Attempts that run next to another one of their task.
    pub seconds: u32,
    bounds: Vec<(JobId, StageId, Bounds)>,
    pub due: Heap<(Time, SetId), RaceKey>,
    pub learner: Learner,
    later: Later,
    pub accuracies: Accuracies,
    /// Those that want copies.
    pub wanting: Vec<RaceKey>,
    /// Room to work in.
    pub ages: Vec<u64>,
}

impl Races {
    pub fn new(config: &Config) -> Self {
        Self {
            rule: config.stragglers,
            waves: config.grass_switch == GrassSwitch::Waves,
            copies: config.copies,
            entries: Arena::default(),
            by_set: IdMap::default(),
            runners: IdMap::default(),
            seconds: 0,
            bounds: Vec::new(),
            due: Heap::default(),
            learner: Learner::new(config),
            later: Later::default(),
            accuracies: Accuracies::default(),
            wanting: Vec::new(),
            ages: Vec::new(),
        }
    }

    pub fn entry(&self, set: SetId) -> Option<&Entry> {
        Some(&self.entries[*self.by_set.get(&set)?])
    }

    /// The race that an attempt takes part in, unless its set has ended.
    pub(super) fn race_of(&self, runner: &Runner) -> Option<RaceKey> {
        let key = *self.by_set.get(&runner.set)?;
        (self.entries[key].serial == runner.serial).then_some(key)
    }

    /// Books an event that was taken; returns whose race has changed, and whether a task of it has finished.
    pub fn book(
        &mut self,
        ledger: &Ledger,
        now: Time,
        event: &Event,
        totals: &mut Totals,
    ) -> Option<(RaceKey, bool)> {
        match *event {
            Event::SetSubmitted { set, job, kind, .. } => {
                return Some((self.begin(ledger, now, set, job, kind)?, false));
            }
            Event::StageBounded { job, stage, bound, value } => {
                let old = self.bounds.iter().position(|&(j, s, _)| (j, s) == (job, stage));
                let tasks = old.map_or(0, |old| self.bounds.swap_remove(old).2.tasks);
                self.bounds.push((job, stage, Bounds { bound, value, said_at: now, tasks }));
                let live = self.live_set(ledger, job, stage)?;
                self.bind(ledger, now, live);
                return Some((live, false));
            }
            Event::TaskSized { set, task, units } => {
                let key = *self.by_set.get(&set)?;
                let race = &mut self.entries[key].race;
                if race.running.is_empty() && race.done == 0 {
                    race.set_units(task, units);
                    // A pick may come before the first launch: hosts tell sizes in the order of tasks.
                    if task + 1 == race.tasks() {
                        race.sort();
                    }
                } else if race.resize(task, units) {
                    return Some((key, false));
                }
                return None;
            }
            Event::Launched { attempt, set, task, .. } => {
                return Some((self.launched(ledger, now, (attempt, set, task), totals)?, false));
            }
            Event::SlotFreed { attempt, outcome } => {
                return self.freed(ledger, now, (attempt, outcome), totals);
            }
            Event::Progressed { attempt, done } => {
                return Some((self.progressed(now, attempt, done)?, false));
            }
            Event::Unfinished { set, task } | Event::FinishedElsewhere { set, task } => {
                let key = *self.by_set.get(&set)?;
                self.entries[key].race.sync(known(ledger, set)?, task);
                return Some((key, true));
            }
            Event::SetEnded { set } => {
                if let Some(Entry { job, race, course: Some(course), .. }) = self.entry(set)
                    && course.followed
                {
                    let (job, tasks) = (*job, race.tasks());
                    self.later.stage_ended(job, tasks, now);
                }
                self.end(set);
            }
            Event::JobEnded { job, succeeded } => {
                self.later.job_ended(job, succeeded, now);
                self.bounds.retain(|&(j, ..)| j != job);
                let of_job = self.entries.iter().filter(|(_, entry)| entry.job == job);
                let sets: Vec<SetId> = of_job.map(|(_, entry)| entry.set).collect();
                sets.into_iter().for_each(|set| self.end(set));
            }
            Event::Sampled { greedy, bound, tasks, value, utilization, accuracy, score } => {
                let sample = Sample { greedy, bound, tasks, value, utilization, accuracy, score };
                self.learner.add(sample);
            }
            _ => {}
        }
        None
    }

    fn begin(
        &mut self,
        ledger: &Ledger,
        now: Time,
        id: SetId,
        job: JobId,
        kind: StageKind,
    ) -> Option<RaceKey> {
        let set = known(ledger, id)?;
        let sets = ledger.jobs[set.job].sets.iter().map(|&set| &ledger.sets[set]);
        sets.filter(|set| set.zombie).for_each(|set| self.end(set.id));
        let safe = match self.copies {
            Copies::Off => false,
            Copies::Shuffle => kind == StageKind::ShuffleMap,
            Copies::All => kind != StageKind::Barrier,
        };
        let tail = &ledger.workflows.slab[set.workflow].learned.tail;
        let pace = Pace::new(tail.alpha_beside(std::iter::empty(), 1));
        let race = Race::new(set.width(), safe, pace);
        let entry = Entry {
            set: id,
            serial: set.serial,
            job,
            race,
            course: None,
            offered: [None; 2],
            wants: false,
            outranked: false,
            of_age: None,
            due: None,
        };
        let key = self.entries.insert(entry);
        self.by_set.insert(id, key);
        self.bind(ledger, now, key);
        Some(key)
    }

    /// Gives a set the bound that its user has said.
    fn bind(&mut self, ledger: &Ledger, now: Time, key: RaceKey) {
        let Entry { set, job, race, course, .. } = &mut self.entries[key];
        let (Some(known), job) = (known(ledger, *set), *job) else { return };
        race.mode = if self.rule == Stragglers::Gs { Mode::Gs } else { Mode::Ras };
        if known.kind.together {
            return;
        }
        let said = self.bounds.iter_mut().find(|&&mut (j, s, _)| (j, s) == (job, known.stage));
        let learns = self.rule == Stragglers::Grass;
        let mut whole = true;
        if let Some((.., bounds)) = said {
            bounds.tasks = bounds.tasks.max(race.tasks());
            whole = bounds.tasks == race.tasks();
            let later = if known.follows.tasks > 0 { self.later.expected(race.tasks()) } else { 0 };
            race.limit = bounds.limit(race.tasks(), later);
            // What may be missing may as well run twice.
            race.may_copy = self.copies != Copies::Off;
        } else if !(learns && race.may_copy) {
            return;
        }
        let explored = self.learner.explores(job).filter(|_| learns);
        race.mode = explored.unwrap_or(race.mode);
        let mut begun = Course::new(race, now, explored.is_some(), utilization(ledger));
        begun.teaches = whole;
        begun.followed = begun.said && known.follows.tasks > 0;
        *course = Some(begun);
    }

    pub(super) fn live_set(&self, ledger: &Ledger, job: JobId, stage: StageId) -> Option<RaceKey> {
        let sets = &ledger.jobs[*ledger.job_ids.get(&job)?].sets;
        let sets = sets.iter().map(|&set| &ledger.sets[set]);
        let live = sets.rev().find(|set| set.stage == stage && !set.zombie)?;
        self.by_set.get(&live.id).copied()
    }

    fn end(&mut self, set: SetId) {
        let Some(key) = self.by_set.remove(&set) else { return };
        if self.entries[key].due.is_some() {
            self.due.remove(key);
        }
        self.wanting.retain(|&other| other != key);
        self.entries.remove(key);
    }
}

pub(super) fn known(ledger: &Ledger, set: SetId) -> Option<&Set> {
    ledger.set_ids.get(&set).map(|&set| &ledger.sets[set])
}

/// The busy share of all slots, in millionths.
pub(crate) fn utilization(ledger: &Ledger) -> u32 {
    let busy = u64::try_from(ledger.attempts.len()).unwrap_or(u64::MAX).saturating_mul(1_000_000);
    let share = busy.checked_div(ledger.executors.total()).unwrap_or(0);
    u32::try_from(share.min(1_000_000)).unwrap_or(u32::MAX)
}

/// Whether tasks of a more important workflow wait for a slot: they go first.
pub(crate) fn outranked(ledger: &Ledger, set: &Set) -> bool {
    let workflows = &ledger.workflows;
    let priority = workflows.slab[set.workflow].priority;
    let mut first = workflows.active.iter().map(|&(_, w)| &workflows.slab[w]);
    first.by_ref().take_while(|w| w.priority > priority).any(|w| w.pending > 0)
}
