//! The folder that `--out` names: a page that needs no other file, and what it shows as files of their own.

use holdfast_log::{REVISION, VERSION};

use super::measures::Summary;
use super::study::{Run, Study};
use super::tables;
use crate::drawing::page::{STYLE, Table, table as html_table};
use crate::drawing::panel::{Line, Marker, Panel, Scale, Style};
use crate::drawing::svg::escape;
use crate::drawing::{plot, stacked, ticks};
use crate::statistics::{Point, quantile};

/// How many quantiles draw a distribution.
const QUANTILES: u32 = 200;
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#111111", "#56b4e9"];
const DASHES: [&str; 5] = ["", "7 3", "2 3", "9 3 2 3", "4 2"];
const MARKERS: [Marker; 3] = [Marker::Circle, Marker::Square, Marker::Triangle];

/// A drawing of the page.
pub struct Drawing {
    /// Its file.
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    /// The drawing itself.
    pub svg: String,
}

/// Returns all that can be drawn of them.
pub fn drawings(summaries: &[Summary]) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    let panels: Vec<Panel> =
        [slowdowns(summaries), background(summaries)].into_iter().flatten().collect();
    if !panels.is_empty() {
        let title = "How long workflows take";
        drawings.push(Drawing {
            name: "slowdowns.svg",
            title,
            about: "Left: the share of foreground workflows that are slowed down by at most so much, against having the cluster \
                    alone on Spark; the further up to the left, the better. Right: how long all other workflows take: what the \
                    foreground's gain costs them. All seeds together.",
            svg: plot::svg(title, &panels),
        });
    }
    let shares = |summary: &Summary| {
        let share = |name| summary.point(name).map_or(0.0, |point| point.value);
        (summary.label(summaries), ["busy", "held", "free"].map(share))
    };
    let rows: Vec<(String, [f64; 3])> = summaries.iter().map(shares).collect();
    let title = "What became of all slot-time";
    drawings.push(Drawing {
        name: "slots.svg",
        title,
        about: "Until the last workflow has ended; means over the seeds. Held idle: a slot that a workflow keeps for what it runs next.",
        svg: stacked::svg(title, &rows),
    });
    let panels = isolation(summaries);
    if !panels.is_empty() {
        let title = "Isolation";
        drawings.push(Drawing {
            name: "isolation.svg",
            title,
            about: "Left: the share of barriers and gaps at which all held slots were kept until the next stage came, against the \
                    probability P that was asked for. Right: what that costs. Bands: 95 % confidence intervals over the seeds.",
            svg: plot::svg(title, &panels),
        });
    }
    drawings
}

/// Returns the page. `command` is what makes it.
pub fn html(study: &Study, summaries: &[Summary], drawings: &[Drawing], command: &str) -> String {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    let tables = tables::tables(summaries);
    let titles = ["How long workflows take", "Slots, barriers, locality, copies"];
    let tables = tables.into_iter().zip(titles).zip(tables::notes(study)).map(
        |(((head, rows), title), note)| {
            let head = head.into_iter().map(str::to_owned).collect();
            let table = html_table(&Table { title: title.to_owned(), head, rows });
            format!("{table}<p class=\"small\">{}</p>\n", escape(&note))
        },
    );
    let drawn = drawings.iter().map(|drawing| {
        let Drawing { name, title, about, svg } = drawing;
        format!(
            "<section>\n<h2>{title}</h2>\n<p>{about}</p>\n<figure>\n{svg}</figure>\n<p class=\"small\">File: {name}</p>\n</section>\n"
        )
    });
    let mut ended = String::new();
    if study.interrupted {
        ended.push_str("<p><b>It was ended before all runs were done.</b></p>\n");
    }
    for why in &study.failed {
        ended.push_str(&format!("<p><b>Failed:</b> {}</p>\n", escape(why)));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Holdfast: simulation</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>Variants compared, simulated</h1>\n<p>{}.</p>\n{ended}{}{}\
         <h2>How it was made</h2>\n<table><tr><th>command</th><td>{}</td></tr>\n<tr><th>Holdfast</th><td>{VERSION}, \
         revision {}</td></tr>\n<tr><th>numbers</th><td>sim.csv, sim.jsonl</td></tr></table>\n</body></html>\n",
        escape(&tables::heading(study)),
        tables.collect::<String>(),
        drawn.collect::<String>(),
        escape(command),
        escape(revision),
    )
}

