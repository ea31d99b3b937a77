//! Log records wait here until the host fetches them for its own logging.

use std::sync::Once;

use log::{LevelFilter, Log, Metadata, Record};
use parking_lot::Mutex;

/// Bytes kept; more are counted and dropped.
const LIMIT: usize = 64 * 1024;

struct Buffer {
    lines: String,
    dropped: u64,
}

static BUFFER: Mutex<Buffer> = Mutex::new(Buffer { lines: String::new(), dropped: 0 });

struct ToBuffer;

impl Log for ToBuffer {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            BUFFER.lock().add(&format!("{} {}\n", record.level(), record.args()));
        }
    }

    fn flush(&self) {}
}

impl Buffer {
    fn add(&mut self, line: &str) {
        if self.lines.len() + line.len() <= LIMIT {
            self.lines.push_str(line);
        } else {
            self.dropped += 1;
        }
    }

    fn drain(&mut self) -> Option<String> {
        let mut lines = std::mem::take(&mut self.lines);
        if self.dropped > 0 {
            lines.push_str(&format!("WARN {} more messages were dropped\n", self.dropped));
            self.dropped = 0;
        }
        (!lines.is_empty()).then_some(lines)
    }
}

/// Collects records from now on: `info` and above, or what `HOLDFAST_LOG` says (off, error, warn, info, debug, trace).
pub(crate) fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = std::env::var("HOLDFAST_LOG").ok();
        let level = asked.as_deref().and_then(|value| value.parse().ok());
        log::set_max_level(level.unwrap_or(LevelFilter::Info));
        // Only a second logger in this library could fail, and there is none.
        let _ = log::set_logger(&ToBuffer);
        if let (Some(value), None) = (asked, level) {
            log::warn!(
                "HOLDFAST_LOG={value} is not off, error, warn, info, debug or trace: info it is"
            );
        }
    });
}

/// The lines since the last call, each with its level first.
pub(crate) fn drain() -> Option<String> {
    BUFFER.lock().drain()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_once_and_too_many_are_counted() {
        let mut buffer = Buffer { lines: String::new(), dropped: 0 };
        assert_eq!(buffer.drain(), None);
        buffer.add("WARN a\n");
        buffer.add("INFO b\n");
        assert_eq!(buffer.drain().as_deref(), Some("WARN a\nINFO b\n"));
        assert_eq!(buffer.drain(), None);
        let line = format!("INFO {}\n", "x".repeat(LIMIT / 2));
        for _ in 0..3 {
            buffer.add(&line);
        }
        let drained = buffer.drain().unwrap();
        assert!(drained.ends_with("WARN 2 more messages were dropped\n"));
        assert!(drained.len() < LIMIT + 64);
    }
}
