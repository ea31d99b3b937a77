//! All that the engine keeps between two steps.

use crate::api::config::Config;
use crate::api::event::Event;
use crate::api::ids::Time;
use crate::api::totals::Totals;
use crate::ledger::Ledger;
use crate::ledger::Spreads;
use crate::ledger::keys::WorkflowKey;
use crate::needs::may_hold;
use crate::roles::{Books, Needs};
use crate::step::{Scratch, Step};
use crate::wiring::{Gates, Pick, Rules};

/// The books, the clock, and what the mechanisms remember.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub rules: Rules,
    pub gates: Gates,
    pub picks: Pick,
    pub now: Time,
    pub ledger: Ledger,
    pub totals: Totals,
    pub step: Step,
    pub scratch: Scratch,
    pub spreads: Spreads,
    /// Slots x nanoseconds since the start; kept when there is an idle budget.
    pub slot_time_ns: u128,
    pub stall: Option<Time>,
    /// (asker, owner of a hold): of equal priority, and fairness kept the hold after the last step.
    pub blocked: Vec<(WorkflowKey, WorkflowKey)>,
    pub next_hold: u32,
    /// When the next task comes of age for a copy.
    pub copy_due: Option<Time>,
}

impl Core {
    pub fn new(config: Config) -> Self {
        let (rules, gates, picks) = Rules::new(config);
        Self {
            rules,
            gates,
            picks,
            now: Time::default(),
            ledger: Ledger::default(),
            totals: Totals::default(),
            step: Step::default(),
            scratch: Scratch::default(),
            spreads: Spreads::default(),
            slot_time_ns: 0,
            stall: None,
            blocked: Vec::new(),
            next_hold: 0,
            copy_due: None,
        }
    }

    /// What roles read.
    #[inline]
    pub fn books(&self) -> Books<'_> {
        let Self { ledger, rules, now, spreads, .. } = self;
        Books { ledger, config: rules, now: *now, spreads }
    }

    /// Tells who picks tasks of an event that was taken.
    #[inline]
    pub fn learn(&mut self, event: &Event) {
        let Self { picks, ledger, rules, now, spreads, totals, step, .. } = self;
        let books = Books { ledger, config: rules, now: *now, spreads };
        picks.on_event(&books, event, (totals, step));
    }

    /// The same of time.
    #[inline]
    pub fn pass(&mut self) {
        let Self { picks, ledger, rules, now, spreads, totals, step, .. } = self;
        let books = Books { ledger, config: rules, now: *now, spreads };
        picks.expire(&books, (totals, step));
    }

    /// Nothing more is held in this episode. Under timeout reservation every hold has a time of its own.
    pub fn exhaust(&mut self, workflow: WorkflowKey) {
        self.ledger.touched.note(workflow);
        self.ledger.workflows.slab[workflow].flags.exhausted = self.rules.needs.has_episodes();
    }

    /// The workflow has changed, or owns less: it is looked at again when others wait.
    #[inline]
    pub fn make_hungry(&mut self, workflow: WorkflowKey) {
        if self.rules.grow && may_hold(&self.rules, &self.ledger.workflows.slab[workflow]) {
            self.ledger.workflows.set_hungry(workflow, true);
        }
    }

    /// The number of slots has changed: under static reservation others may be set aside than before.
    pub fn set_aside(&mut self) {
        if self.rules.sets_aside() {
            self.ledger.executors.set_aside(self.rules.static_slots);
            self.step.reoffer = true;
        }
    }

    /// A workflow was touched: how wide it is when it claims is found out again.
    #[inline]
    pub fn look_again(&mut self, workflow: WorkflowKey) {
        let w = &mut self.ledger.workflows.slab[workflow];
        if may_hold(&self.rules, w) {
            w.width.wide = None;
            if self.rules.grow {
                self.ledger.workflows.set_hungry(workflow, true);
            }
        }
    }

    /// The number of slots has changed: every need, and every spread set's share of an executor.
    pub fn touch_all(&mut self) {
        self.step.reoffer |= !self.spreads.sets.is_empty();
        self.set_aside();
        for &(_, key) in &self.ledger.workflows.active {
            self.ledger.touched.note(key);
        }
    }

    /// Whether a workflow with holds was touched in this step.
    pub fn touches_holders(&self) -> bool {
        let workflows = &self.ledger.workflows;
        !workflows.holders.is_empty()
            && self.ledger.touched.iter().any(|w| workflows.slab.get(w).is_some_and(|w| w.held > 0))
    }
}