fn style(i: usize, marker: Option<Marker>) -> Style {
    let (colour, dash) = (COLOURS[i % COLOURS.len()], DASHES[i % DASHES.len()]);
    Style { colour, dash, width: 2.0, marker }
}

/// Returns the share of foreground workflows by slowdown; none if there are none.
fn slowdowns(summaries: &[Summary]) -> Option<Panel> {
    let label = "slowdown against alone, at most";
    distribution(summaries, "Foreground workflows", label, |run| &run.slowdowns)
}

/// Returns the share of all others by time; none if there are none.
fn background(summaries: &[Summary]) -> Option<Panel> {
    let label = "seconds from arrival to end, at most";
    distribution(summaries, "All other workflows", label, |run| &run.background)
}

fn distribution(
    summaries: &[Summary],
    title: &str,
    label: &'static str,
    of: fn(&Run) -> &[f64],
) -> Option<Panel> {
    let pooled: Vec<Vec<f64>> = summaries.iter().map(|summary| summary.pooled(of)).collect();
    let ends = |values: &Vec<f64>| Some((*values.first()?, *values.last()?));
    let (least, most) =
        pooled.iter().filter_map(ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let line = |(i, (summary, values)): (usize, (&Summary, &Vec<f64>))| {
        let shares = (0..=QUANTILES).map(|i| f64::from(i) / f64::from(QUANTILES));
        let points = shares.map(|share| (quantile(values, share), Point::exact(share)));
        Line { label: summary.label(summaries), style: style(i, None), points: points.collect() }
    };
    let drawn =
        summaries.iter().zip(&pooled).enumerate().filter(|(_, (_, values))| !values.is_empty());
    Some(Panel {
        title: title.to_owned(),
        x: ticks::axis(label, least, most),
        y: ticks::shares("share of workflows", Scale::Percent),
        lines: drawn.map(line).collect(),
    })
}

/// Isolation achieved, and what is held idle, by the isolation asked for; nothing if no variant holds by it.
fn isolation(summaries: &[Summary]) -> Vec<Panel> {
    let achieved = lines(summaries, "isolation_achieved");
    if achieved.is_empty() {
        return Vec::new();
    }
    let mut held = lines(summaries, "held");
    for (_, point) in held.iter_mut().flat_map(|line| &mut line.points) {
        *point = tables::scaled(*point, 100.0);
    }
    let most = held.iter().flat_map(|line| &line.points).map(|(_, point)| point.interval().1);
    let most = most.fold(0.0, f64::max);
    let style = Style { colour: "#888888", dash: "1 3", width: 1.2, marker: None };
    let points = vec![(0.0, Point::exact(0.0)), (1.0, Point::exact(1.0))];
    let asked = Line { label: "as asked for".to_owned(), style, points };
    let x = || ticks::shares("isolation P asked for", Scale::Linear);
    vec![
        Panel {
            title: "Isolation achieved".to_owned(),
            x: x(),
            y: ticks::shares("barriers and gaps kept", Scale::Linear),
            lines: [asked].into_iter().chain(achieved).collect(),
        },
        Panel {
            title: "Held idle".to_owned(),
            x: x(),
            y: ticks::from_nothing("% of all slot-time", most),
            lines: held,
        },
    ]
}

/// Returns one line for each variant that holds by isolation.
fn lines(summaries: &[Summary], measure: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for summary in summaries {
        let (Some(asked), Some(point)) = (summary.asked, summary.point(measure)) else { continue };
        if summary.point("isolation_achieved").is_none() {
            continue;
        }
        let name = summary.series.name();
        let place = lines.iter().position(|line| line.label == name).unwrap_or_else(|| {
            let (i, marker) = (lines.len(), Some(MARKERS[lines.len() % MARKERS.len()]));
            lines.push(Line {
                label: name.to_owned(),
                style: style(i, marker),
                points: Vec::new(),
            });
            i
        });
        lines[place].points.push((asked, point));
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines
}
