//! Plays decision logs against the twin: `twin [--bug NAME] LOG...`.
//!
//! The engine decides everything once more and must decide what the log says; the twin must decide and answer the same
//! after every step, and the invariants R1 to R11, R16, R17, R19, R20 have to hold. With a bug the twin has it, to see that it is
//! noticed. Exit code 1: something differs; 2: wrong arguments.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program

use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

use holdfast_engine::{Config, Engine};
use holdfast_log::{Entry, Reader};
use holdfast_reference::history::{Checks, Timed, replay};
use holdfast_reference::{Bug, Reference};
use rayon::prelude::*;

fn main() -> ExitCode {
    let mut logs: Vec<String> = std::env::args().skip(1).collect();
    let mut bug = None;
    if logs.len() > 1 && logs[0] == "--bug" {
        let name = logs.remove(1);
        logs.remove(0);
        bug = Bug::named(&name);
        if bug.is_none() {
            eprintln!("there is no bug {name}");
            return ExitCode::from(2);
        }
    }
    if logs.is_empty() {
        eprintln!("usage: twin [--bug NAME] LOG...");
        return ExitCode::from(2);
    }
    let failed: Vec<String> = logs
        .par_iter()
        .filter_map(|log| play(log, bug).err().map(|why| format!("{log}: {why}")))
        .collect();
    for line in &failed {
        println!("{line}");
    }
    println!("{} logs played against the twin, {} differ", logs.len(), failed.len());
    ExitCode::from(u8::from(!failed.is_empty()))
}

fn play(path: &str, bug: Option<Bug>) -> Result<(), String> {
    let recorded = holdfast_log::replay(&mut open(path)?);
    if let Some(damage) = recorded.damage {
        return Err(damage.to_string());
    }
    if let Some(difference) = recorded.difference {
        return Err(format!("the engine decides otherwise: {difference:?}"));
    }
    let reader = open(path)?;
    let config = reader.header().config.clone();
    let mut steps = Vec::new();
    for record in reader {
        let record = record.map_err(|e| e.to_string())?;
        if let Entry::Event { event, .. } = record.entry {
            steps.push(Timed { now: record.now, event });
        }
    }
    let models = |config: &Config| {
        let twin = match bug {
            Some(bug) => Reference::with_bug(config.clone(), bug),
            None => Reference::new(config.clone()),
        };
        (Engine::new(config.clone()), twin)
    };
    match replay(&config, &steps, Checks::ALL, models) {
        None => Ok(()),
        Some(failure) => {
            let event = steps.get(failure.step).map(|timed| timed.event);
            let (step, rule, seen) = (failure.step, failure.rule, failure.seen);
            Err(format!("{rule:?} at step {step} ({event:?}): {seen}"))
        }
    }
}

fn open(path: &str) -> Result<Reader<BufReader<File>>, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    Reader::new(BufReader::new(file)).map_err(|e| e.to_string())
}
