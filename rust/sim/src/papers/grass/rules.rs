//! What decides about stragglers in worlds of this paper.

use holdfast_engine::{Config, Copies, GrassSwitch, Stragglers};

use crate::world::{ProgressSpec, World};

/// What decides about stragglers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// No copies.
    Off,
    /// LATE (OSDI'08), which Facebook ran.
    Late,
    /// Mantri (OSDI'10), which Bing ran.
    Mantri,
    /// GS alone.
    Gs,
    /// RAS alone.
    Ras,
    /// GRASS.
    Grass,
    /// GRASS that goes over to GS two waves before the bound: the paper's strawman.
    TwoWaves,
    /// GRASS whose learner tells jobs apart by some factors only: 1 the bound, 2 utilization, 4 accuracy.
    Factors(u32),
    /// GRASS that explores with another share of jobs, in thousandths.
    Explores(u32),
    /// GRASS that knows what attempts take, those that run and those that do not yet.
    Oracle,
}

impl Rule {
    fn stragglers(self) -> Stragglers {
        match self {
            Self::Off => Stragglers::Off,
            Self::Late => Stragglers::Late,
            Self::Mantri => Stragglers::Mantri,
            Self::Gs => Stragglers::Gs,
            Self::Ras => Stragglers::Ras,
            Self::Grass | Self::TwoWaves | Self::Factors(_) | Self::Explores(_) | Self::Oracle => {
                Stragglers::Grass
            }
        }
    }

    /// Returns the engine's configuration. The world's seed says which jobs explore.
    #[must_use]
    pub fn config(self, seed: u64) -> Config {
        let mut config =
            Config { stragglers: self.stragglers(), copies: Copies::All, ..Config::default() };
        config.explore_seed = u32::try_from(seed % u64::from(u32::MAX)).unwrap_or(1);
        match self {
            Self::TwoWaves => {
                config.grass_switch = GrassSwitch::Waves;
                config.explore_ppm = 0;
            }
            Self::Factors(factors) => config.grass_factors = factors,
            Self::Explores(share) => config.explore_ppm = share * 1_000,
            _ => {}
        }
        config
    }

    /// Returns a world under this rule.
    #[must_use]
    pub fn of(self, world: &World) -> World {
        let mut world = world.clone().with_engine(self.config(world.seed));
        if self == Self::Oracle {
            let progress = world.spark.progress.unwrap_or_default();
            world.spark.progress = Some(ProgressSpec { oracle: true, ..progress });
        }
        world
    }
}
