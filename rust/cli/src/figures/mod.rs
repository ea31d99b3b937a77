//! `holdfast figures`: the paper's figures, computed.
//!
//! A figure is one file with one function, `figure`, and an entry in [`ALL`]. It answers numbers, how to plot them, and
//! what the paper says beside what they say; the rest of this module writes them.

mod ask;
mod bars;
mod csv;
mod fig08;
mod fig10;
mod fig15;
mod fig16;
mod fig17;
pub(crate) mod figure;
mod markdown;
pub(crate) mod page;
pub(crate) mod plot;
mod runs;
pub(crate) mod statistics;
pub(crate) mod svg;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use ask::Ask;
use clap::builder::PossibleValue;
use figure::Figure;
use markdown::Page;

use crate::Failure;
use crate::args::Figures;
use crate::text::{BAD, GOOD, HEAD};

/// A figure that can be asked for.
struct Entry {
    /// As in file names.
    name: &'static str,
    /// Its number in the paper, and what it is about, in a cluster of so many nodes.
    title: fn(u32) -> String,
    figure: fn(&Ask) -> Result<Figure, Failure>,
}

/// Nodes of the paper's simulated cluster.
pub(crate) const NODES: u32 = 1000;

/// All figures, in the paper's order.
const ALL: [Entry; 5] = [
    Entry {
        name: "fig08",
        title: |_| fig08::TITLE.to_owned(),
        figure: |ask| Ok(fig08::figure(ask)),
    },
    Entry {
        name: "fig10",
        title: |_| fig10::TITLE.to_owned(),
        figure: |ask| Ok(fig10::figure(ask)),
    },
    Entry { name: "fig15", title: fig15::title, figure: fig15::figure },
    Entry { name: "fig16", title: |_| fig16::TITLE.to_owned(), figure: fig16::figure },
    Entry { name: "fig17", title: |_| fig17::TITLE.to_owned(), figure: fig17::figure },
];

/// Their names, as arguments.
pub(crate) fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.iter().map(|entry| PossibleValue::new(entry.name).help((entry.title)(NODES)))
}

pub(crate) fn run(asked: &Figures, out: &mut dyn Write) -> Result<(), Failure> {
    let dir = &asked.out;
    fs::create_dir_all(dir).map_err(|e| unwritten(dir, &e))?;
    let (mut sections, file) = (Vec::new(), dir.join("figures.html"));
    let wanted =
        |entry: &&Entry| asked.only.is_empty() || asked.only.iter().any(|n| n == entry.name);
    let wanted = ALL.iter().filter(wanted);
    // Before anything is computed: simulations take minutes.
    let names = wanted.clone().map(|entry| entry.name);
    let mut shown = asked.docs.as_deref().map(|path| Page::open(path, names)).transpose()?;
    for entry in wanted {
        let Entry { name, .. } = entry;
        let title = (entry.title)(asked.nodes);
        let figure = (entry.figure)(&Ask::new(name, asked.seed, asked.seeds, asked.nodes))?;
        let svg = plot::svg(&title, &figure.panels);
        write(&dir.join(format!("{name}.csv")), &csv::text(&figure.rows))?;
        write(&dir.join(format!("{name}.svg")), &svg)?;
        summary((name, &title), &figure, out)?;
        if let Some(shown) = &mut shown {
            shown.fill((name, &title), &figure, &svg, &command(asked))?;
        }
        sections.push(page::section(name, &title, &figure, &svg));
        // After each of them: who ends it before the last one has a page with those that are done.
        write(&file, &page::html(&sections, &command(asked)))?;
    }
    writeln!(out, "page   {}", file.display())?;
    if let Some(shown) = shown {
        shown.write()?;
    }
    Ok(())
}

/// One line for the terminal.
fn summary((name, title): (&str, &str), figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let (met, all) = (figure.claims.iter().filter(|claim| claim.met).count(), figure.claims.len());
    let style = if met == all { GOOD } else { BAD };
    writeln!(out, "{HEAD}{name}{HEAD:#}  {title}: {style}{met} of {all}{style:#} statements met")
}

/// What to type for the same page. Without the folder, so that equal seeds give equal bytes anywhere.
fn command(asked: &Figures) -> String {
    let mut command = format!("holdfast figures --out DIR --seed {}", asked.seed);
    if let Some(seeds) = asked.seeds {
        command.push_str(&format!(" --seeds {seeds}"));
    }
    if asked.nodes != NODES {
        command.push_str(&format!(" --nodes {}", asked.nodes));
    }
    if !asked.only.is_empty() {
        command.push_str(&format!(" --only {}", asked.only.join(",")));
    }
    command
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    fs::write(file, text).map_err(|e| unwritten(file, &e))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write {}: {error}", path.display()))
}
