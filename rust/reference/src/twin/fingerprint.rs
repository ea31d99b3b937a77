//! Which states are the same: names, counters and the time of day left out.

use std::hash::{DefaultHasher, Hash, Hasher};

use holdfast_engine::{Time, WorkflowId};

use super::Reference;

impl Reference {
    /// Equal for states from which everything goes on alike, but for names and counters.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        let since = |time: Time| self.now.0.wrapping_sub(time.0);
        let ranked = self.ranked();
        for (id, w) in &self.workflows {
            let place = ranked.iter().position(|other| other == id);
            let gap =
                w.gap.as_ref().map(|gap| (since(gap.start), since(gap.deadline), gap.run_ended));
            (id, w.priority, w.closed, w.awaited, place, gap, w.largest_gap).hash(&mut hash);
            w.missed_gap.map(since).hash(&mut hash);
            let later = |serial| w.gap.as_ref().is_some_and(|gap| gap.serial < serial);
            let later = self.sets.iter().filter(|(_, set)| later(set.serial));
            (w.knows_gaps, later.map(|(id, _)| id).collect::<Vec<_>>()).hash(&mut hash);
            w.known_width.map(|(first, width)| (since(first), width)).hash(&mut hash);
            (w.start.map(since), w.exhausted, w.last_m, w.latest, w.slot).hash(&mut hash);
            (
                w.peak.width,
                since(w.peak.at),
                w.has_filled,
                w.narrow.map(since),
                w.remote_slowdown_milli,
            )
                .hash(&mut hash);
            (w.isolation, w.tail, w.declared, w.pool, w.tenant).hash(&mut hash);
            (w.away.keys().collect::<Vec<_>>(), &w.left, w.left_is_cached).hash(&mut hash);
            (&w.known, w.akin, &w.stages, since(w.stage_at), w.foreseen).hash(&mut hash);
        }
        for (id, e) in &self.executors {
            (id, e.profile, e.capacity, e.barred).hash(&mut hash);
        }
        for (id, job) in &self.jobs {
            (id, job.workflow, job.continues, job.last_n, job.done).hash(&mut hash);
            for (stage, entry) in &job.plan {
                (stage, entry.tasks, entry.next, entry.next_profile, entry.submitted)
                    .hash(&mut hash);
            }
        }
        for (id, set) in &self.sets {
            (id, set.job, set.stage, set.tasks, set.next, set.zombie).hash(&mut hash);
            (&set.finished, set.spread_until.map(since), set.shortest, set.samples).hash(&mut hash);
            set.since.iter().for_each(|(task, at)| (task, since(*at)).hash(&mut hash));
            (set.wave.map(|(at, n)| (since(at), n)), set.barrier.map(since)).hash(&mut hash);
            (set.kind, &set.failed, &set.copied, &set.durations, &set.local).hash(&mut hash);
            (set.fills_cache, &set.places, set.remote_slowdown_milli).hash(&mut hash);
            set.copying.map(|(at, task)| (since(at), task)).hash(&mut hash);
        }
        (&self.pools, &self.kept, &self.bounds).hash(&mut hash);
        self.hash_slots(&mut hash);
        let forgotten = self.forgotten.iter();
        let forgotten: Vec<_> = forgotten
            .map(|(id, m)| (id, m.largest_gap, m.missed_gap.map(since), m.tail, &m.left))
            .collect();
        (self.stall.map(since), self.longest_rival(), forgotten).hash(&mut hash);
        hash.finish()
    }

    fn hash_slots(&self, hash: &mut DefaultHasher) {
        // An attempt whose set has ended belongs to no set any more.
        let set_of = |serial| self.sets.iter().find(|(_, set)| set.serial == serial).map(|s| *s.0);
        type Running = (Option<holdfast_engine::SetId>, u32, WorkflowId, u32, u64);
        let mut running: Vec<Running> = Vec::new();
        for a in self.attempts.values() {
            let age = self.now.since(a.launched);
            running.push((set_of(a.serial), a.task, a.workflow, a.executor.0, age));
        }
        running.sort_unstable();
        running.hash(hash);
        for hold in self.holds.values() {
            let left = (hold.deadline.since(self.now), hold.cap.since(self.now));
            (hold.workflow, hold.executor, hold.size, hold.reason, left).hash(hash);
        }
    }
}
