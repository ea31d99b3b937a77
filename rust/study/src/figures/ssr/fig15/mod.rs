//! Fig. 15: slowdown of foreground jobs in a large cluster, and what the background pays (ICDCS'17, section VI-B).

mod claims;

use holdfast_sim::paper::{Setting, Variant};

use super::runs::{Case, FOREGROUNDS, NAMES, Policy, Runs, simulated};
use crate::Failure;
use crate::drawing::page::Table;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::drawing::plot::ticks;
use crate::figures::ask::Ask;
use crate::figures::figure::{Figure, Row, X, line};
use crate::statistics::{Point, expected, over_seeds, reach, said};
use holdfast_words::grouped;

/// Returns the title.
pub(super) fn title(nodes: u32) -> String {
    format!("Fig. 15: slowdown of foreground jobs at {} nodes", grouped(nodes.into()))
}

const SEEDS: u32 = 5;
/// Its settings: (a), (b) and (c).
const SETTINGS: [&str; 3] = ["standard", "background twice as long", "10 times without locality"];
const POLICIES: [Policy; 4] = [
    Policy::new("priority only", Variant::Priority),
    Policy::new("SSR", Variant::Literal),
    Policy::new("Holdfast's defaults", Variant::Lookahead),
    // What chance does: background jobs delay each other, so that any change moves their average.
    Policy { later_ms: 1, ..Policy::new("priority only and 1 ms later", Variant::Priority) },
];
/// How many of them are shown as bars.
const SHOWN: usize = 3;
const PRIORITY: usize = 0;
const SSR: usize = 1;
const DEFAULTS: usize = 2;
const LATER: usize = 3;
/// Dark without reservation, as in the paper; told apart without colours, too.
const COLOURS: [&str; SHOWN] = ["#333333", "#56b4e9", "#d9e8f3"];

/// A number that says something about one world under one policy.
type Measure = fn(&Runs, usize) -> f64;

/// In the file as `policy, measure`.
const MEASURES: [(&str, Measure); 7] = [
    ("slowdown", Runs::slowdown),
    ("slowdown of the most slowed", |runs, p| runs.slowdowns(p).fold(0.0, f64::max)),
    ("held idle", |runs, p| runs.runs[p].held),
    ("busy", |runs, p| runs.runs[p].busy),
    ("background slowed", |runs, p| runs.background_slowed(PRIORITY, p)),
    ("background of one stage slowed", |runs, p| runs.simple_slowed(PRIORITY, p)),
    ("background of several stages slowed", |runs, p| runs.staged_slowed(PRIORITY, p)),
];
const SLOWDOWN: usize = 0;
const HELD: usize = 2;
const BACKGROUND: usize = 4;
const SIMPLE: usize = 5;
const STAGED: usize = 6;

/// Slowdowns in three settings, of three kinds of foregrounds, under three policies.
///
/// # Errors
/// Those of a simulation.
pub(super) fn figure(ask: &Ask) -> Result<Figure, Failure> {
    let cases: Vec<Case> =
        (0..SETTINGS.len()).flat_map(|s| (0..NAMES.len()).map(move |f| case(s, f))).collect();
    let all = simulated(ask, SEEDS, &cases, &POLICIES, true)?;
    let seeds = all.first().map_or(0, Vec::len);
    let rows = rows(&all, ask.seed());
    Ok(Figure {
        about: about(seeds, ask.nodes()),
        panels: panels(&rows),
        tables: vec![table(&rows, seeds)],
        claims: claims::all(&rows),
        rows,
    })
}

fn case(setting: usize, foreground: usize) -> Case {
    let usual = Setting { foreground: FOREGROUNDS[foreground], ..Setting::default() };
    let setting_of = match setting {
        1 => Setting { long: 2.0, ..usual },
        2 => Setting { penalty: 2.0 * usual.penalty, ..usual },
        _ => usual,
    };
    Case { name: format!("{}, {}", NAMES[foreground], SETTINGS[setting]), setting: setting_of }
}

fn series(policy: usize, measure: usize) -> String {
    format!("{}: {}", POLICIES[policy].name, MEASURES[measure].0)
}

fn rows(all: &[Vec<Runs>], seed: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for (setting, of_setting) in SETTINGS.into_iter().zip(all.chunks(NAMES.len())) {
        for ((place, name), runs) in (0..).zip(NAMES).zip(of_setting) {
            for p in 0..POLICIES.len() {
                rows.extend((0..MEASURES.len()).map(|m| Row {
                    setting: setting.to_owned(),
                    x: X::Named(place, name),
                    series: series(p, m),
                    point: of_seeds(
                        m,
                        runs.iter().map(|runs| MEASURES[m].1(runs, p)).collect(),
                        seed,
                    ),
                }));
            }
        }
    }
    rows
}

