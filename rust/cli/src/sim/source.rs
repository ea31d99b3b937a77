//! Which worlds are simulated.

use clap::ValueEnum;
use holdfast_sim::World;
use holdfast_sim::paper::{self, Foreground, Setting};
use holdfast_sim::world::Speculation;
use holdfast_words::shown_path;

use super::args::{Sim, SimForeground, SimPreset};
use super::{scenario, traced};
use crate::Failure;

/// Nodes of a preset, if nothing is said: the paper's.
const NODES: u32 = 1000;

/// Where worlds come from; each seed makes one.
pub(super) struct Source {
    origin: Origin,
    speculation: bool,
}

enum Origin {
    /// All of it but the seed is in a file of that name.
    File(String, Box<World>),
    /// It is drawn from the seed.
    Preset(Setting),
}

impl Source {
    /// What is asked for.
    ///
    /// # Errors
    /// The file cannot be read, or is no world.
    pub(super) fn of(asked: &Sim) -> Result<Self, Failure> {
        let origin = match &asked.world {
            Some(path) => {
                let world = match traced::world(path, asked)? {
                    Some(world) => world,
                    None => scenario::read(path)?,
                };
                Origin::File(shown_path(path), Box::new(world))
            }
            None => Origin::Preset(setting(asked)?),
        };
        Ok(Self { origin, speculation: asked.speculation })
    }

    /// As messages call it.
    pub(super) fn name(&self) -> &str {
        match &self.origin {
            Origin::File(name, _) => name,
            Origin::Preset(_) => "the preset",
        }
    }

    /// The seed if none is asked for.
    pub(super) fn seed(&self) -> u64 {
        match &self.origin {
            Origin::File(_, world) => world.seed,
            Origin::Preset(setting) => setting.seed,
        }
    }

    /// Whether it comes from a file, which says by itself who decides.
    pub(super) fn file(&self) -> Option<&World> {
        match &self.origin {
            Origin::File(_, world) => Some(world),
            Origin::Preset(_) => None,
        }
    }

    /// The world of a seed.
    pub(super) fn world(&self, seed: u64) -> World {
        let mut world = match &self.origin {
            Origin::File(_, world) => World { seed, ..(**world).clone() },
            Origin::Preset(setting) => paper::world(&Setting { seed, ..*setting }),
        };
        if self.speculation {
            world.spark.speculation.get_or_insert_with(Speculation::default);
        }
        world
    }
}

fn setting(asked: &Sim) -> Result<Setting, Failure> {
    let (long, penalty) = match asked.preset.unwrap_or(SimPreset::Paper) {
        SimPreset::Paper => (1.0, 5.0),
        SimPreset::PaperLong => (2.0, 5.0),
        SimPreset::PaperFar => (1.0, 10.0),
    };
    let foreground = match &asked.foreground {
        None => SimForeground::Mllib,
        Some(name) => SimForeground::from_str(name, false).map_err(|_| {
            Failure::Usage(format!("a preset has no foreground {name}: sql, mllib, mllib-wide"))
        })?,
    };
    let foreground = match foreground {
        SimForeground::Sql => Foreground::Sql,
        SimForeground::Mllib => Foreground::Mllib,
        SimForeground::MllibWide => Foreground::MllibWide,
    };
    let nodes = asked.nodes.unwrap_or(NODES);
    Ok(Setting { seed: 1, nodes, long, penalty, foreground, ..Setting::default() })
}
