//! The table that `holdfast whatif` writes.

use std::io::{self, Write};

use holdfast_study::whatif::rows::{percent, seconds};
use holdfast_study::whatif::ssr::{Candidate, Ssr, change, trust};
use holdfast_words::shown;

use crate::text::{HEAD, table};

pub(super) fn show(ssr: &Ssr, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{HEAD}What Holdfast would give{HEAD:#} (a simulation on the same executors)")?;
    for line in trust(ssr) {
        writeln!(out, "{line}")?;
    }
    for candidate in &ssr.workflows {
        writeln!(out)?;
        let of = candidate.runs();
        writeln!(
            out,
            "{HEAD}{}{HEAD:#}{of}: {} s lost at barriers, {} of {} s",
            shown(&candidate.workflow),
            seconds(candidate.lost_at_barriers_us / 1_000),
            percent(candidate.lost_at_barriers_us / 1_000, candidate.recorded_ms),
            seconds(candidate.recorded_ms),
        )?;
        let columns = [
            "simulated",
            "JCT, s",
            "change",
            "held idle, slot-s",
            "of all slot-time",
            "others' JCT",
            "worst",
        ];
        table(out, &columns, &rows(candidate, ssr.priority))?;
    }
    Ok(())
}

fn rows(candidate: &Candidate, priority: i32) -> Vec<Vec<String>> {
    let plain = |name: &str, ms: u64| {
        let mut row = vec![name.to_owned(), seconds(ms)];
        row.resize(7, String::new());
        row
    };
    let times = |ratio: Option<f64>| ratio.map_or_else(String::new, |r| format!("{r:.2} times"));
    let mut rows = vec![plain("as recorded", candidate.as_recorded_ms)];
    rows.extend(candidate.settings.iter().map(|setting| {
        vec![
            match setting.isolation {
                0.0 => format!("priority {priority} only"),
                p => format!("priority {priority}, P = {p}"),
            },
            seconds(setting.jct_ms),
            change(setting.change),
            seconds(setting.held_slot_ms),
            format!("{:.2} %", setting.held_share * 100.0),
            times(setting.others_mean),
            times(setting.others_worst),
        ]
    }));
    rows.push(plain("alone", candidate.alone_ms));
    rows
}