/// Returns what the seeds say together. What the background pays is a small difference of two averages: it is told by
/// its mean, and how well that is known.
fn of_seeds(measure: usize, values: Vec<f64>, seed: u64) -> Point {
    if measure >= BACKGROUND {
        expected(&values, seed).unwrap_or(Point::exact(f64::NAN))
    } else {
        over_seeds(values, seed)
    }
}

/// Over the kinds of foregrounds.
fn points(rows: &[Row], setting: usize, policy: usize, measure: usize) -> Vec<Point> {
    let points = line(rows, SETTINGS[setting], &series(policy, measure));
    points.into_iter().map(|(_, point)| point).collect()
}

fn about(seeds: usize, nodes: u32) -> Vec<String> {
    let jobs = Setting { nodes, ..Setting::default() }.background();
    vec![
        format!(
            "{} nodes of four slots, {} background jobs, and 20 foreground jobs of a higher priority: SQL queries, \
             MLlib jobs of 20 tasks a stage, or MLlib jobs of 40. A task waits 3 s for a slot next to its input and then \
             takes any; away from its input it takes five times as long, in (c) ten times. A bar is how many times as \
             long as alone the 20 jobs take on average: with priorities only (work conservation), with Algorithm 1 and \
             its pre-reservation (R = 0.5) as the paper has it, and with Holdfast's defaults, which look further ahead and \
             copy stragglers of shuffle stages. Values are medians over {seeds} seeds, whiskers reach {}. (d): by \
             how much longer than with priorities only the average background job takes, the mean over the seeds with its \
             95 % confidence interval.",
            grouped(nodes.into()),
            grouped(jobs),
            reach(seeds)
        ),
        "What the paper does not give, and we chose: what the background is made of, how fast it comes, how wide stages \
         are and how long their tasks take; that the first tasks of a job run anywhere equally fast, since nothing can be \
         reserved for them; that all tasks of a shuffle's reader are next to their input wherever a task ran whose output \
         they read; and that tasks beyond those of the stage before have no slot that it used, alone or not. The \
         simulator's module `paper` says why."
            .to_owned(),
    ]
}

fn panels(rows: &[Row]) -> Vec<Panel> {
    let all = rows.iter().filter(|row| row.series.ends_with(MEASURES[SLOWDOWN].0));
    let most = all.map(|row| row.point.interval().1).fold(1.0, f64::max);
    let slowdowns = |(s, title): (usize, &str)| Panel {
        title: title.to_owned(),
        x: names("foreground"),
        y: Axis {
            label: "time / time alone",
            ticks: ticks(0.0, most * 1.06),
            scale: Scale::Linear,
        },
        lines: (0..SHOWN)
            .map(|p| bars(POLICIES[p].name, COLOURS[p], points(rows, s, p, SLOWDOWN)))
            .collect(),
    };
    let titles = [
        "(a) the standard setting",
        "(b) background tasks twice as long",
        "(c) ten times as long without locality",
    ];
    titles.into_iter().enumerate().map(slowdowns).chain([paid(rows)]).collect()
}

/// Returns what the background pays, in per cent.
fn paid(rows: &[Row]) -> Panel {
    let percents = |s: usize| -> Vec<Point> {
        points(rows, s, SSR, BACKGROUND).into_iter().map(percent).collect()
    };
    let all: Vec<Point> = (0..SETTINGS.len()).flat_map(percents).collect();
    let least = all.iter().map(|point| point.interval().0).fold(0.0, f64::min);
    let most = all.iter().map(|point| point.interval().1).fold(0.1, f64::max);
    Panel {
        title: "(d) background slowed by SSR".to_owned(),
        x: names("foreground"),
        y: Axis { label: "per cent", ticks: around_zero(least, most), scale: Scale::Linear },
        lines: (0..SETTINGS.len())
            .map(|s| bars(["(a)", "(b)", "(c)"][s], COLOURS[s], percents(s)))
            .collect(),
    }
}

/// Ticks from below `least` to above `most`, 0 among them.
fn around_zero(least: f64, most: f64) -> Vec<f64> {
    let span = ticks(0.0, (most - least) * 1.2);
    let step = span.get(1).copied().unwrap_or(1.0);
    let below = (-least * 1.15 / step).ceil();
    let above = (most * 1.15 / step).ceil();
    let at = |i: f64| ((i - below) * step * 1e9).round() / 1e9;
    (0_u32..).map(f64::from).take_while(|i| *i <= below + above).map(at).collect()
}

