//! `holdfast whatif`: where the time of each workflow went.

mod grass;
mod ssr;
mod text;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use holdfast_study::whatif::rows::Rows;
use holdfast_study::whatif::{self, Application, Document, Request, analyse};
use holdfast_study::workload;
use holdfast_trace::notes::Note;
use holdfast_trace::report::ApplicationReport;
use holdfast_words::{count, json, shown, shown_path};

use crate::Failure;
use crate::args::{By, Whatif};
use crate::outputs::{self, Output};
use crate::screen;

pub(crate) fn run(asked: &Whatif, out: &mut dyn Write) -> Result<(), Failure> {
    workload::check(&asked.conf)?;
    let conf = asked.conf.iter().cloned().collect();
    let pools = workload::pools_file(&conf);
    let read: Vec<&Path> = asked.logs.iter().map(PathBuf::as_path).chain(pools).collect();
    let page = asked.html.iter().map(|path| Output::new("--html", path));
    outputs::check(&read, &page.collect::<Vec<_>>())?;
    let (applications, unread) = analyse(&request(asked))?;
    for application in &applications {
        tell_notes(&application.report);
    }
    if let Some(path) = &asked.html {
        let page = whatif::page(&applications, &unread, asked.limit);
        fs::write(path, page)
            .map_err(|e| Failure::Input(format!("cannot write {}: {e}", shown_path(path))))?;
    }
    if asked.json {
        let (applications, unread) = (applications.as_slice(), unread.as_slice());
        let document = Document::new(applications, unread);
        writeln!(out, "{}", json(&document).map_err(io::Error::from)?)?;
    } else {
        show(&applications, asked.limit, out)?;
    }
    if unread.is_empty() {
        return Ok(());
    }
    out.flush()?;
    let all = count((applications.len() + unread.len()) as u64, "log");
    Err(Failure::Input(format!(
        "{} of {all} cannot be read:\n  {}",
        unread.len(),
        unread.join("\n  ")
    )))
}

fn show(applications: &[Application], limit: usize, out: &mut dyn Write) -> io::Result<()> {
    for (i, Application { report, ssr, grass }) in applications.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        text::show(report, &Rows::of(report, limit), out)?;
        if !report.runs.is_empty() {
            ssr::show(ssr, out)?;
            if let Some(grass) = grass {
                grass::show(grass, limit, out)?;
            }
        }
    }
    Ok(())
}

fn request(asked: &Whatif) -> Request {
    Request {
        logs: asked.logs.clone(),
        workflow: asked.workflow.clone(),
        conf: asked.conf.clone(),
        linger: asked.linger,
        by_execution: asked.by == By::Execution,
        simulate: asked.simulate,
        priority: asked.priority,
        stragglers: asked.stragglers,
        most_tasks: asked.most_tasks,
    }
}

/// Says what limits the trust in a report, where that does not disturb the output.
fn tell_notes(report: &ApplicationReport) {
    for Note { text, .. } in &report.notes {
        screen::note(format_args!("{}: {}", shown_path(&report.log), shown(text)));
    }
}
