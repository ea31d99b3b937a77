//! `holdfast figures`: computes the paper's figures, and writes them to a folder.

use std::fs;
use std::io::{self, Write};

use clap::builder::PossibleValue;
use holdfast_study::drawing::plot;
use holdfast_study::figures::ask::Ask;
use holdfast_study::figures::figure::Figure;
use holdfast_study::figures::markdown::Page;
use holdfast_study::figures::{ALL, Entry, NODES, csv, page, unwritten, write};

use crate::Failure;
use crate::args::Figures;
use crate::text::{BAD, GOOD, HEAD};

/// Returns their names, as arguments.
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
        let ask = Ask::new(name, asked.seed, asked.seeds, asked.nodes).telling(say);
        let figure = (entry.figure)(&ask)?;
        let svg = plot::svg(&title, &figure.panels);
        write(&dir.join(format!("{name}.csv")), &csv::text(&figure.rows))?;
        write(&dir.join(format!("{name}.svg")), &svg)?;
        summary((name, &title), &figure, out)?;
        if let Some(shown) = &mut shown {
            shown.fill((name, &title), &figure, &svg, &command(asked))?;
        }
        sections.push(page::section(name, &title, &figure, &svg));
        // After each of them, so that an early end leaves a page with those that are done.
        write(&file, &page::html(&sections, &command(asked)))?;
    }
    writeln!(out, "page   {}", file.display())?;
    if let Some(shown) = shown {
        shown.write()?;
    }
    Ok(())
}

/// Tells how far a figure is.
fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Writes one line for the terminal.
fn summary((name, title): (&str, &str), figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let (met, all) = (figure.claims.iter().filter(|claim| claim.met).count(), figure.claims.len());
    let style = if met == all { GOOD } else { BAD };
    writeln!(out, "{HEAD}{name}{HEAD:#}  {title}: {style}{met} of {all}{style:#} statements met")
}

/// Returns what to type for the same page. Without the folder, so that equal seeds give equal bytes anywhere.
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
