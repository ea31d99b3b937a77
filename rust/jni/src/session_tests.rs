//! Logs reach their files; bad input is named.

use holdfast_engine::Policy;
use holdfast_log::{Entry, Reader, event_to_wire, replay};
use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Options, simulate};

use super::*;

/// A file of this test's own, removed when done.
struct TestFile(std::path::PathBuf);

impl TestFile {
    fn new(name: &str) -> Self {
        let folder = format!("holdfast-jni-{}", std::process::id());
        Self(std::env::temp_dir().join(folder).join(name))
    }

    fn read(&self) -> holdfast_log::Replayed {
        replay(&mut Reader::new(File::open(&self.0).unwrap()).unwrap())
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn open(table: &Table<Session>, path: Option<&Path>) -> i64 {
    table.insert(Session::open(b"{}", b"{\"app\":\"a\"}", path).unwrap()).unwrap()
}

fn tick(table: &Table<Session>, handle: i64, now: i64) -> Result<i64, Fault> {
    table.with(handle, |session| session.step(now, &Event::Tick))
}

#[test]
fn the_log_is_in_the_file_after_a_flush_and_ended_after_close() {
    let (table, file) = (Table::new(), TestFile::new("flush.hflog"));
    let handle = open(&table, Some(&file.0));
    assert_eq!(file.read().events, 0, "the header is there from the beginning");
    for now in 0..5 {
        assert_eq!(tick(&table, handle, now), Ok(NO_DEADLINE << 2));
    }
    assert_eq!(file.read().events, 0);
    assert_eq!(flush(&table, handle), Ok(0));
    assert_eq!((file.read().events, file.read().ended), (5, false));
    tick(&table, handle, 9).unwrap();
    assert_eq!(close(&table, handle), Ok(0));
    assert_eq!((file.read().events, file.read().ended), (6, true));
    assert_eq!(close(&table, handle), Err(Fault::BadHandle(handle)));
    assert_eq!(flush(&table, handle), Err(Fault::BadHandle(handle)));
}

#[test]
fn the_log_of_a_broken_engine_is_kept_and_not_ended() {
    let (table, file) = (Table::new(), TestFile::new("broken.hflog"));
    let handle = open(&table, Some(&file.0));
    table.with(handle, |session| Ok(session.panic_in(3))).unwrap();
    for now in 0..2 {
        tick(&table, handle, now).unwrap();
    }
    for now in 2..4 {
        let fault = tick(&table, handle, now).unwrap_err();
        assert_eq!(fault.code(), -101);
        assert!(fault.to_string().contains("asked for by testPanic"), "{fault}");
    }
    assert_eq!(flush(&table, handle).unwrap_err().code(), -101);
    assert_eq!(close(&table, handle), Ok(0));
    assert_eq!((file.read().events, file.read().ended), (2, false));
}

#[test]
fn without_a_log_everything_else_works() {
    let table = Table::new();
    let handle = open(&table, None);
    tick(&table, handle, 1).unwrap();
    assert_eq!(flush(&table, handle), Ok(0));
    assert_eq!(table.with(handle, |s| Ok(s.totals()[11])), Ok(1));
    assert_eq!(close(&table, handle), Ok(0));
}

#[test]
fn a_log_that_cannot_be_written_is_named() {
    let fault = Session::open(b"{}", b"{}", Some(Path::new("/proc/no/such.hflog"))).err().unwrap();
    assert_eq!(fault.code(), -103);
    assert!(fault.to_string().contains("/proc/no/such.hflog"), "{fault}");
}

/// A disk that fills up: the engine goes on, the failure is said once.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_log_and_not_the_engine() {
    let table = Table::new();
    let handle = open(&table, None);
    table
        .with(handle, |session| {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            session.log =
                Some(LogWriter::new(&Header::new(Config::default(), BTreeMap::new())).unwrap());
            session.file = Some(Arc::new(Mutex::new(full)));
            Ok(())
        })
        .unwrap();
    tick(&table, handle, 1).unwrap();
    let fault = flush(&table, handle).unwrap_err();
    assert!(matches!(fault, Fault::Log(_)) && fault.to_string().contains("space"), "{fault}");
    assert_eq!(flush(&table, handle), Ok(0));
    tick(&table, handle, 2).unwrap();
    assert_eq!(close(&table, handle), Ok(0));
}

#[test]
fn a_bad_configuration_or_header_is_refused_by_name() {
    for (config, header, word) in [
        (&b"{\"hold_max\": 3}"[..], &b"{}"[..], "`hold_max`"),
        (b"{\"policy\": \"fifo\"}", b"{}", "`fifo`"),
        (b"{\"hold_max_ns\": -1}", b"{}", "-1"),
        (b"", b"{}", "EOF"),
        (b"{}", b"[]", "header"),
    ] {
        let fault = Session::open(config, header, None).err().unwrap();
        assert!(fault.code() == -102 && fault.to_string().contains(word), "{fault}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (kind, numbers) in [
        (18, [0; 6]),
        (-1, [0; 6]),
        (0, [0, 0, -1000, 0, 0, 0]),
        (1, [0, 0, 1, 1, 1, -1]),
        (2, [0, 2, 0, 0, 0, 0]),
        (7, [0, 0, -4, 0, 0, 0]),
        (9, [0, 0, 0, -1, 0, 0]),
        (16, [0, 0, 0, 0, -1, 0]),
        (17, [0, 1, -1, 0, 0, 0]),
    ] {
        assert_eq!(event(kind, numbers).unwrap_err().code(), -102, "{kind} {numbers:?}");
    }
    let launched = event(11, [-1, 2, 3, 4, 0, 0]).unwrap();
    assert!(matches!(launched, Event::Launched { attempt, .. } if attempt.0 == u32::MAX));
    assert_eq!(resources([-1, 0, 0, 0]).unwrap_err().code(), -102);
}

/// The raw records of a log's events: time, event, decisions, error.
fn records(log: &[u8]) -> Vec<(Time, Event, Vec<u8>)> {
    let mut reader = Reader::new(log).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next() {
        let record = record.unwrap();
        if let Entry::Event { event, .. } = record.entry {
            records.push((record.now, event, reader.raw().to_vec()));
        }
    }
    records
}

/// What the engine was told in simulations, told as the JVM tells it, number by number: the same decisions, byte for byte.
#[test]
fn simulated_logs_are_decided_the_same_through_the_library() {
    let setting =
        |seed| Setting { seed, nodes: 30, foreground: Foreground::Sql, ..Setting::default() };
    for (seed, variant) in [
        (1, Variant::Lookahead),
        (2, Variant::Literal),
        (3, Variant::LiteralCopies),
        (4, Variant::Timeout),
        (5, Variant::Static),
    ] {
        let world = variant.of(&world(&setting(seed)));
        let config = world.engine.clone().unwrap();
        let simulated = simulate(&world, &Options { log: true, ..Options::default() }).unwrap();
        let told = records(&simulated.log.unwrap());
        assert_eq!(told.len() as u64, simulated.steps);
        assert!(simulated.decisions > 0 || config.policy == Policy::Static);
        let (table, file) = (Table::new(), TestFile::new(&format!("simulated-{seed}.hflog")));
        let json = serde_json::to_vec(&config).unwrap();
        let handle = table.insert(Session::open(&json, b"{}", Some(&file.0)).unwrap()).unwrap();
        for (now, known, _) in &told {
            let (kind, numbers) = event_to_wire(known);
            let event = event(kind.into(), numbers.map(u32::cast_signed)).unwrap();
            assert_eq!(event, *known);
            let now = i64::try_from(now.0).unwrap();
            table.with(handle, |session| session.step(now, &event)).unwrap();
        }
        assert_eq!(close(&table, handle), Ok(0));
        let decided = records(&fs::read(&file.0).unwrap());
        let differs = told.iter().zip(&decided).position(|(a, b)| a != b);
        assert_eq!((differs, decided.len()), (None, told.len()), "{variant:?}");
    }
}
