//! Looking at a set again: which copies it wants, whether free slots have to be offered for them, and when it is looked at
//! next.

use holdfast_engine::{Event, SetId, Stragglers, Time};

use super::races::{Limit, PERIOD_NS};
use super::state::Set;
use super::{Bug, Reference};

impl Reference {
    /// Which set an event may change, and the copies that it wants now, before that.
    pub(super) fn wanted_before(&self, event: &Event) -> Option<(SetId, Vec<u32>)> {
        if !self.races() {
            return None;
        }
        let of_attempt = |id| {
            let attempt = self.attempts.get(id).filter(|attempt| attempt.race.is_some())?;
            let of = |set: &Set| set.serial == attempt.serial && !set.zombie;
            self.sets.iter().find(|(_, set)| of(set)).map(|(id, _)| *id)
        };
        let id = match event {
            Event::SlotFreed { attempt, .. } | Event::Progressed { attempt, .. } => {
                of_attempt(attempt)?
            }
            Event::Launched { set, .. }
            | Event::TaskSized { set, .. }
            | Event::Unfinished { set, .. }
            | Event::FinishedElsewhere { set, .. } => *set,
            Event::StageBounded { job, stage, .. } => {
                let of = |set: &Set| set.job == *job && set.stage == *stage && !set.zombie;
                self.sets.iter().find(|(_, set)| of(set)).map(|(id, _)| *id)?
            }
            _ => return None,
        };
        Some((id, self.copies_wanted(self.live(id)?)))
    }

    /// Copies that time alone has made useless count as not offered.
    pub(super) fn forget_unwanted(&mut self, before: Option<(SetId, Vec<u32>)>) {
        let Some((id, wanted)) = before else { return };
        if self.live(id).is_some() {
            self.race(id).offered.retain(|copy| wanted.contains(copy));
        }
    }

    /// Who was kept from copies by more important ones is looked at when these wait no more.
    pub(super) fn watch_ranks(&mut self) {
        let wanting = self.sets.iter().filter(|(_, set)| set.race.wants && !set.zombie);
        for id in wanting.map(|(id, _)| *id).collect::<Vec<_>>() {
            let is = self.outranked(self.sets[&id].workflow);
            let was = self.sets[&id].race.outranked;
            if was && !is && !self.has(Bug::RankNotReoffered) {
                self.review(id, false);
            } else if is && !was {
                let race = self.race(id);
                race.outranked = true;
                race.offered.clear();
            }
        }
    }

    /// Looks at a set: whether its bound is reached, by which rule it goes on, which copies it wants, and when it is
    /// looked at again.
    pub(super) fn review(&mut self, id: SetId, finished: bool) {
        let Some(set) = self.live(id) else { return };
        let workflow = set.workflow;
        self.watch_bound(id);
        if finished {
            self.watch_switch(id);
        }
        let set = &self.sets[&id];
        let (mut copies, mut of_age) = (Vec::new(), None);
        if self.pending(set) == 0 {
            copies = self.copies_wanted(set);
            of_age = self.comes_of_age(set);
        }
        let wants = !copies.is_empty();
        let outranked = wants && self.outranked(workflow);
        if outranked {
            copies.clear();
        }
        // A task that has come of age since was not worth a copy in between, though it may have been before.
        let came = set.race.of_age.is_some_and(|at| at <= self.now);
        let offers = copies.iter().any(|copy| came || !set.race.offered.contains(copy));
        let due = [of_age, self.next_look(set)].into_iter().flatten().min();
        self.offer_copies |= offers && !self.has(Bug::PickNotReoffered);
        let race = self.race(id);
        (race.wants, race.outranked, race.offered) = (wants, outranked, copies);
        (race.of_age, race.due) = (of_age, due);
    }

    /// When its bound passes, or it asks again which rule to follow.
    fn next_look(&self, set: &Set) -> Option<Time> {
        let course = set.race.course.filter(|course| !course.over)?;
        let Limit::Deadline(at) = set.race.limit else { return None };
        let grass = self.config.stragglers == Stragglers::Grass;
        let asks = grass && !set.race.greedy && !course.explores;
        Some(if asks { at.min(self.now.after(PERIOD_NS)) } else { at })
    }
}