fn percent(point: Point) -> Point {
    let spread =
        point.spread.map(|s| crate::statistics::Spread { lo: s.lo * 100.0, hi: s.hi * 100.0, ..s });
    Point { value: point.value * 100.0, spread }
}

fn names(label: &'static str) -> Axis {
    Axis { label, ticks: Vec::new(), scale: Scale::Names(&NAMES) }
}

fn bars(label: &str, colour: &'static str, points: Vec<Point>) -> Line {
    Line {
        label: label.to_owned(),
        style: Style { colour, dash: "", width: 0.0, marker: None },
        points: (0..points.len()).map(|i| i as f64).zip(points).collect(),
    }
}

fn table(rows: &[Row], seeds: usize) -> Table {
    let share = |share: f64| format!("{:.2} %", share * 100.0);
    let times = |times: f64| format!("{times:.2}");
    let mut cells = Vec::new();
    for (s, setting) in SETTINGS.iter().enumerate() {
        for (f, name) in NAMES.iter().enumerate() {
            let of = |p: usize, m: usize| points(rows, s, p, m)[f];
            let mut row = vec![format!("{name}, {setting}")];
            row.extend((0..SHOWN).map(|p| said(&of(p, SLOWDOWN), times)));
            row.push(share(of(SSR, HELD).value));
            row.extend([BACKGROUND, SIMPLE, STAGED].map(|m| said(&of(SSR, m), share)));
            row.extend([DEFAULTS, LATER].map(|p| said(&of(p, BACKGROUND), share)));
            cells.push(row);
        }
    }
    let head = [
        "foreground, setting",
        "slowdown: priority only",
        "SSR",
        "Holdfast's defaults",
        "slots held idle, SSR",
        "background slowed: SSR",
        "its jobs of one stage",
        "of several",
        "all, Holdfast's defaults",
        "all, priority only and the foreground 1 ms later",
    ];
    Table {
        title: format!(
            "By foreground and setting; in brackets slowdowns reach {}, and what the background pays has its 95 % confidence interval",
            reach(seeds)
        ),
        head: head.map(str::to_owned).to_vec(),
        rows: cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::ssr::on_any_threads;

    #[test]
    fn equal_bytes_on_one_thread_and_on_many() {
        let one = on_any_threads("fig15", 2);
        assert_eq!(one.rows.len(), 3 * 3 * 4 * 7, "settings, foregrounds, policies, measures");
        assert!(one.rows.iter().all(|row| row.point.spread.is_some_and(|s| s.seeds == 2)));
        assert_eq!(one.panels.len(), 4);
        for panel in &one.panels {
            assert!(panel.lines.iter().all(|line| line.points.len() == 3), "{}", panel.title);
        }
        // Against itself no job is slowed.
        for s in 0..3 {
            let slowed = points(&one.rows, s, PRIORITY, BACKGROUND);
            assert!(slowed.iter().all(|point| point.value == 0.0), "{slowed:?}");
        }
    }

    #[test]
    fn the_worlds_are_those_of_the_papers_settings() {
        let of = |s: usize| case(s, 1).setting;
        assert_eq!((of(0).long, of(0).penalty), (1.0, 5.0));
        assert_eq!((of(1).long, of(1).penalty), (2.0, 5.0));
        assert_eq!((of(2).long, of(2).penalty), (1.0, 10.0));
        assert_eq!((of(0).nodes, of(0).jobs), (1000, 8000));
        assert_eq!(case(2, 0).name, "SQL, 10 times without locality");
    }

    /// `--nodes` makes another cluster than the paper's.
    #[test]
    fn the_cluster_that_is_simulated_is_named() {
        assert_eq!(title(1000), "Fig. 15: slowdown of foreground jobs at 1,000 nodes");
        assert_eq!(title(50), "Fig. 15: slowdown of foreground jobs at 50 nodes");
        let [usual, small] = [1000, 50].map(|nodes| about(5, nodes)[0].clone());
        assert!(usual.starts_with("1,000 nodes of four slots, 8,000 background jobs, and"));
        assert!(small.starts_with("50 nodes of four slots, 400 background jobs, and"), "{small}");
    }

    #[test]
    fn ticks_around_zero_go_beyond_both_ends() {
        assert_eq!(around_zero(0.0, 0.1), [0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12]);
        let both = around_zero(-0.3, 0.5);
        assert!(both.contains(&0.0) && both[0] <= -0.3 && both[both.len() - 1] >= 0.5, "{both:?}");
    }
}
