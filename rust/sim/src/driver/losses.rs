//! Executors that join and are lost (`executorLost`, `executorDecommission` of Spark 4.1).

use crate::ids::index;
use holdfast_engine::{Event as EngineEvent, ExecutorId};

use crate::driver::state::{Event, Host, MILLI};
use crate::driver::tasks::attempt::Ending;

impl Host<'_> {
    /// An executor of the world's nodes joins on a host.
    pub(crate) fn join(&mut self, nodes: u32, host: u32) {
        let nodes = &self.world.cluster[nodes as usize];
        let executor = self.cluster.join(host, nodes.capacity, nodes.speed);
        self.meter.joined(self.now, &nodes.capacity, true);
        self.offer(executor);
    }

    /// A loss of the world begins: at once, or after a notice.
    pub(crate) fn lose(&mut self, loss: u32) {
        let spec = &self.world.losses[loss as usize];
        let Some(&executor) = self.cluster.alive.get(spec.executor) else { return };
        let Some(millis) = spec.announced_ms else { return self.lose_executor(executor, loss) };
        self.tell(EngineEvent::ExecutorBarred { executor: ExecutorId(executor), barred: true });
        self.cluster.executors[executor as usize].leaving = true;
        self.cluster.refresh(executor);
        for set in self.live_sets() {
            self.levels_anew(set);
        }
        self.revive_offers();
        self.plan(millis * MILLI, Event::Gone(executor, loss));
    }

    /// An executor is gone, with all that ran on it; another one may take its place.
    pub(crate) fn lose_executor(&mut self, executor: u32, loss: u32) {
        if !self.cluster.executors[executor as usize].alive {
            return;
        }
        let e = &self.cluster.executors[executor as usize];
        let (host, capacity, speed) = (e.host, e.capacity, e.speed);
        self.tell(EngineEvent::ExecutorLost { executor: ExecutorId(executor) });
        self.cluster.lose(executor);
        self.meter.joined(self.now, &capacity, false);
        for set in self.live_sets() {
            self.lose_in(set, executor);
        }
        self.revive_offers();
        if let Some(millis) = self.world.losses[loss as usize].replaced_after_ms {
            let same = |n: &crate::world::NodesSpec| n.capacity == capacity && n.speed == speed;
            if let Some(nodes) = self.world.cluster.iter().position(same) {
                self.plan(millis * MILLI, Event::Join(index(nodes), host));
            }
        }
    }

    /// Sets that have not left the scheduler, pool by pool, in the order of their submission.
    fn live_sets(&self) -> Vec<u32> {
        let live = self.sets.iter().filter(|(_, s)| !s.finished);
        let mut live: Vec<_> = live
            .map(|(set, s)| (self.order.lanes[s.lane as usize].pool, s.id, index(set)))
            .collect();
        live.sort_unstable();
        live.into_iter().map(|(.., set)| set).collect()
    }

    /// `TaskSetManager.executorLost`.
    fn lose_in(&mut self, set: u32, executor: u32) {
        let s = &mut self.sets[set as usize];
        // It must not be forgotten in here.
        s.unsettled += 1;
        let launched: usize = s.tasks.iter().map(|task| usize::from(task.attempts)).sum();
        let mut again = Vec::new();
        if s.shuffle && !s.zombie {
            let mut lost = s.ended.clone();
            lost.retain(|e| e.executor == executor && !e.superseded);
            lost.sort_unstable_by_key(|e| hashed(e.number, launched));
            for ended in lost {
                if self.sets[set as usize].tasks[ended.task as usize].successful {
                    self.resubmit(set, ended.task);
                    again.push(ended.task);
                }
            }
        }
        let attempts = self
            .attempts
            .iter()
            .filter(|(_, a)| a.set == set && a.executor == executor && !a.settled);
        let mut attempts: Vec<_> = attempts.map(|(key, a)| (a.number, index(key))).collect();
        attempts.sort_unstable_by_key(|&(number, _)| hashed(number, launched));
        for (_, attempt) in attempts {
            self.lose_attempt(attempt);
        }
        self.levels_anew(set);
        let id = self.sets[set as usize].id;
        again.sort_unstable();
        if !self.sets[set as usize].over {
            again.into_iter().for_each(|task| self.tell(EngineEvent::Unfinished { set: id, task }));
        }
        self.sets[set as usize].unsettled -= 1;
        self.forget_set(set);
    }

    fn lose_attempt(&mut self, attempt: u32) {
        let a = &mut self.attempts[attempt as usize];
        let (runs, planned, set) = (a.runs, a.end.take(), a.set);
        let launched = a.launched;
        if a.ending == Ending::FetchFailed {
            // Spark has not looked at it, and never will.
            a.ending = Ending::Killed;
        }
        if runs {
            a.runs = false;
            a.ending = Ending::Killed;
            if let Some(ticket) = planned {
                self.queue.cancel(ticket);
            }
            let foreground = self.sets[set as usize].foreground;
            self.meter.freed(self.now, foreground, self.now.since(launched), true);
            self.stop_running(set);
        }
        self.handle_failed(attempt);
        if runs {
            self.forget_attempt(attempt);
        }
    }
}

/// By which a set goes through its attempts: Spark keeps them by their numbers, in a hash map (`taskInfos`, Scala 2.13) that
/// is at most three quarters full.
fn hashed(number: u32, launched: usize) -> (u32, u32) {
    let mut size = 16;
    while launched * 4 >= size * 3 {
        size *= 2;
    }
    let hash = number ^ (number >> 16);
    (hash & (index(size) - 1), hash)
}
