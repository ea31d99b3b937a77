//! Which worlds are simulated.

use std::fmt;
use std::io::Read;
use std::path::Path;

use holdfast_sim::World;
use holdfast_sim::paper::{self, Foreground, Setting};
use holdfast_sim::scenario::parse;
use holdfast_sim::world::Speculation;
use holdfast_trace::input::decoder;
use holdfast_words::shown_path;

use super::request::{Preset, Request};
use super::traced;
use crate::Failure;

/// Nodes of a preset, if nothing is said: the paper's.
const NODES: u32 = 1000;

/// Where worlds come from; each seed makes one.
pub struct Source {
    origin: Origin,
    speculation: bool,
    /// What was chosen for the user, and what limits the trust in it.
    pub notes: Vec<String>,
}

enum Origin {
    /// All of it but the seed is in a file of that name.
    File(String, Box<World>),
    /// It is drawn from the seed.
    Preset(Setting),
}

impl Source {
    /// Returns what is asked for.
    ///
    /// # Errors
    /// The file cannot be read, or is no world.
    pub fn of(asked: &Request) -> Result<Self, Failure> {
        let mut notes = Vec::new();
        let origin = match &asked.world {
            Some(path) => {
                let world = match traced::world(path, asked)? {
                    Some((world, of_trace)) => {
                        notes = of_trace;
                        world
                    }
                    None => read(path)?,
                };
                Origin::File(shown_path(path), Box::new(world))
            }
            None => Origin::Preset(setting(asked)?),
        };
        Ok(Self { origin, speculation: asked.speculation, notes })
    }

    /// As messages call it.
    pub fn name(&self) -> &str {
        match &self.origin {
            Origin::File(name, _) => name,
            Origin::Preset(_) => "the preset",
        }
    }

    /// Returns the seed if none is asked for.
    pub fn seed(&self) -> u64 {
        match &self.origin {
            Origin::File(_, world) => world.seed,
            Origin::Preset(setting) => setting.seed,
        }
    }

    /// Returns the world of the file that it comes from, if any; such a world says itself which policy decides.
    pub fn file(&self) -> Option<&World> {
        match &self.origin {
            Origin::File(_, world) => Some(world),
            Origin::Preset(_) => None,
        }
    }

    /// Returns the world of a seed.
    pub fn world(&self, seed: u64) -> World {
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

fn setting(asked: &Request) -> Result<Setting, Failure> {
    let (long, penalty) = match asked.preset.unwrap_or(Preset::Paper) {
        Preset::Paper => (1.0, 5.0),
        Preset::PaperLong => (2.0, 5.0),
        Preset::PaperFar => (1.0, 10.0),
    };
    let foreground = match asked.foreground.as_deref() {
        Some("sql") => Foreground::Sql,
        None | Some("mllib") => Foreground::Mllib,
        Some("mllib-wide") => Foreground::MllibWide,
        Some(name) => {
            return Err(Failure::Usage(format!(
                "a preset has no foreground {name}: sql, mllib, mllib-wide"
            )));
        }
    };
    let nodes = asked.nodes.unwrap_or(NODES);
    Ok(Setting { seed: 1, nodes, long, penalty, foreground, ..Setting::default() })
}

/// Returns the world in a file, compressed or not.
///
/// # Errors
/// It cannot be read, or is no world: with the place in the file, the field, the value, and what to write instead.
fn read(path: &Path) -> Result<World, Failure> {
    let wrong = |why: &dyn fmt::Display| Failure::Input(format!("{}{why}", shown_path(path)));
    let mut text = String::new();
    let read = decoder(path)?.read_to_string(&mut text);
    read.map_err(|why| wrong(&format_args!(": {why}")))?;
    parse(&text).map_err(|why| wrong(&why))
}
