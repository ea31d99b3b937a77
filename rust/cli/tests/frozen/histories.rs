//! What the engine decides in random worlds.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use holdfast_engine::Engine;
use holdfast_log::{FORMAT, Header, LogWriter};
use holdfast_reference::history::Host;
use rayon::prelude::*;

use crate::line::Line;
use crate::logs::Sums;

/// Seeds of a block.
const BLOCK: u16 = 100;

/// Plays the worlds of these seeds; two lines a block.
pub fn blocks(seeds: RangeInclusive<u64>) -> Vec<Line> {
    let firsts: Vec<u64> = seeds.step_by(BLOCK.into()).collect();
    firsts.into_par_iter().flat_map_iter(block).collect()
}

fn block(first: u64) -> [Line; 2] {
    let (mut sums, last) = (Sums::default(), first + u64::from(BLOCK) - 1);
    for seed in first..=last {
        sums.add(&log(seed));
    }
    sums.lines(&format!("random worlds {first} to {last}"))
}

/// The decision log of a seed's world.
fn log(seed: u64) -> Vec<u8> {
    let mut host = Host::without_stragglers(seed);
    let (config, length) = (host.config().clone(), host.length());
    let mut engine = Engine::new(config.clone());
    let (version, revision) = (String::new(), String::new());
    let header =
        Header { format: FORMAT, engine: version, revision, config, host: BTreeMap::new() };
    let (mut log, mut decisions) = (LogWriter::new(&header).unwrap(), Vec::new());
    for _ in 0..length {
        let timed = host.next(&engine);
        decisions.clear();
        let refused = engine.step(timed.now, &timed.event, &mut decisions).err();
        log.event(timed.now, &timed.event, &decisions, refused.map(|error| error.code()));
        if refused.is_none() {
            host.accepted(&timed.event);
        }
    }
    log.end();
    log.rest()
}
