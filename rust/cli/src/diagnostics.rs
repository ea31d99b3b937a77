//! What the program says of its own work, on standard error. It says nothing unless it is asked to.

use std::io::Write;

use env_logger::Builder;
use holdfast_words::shown;
use log::LevelFilter;

/// Lets libraries speak: `-v` once or twice, and `RUST_LOG`, which counts more where it is set.
pub(crate) fn start(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::Off,
        1 => LevelFilter::Info,
        _ => LevelFilter::Debug,
    };
    Builder::new()
        .filter_level(level)
        .parse_default_env()
        .format(|out, record| {
            let level = record.level().as_str().to_ascii_lowercase();
            writeln!(out, "{level}: {}", shown(&record.args().to_string()))
        })
        .init();
}
