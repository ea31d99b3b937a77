//! The tables that compare variants, for the terminal.

use std::io::{self, Write};

use holdfast_study::sim::measures::Summary;
use holdfast_study::sim::study::Study;
use holdfast_study::sim::tables::{heading, notes, tables};

use crate::text::table;

pub(super) fn show(study: &Study, summaries: &[Summary], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", heading(study))?;
    for ((head, rows), note) in tables(summaries).iter().zip(notes(study)) {
        writeln!(out, "\n{note}:")?;
        table(out, head, rows)?;
    }
    Ok(())
}
