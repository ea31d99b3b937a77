//! Which resource profiles are kept.

use std::collections::BTreeSet;

use holdfast_engine::ProfileId;

use super::Reference;

/// With so many known, those that nobody names are forgotten when one comes that is new.
const PROFILES_KEPT: usize = 100;

impl Reference {
    /// A profile comes that is not known.
    pub(super) fn forget_profiles(&mut self) {
        if self.profiles.len() < PROFILES_KEPT {
            return;
        }
        let mut named = BTreeSet::from([ProfileId(0)]);
        named.extend(self.executors.values().map(|e| e.profile));
        named.extend(self.sets.values().flat_map(|set| [set.profile, set.next_profile]));
        let plans = self.jobs.values().flat_map(|job| job.plan.values());
        named.extend(plans.map(|entry| entry.next_profile));
        for w in self.workflows.values() {
            named.extend([w.latest, w.slot].into_iter().flatten().map(|(profile, _)| profile));
        }
        let homes = named.iter().filter_map(|profile| self.profiles.get(profile));
        let homes: Vec<ProfileId> = homes.map(|(runs_on, _)| *runs_on).collect();
        named.extend(homes);
        self.profiles.retain(|profile, _| named.contains(profile));
    }
}
