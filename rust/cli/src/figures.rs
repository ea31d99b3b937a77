//! `holdfast figures`: computes the paper's figures, and writes them to a folder.

use std::fs;
use std::io::{self, Write};

use clap::builder::PossibleValue;
use holdfast_study::drawing::plot;
use holdfast_study::figures::ask::Ask;
use holdfast_study::figures::figure::Figure;
use holdfast_study::figures::markdown::Page;
use holdfast_study::figures::{Entry, NODES, PAPERS, Paper, csv, page, unwritten, write};

use crate::Failure;
use crate::args::Figures;
use crate::text::{BAD, GOOD, HEAD};

/// Returns the names of papers, as arguments.
pub(crate) fn papers() -> impl Iterator<Item = PossibleValue> {
    PAPERS.iter().map(|paper| PossibleValue::new(paper.name).help(paper.citation))
}

/// Returns the names of figures, as arguments: once each, with the title in the first paper that has it.
pub(crate) fn names() -> impl Iterator<Item = PossibleValue> {
    let mut entries: Vec<&Entry> = Vec::new();
    for entry in PAPERS.iter().flat_map(|paper| paper.figures) {
        if entries.iter().all(|known| known.name != entry.name) {
            entries.push(entry);
        }
    }
    entries.into_iter().map(|e| PossibleValue::new(e.name).help((e.title)(NODES)))
}

/// Returns the paper that is asked for; it has all figures that are.
fn paper(asked: &Figures) -> Result<&'static Paper, Failure> {
    let paper = PAPERS.iter().find(|paper| paper.name == asked.paper).unwrap_or(&PAPERS[0]);
    let has = |name: &&String| paper.figures.iter().any(|entry| entry.name == **name);
    match asked.only.iter().find(|name| !has(name)) {
        None => Ok(paper),
        Some(name) => {
            let figures: Vec<&str> = paper.figures.iter().map(|entry| entry.name).collect();
            let figures = figures.join(", ");
            Err(Failure::Usage(format!("{} has no {name}; its figures are {figures}", paper.name)))
        }
    }
}

pub(crate) fn run(asked: &Figures, out: &mut dyn Write) -> Result<(), Failure> {
    let (dir, paper) = (&asked.out, paper(asked)?);
    fs::create_dir_all(dir).map_err(|e| unwritten(dir, &e))?;
    let (mut sections, file) = (Vec::new(), dir.join("figures.html"));
    let wanted =
        |entry: &&Entry| asked.only.is_empty() || asked.only.iter().any(|n| n == entry.name);
    let wanted = paper.figures.iter().filter(wanted);
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
        write(&file, &page::html(&sections, paper.citation, &command(asked)))?;
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
    if asked.paper != PAPERS[0].name {
        command.push_str(&format!(" --paper {}", asked.paper));
    }
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
