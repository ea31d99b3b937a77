//! Logs reach the host; bad input is named.

use holdfast_log::{Entry, Reader, event_to_wire, replay};
use holdfast_sim::paper::{Foreground, Setting, Variant, world};
use holdfast_sim::{Options, simulate};

use super::*;

fn open(table: &Table<Session>, logs: bool) -> i64 {
    table.insert(Session::open(b"{}", b"{\"app\":\"a\"}", logs).unwrap()).unwrap()
}

/// Fetches what a session's log has gathered.
fn fetch(table: &Table<Session>, handle: i64, into: &mut Vec<u8>) -> Result<(), Fault> {
    let mut take = |block: &[u8]| {
        into.extend_from_slice(block);
        Ok(())
    };
    while drain(table, handle, &mut take)?.is_some() {}
    Ok(())
}

fn read(log: &[u8]) -> holdfast_log::Replayed {
    replay(&mut Reader::new(log).unwrap())
}

fn tick(table: &Table<Session>, handle: i64, now: i64) -> Result<i64, Fault> {
    table.with(handle, |session| session.step(now, &Event::Tick))
}

#[test]
fn blocks_and_what_close_gives_are_one_log() {
    let (table, mut log) = (Table::new(), Vec::new());
    let handle = open(&table, true);
    fetch(&table, handle, &mut log).unwrap();
    assert_eq!(read(&log).events, 0, "the header comes first");
    for now in 0..5 {
        assert_eq!(tick(&table, handle, now), Ok(NO_DEADLINE << 2));
    }
    fetch(&table, handle, &mut log).unwrap();
    assert_eq!((read(&log).events, read(&log).ended), (5, false));
    tick(&table, handle, 9).unwrap();
    log.extend(close(&table, handle).unwrap().unwrap());
    assert_eq!((read(&log).events, read(&log).ended), (6, true));
    assert_eq!(close(&table, handle), Err(Fault::BadHandle(handle)));
    assert_eq!(fetch(&table, handle, &mut log), Err(Fault::BadHandle(handle)));
}

#[test]
fn a_block_that_is_fetched_while_the_session_closes_is_not_lost() {
    let table = Table::new();
    let handle = open(&table, true);
    tick(&table, handle, 1).unwrap();
    let (mut log, mut rest) = (Vec::new(), Vec::new());
    let fetched = drain(&table, handle, |block| {
        log.extend_from_slice(block);
        rest = close(&table, handle)?.unwrap();
        Ok(())
    });
    assert_eq!(fetched, Ok(Some(())));
    log.extend(rest);
    assert_eq!((read(&log).events, read(&log).ended), (1, true));
}

#[test]
fn the_log_of_a_broken_engine_is_kept_and_not_ended() {
    let table = Table::new();
    let handle = open(&table, true);
    table.with(handle, |session| Ok(session.panic_in(3))).unwrap();
    for now in 0..2 {
        tick(&table, handle, now).unwrap();
    }
    for now in 2..4 {
        let fault = tick(&table, handle, now).unwrap_err();
        assert_eq!(fault.code(), -101);
        assert!(fault.to_string().contains("asked for by testPanic"), "{fault}");
    }
    assert_eq!(fetch(&table, handle, &mut Vec::new()).unwrap_err().code(), -101);
    let log = read(&close(&table, handle).unwrap().unwrap());
    assert_eq!((log.events, log.ended), (2, false));
}

/// One job of one task, of a workflow and a user with names of their own, as the shim tells it.
fn job(table: &Table<Session>, handle: i64, id: u32) {
    let (w, now) = (id.cast_signed(), 1_000_000 * i64::from(id));
    let told: [(i32, [i32; 6]); 8] = [
        (4, [w, w % 3, 1_000_000, 0, 0, 0]),
        (6, [w, w, 0, 0, 0, 0]),
        (9, [w, w, 0, 1, 0, 0]),
        (11, [w, w, 0, 0, 1, 0]),
        (12, [w, 0, 0, 0, 0, 0]),
        (10, [w, 0, 0, 0, 0, 0]),
        (8, [w, 1, 0, 0, 0, 0]),
        (5, [w, 0, 0, 0, 0, 0]),
    ];
    let name = format!("workflow-{id}");
    for kind in 0..4 {
        table.with(handle, |session| session.name(kind, id, &name)).unwrap();
    }
    for (kind, numbers) in told {
        let event = event(kind, &numbers).unwrap();
        table.with(handle, |session| session.step(now, &event)).unwrap();
    }
}

#[test]
fn a_session_that_lives_for_long_keeps_nothing_of_what_has_been() {
    let table = Table::new();
    let handle = open(&table, true);
    let mut bytes = 0;
    let mut fetched = |_: u32| {
        let mut take = |block: &[u8]| {
            bytes += block.len();
            Ok(())
        };
        while drain(&table, handle, &mut take).unwrap().is_some() {}
        table.with(handle, |session| Ok((session.accounts()?, session.patterns()))).unwrap();
    };
    for (kind, numbers) in [(0, [0, 0, 1_000, 0, 0, 0]), (1, [0, 0, 2_000, 0, 0, 0])] {
        let event = event(kind, &numbers).unwrap();
        table.with(handle, |session| session.step(0, &event)).unwrap();
    }
    let mut jobs = |ids: std::ops::Range<u32>| {
        for id in ids {
            job(&table, handle, id);
            if id.is_multiple_of(1_000) {
                fetched(id);
            }
        }
    };
    jobs(0..5_001);
    let rest = allocation_counter::measure(|| jobs(5_001..60_001));
    // The log's blocks are kept for the next ones; a byte for each job would be more.
    assert!(rest.bytes_current < 50_000, "{} bytes", rest.bytes_current);
    assert!(bytes > 100_000, "all of it was logged");
    assert_eq!(table.with(handle, |s| Ok(s.totals()[11])), Ok(2 + 8 * 60_001));
}

#[test]
fn without_a_log_everything_else_works() {
    let (table, mut log) = (Table::new(), Vec::new());
    let handle = open(&table, false);
    tick(&table, handle, 1).unwrap();
    fetch(&table, handle, &mut log).unwrap();
    assert_eq!(table.with(handle, |s| Ok(s.totals()[11])), Ok(1));
    assert_eq!((close(&table, handle), log.len()), (Ok(None), 0));
}

#[test]
fn a_log_that_is_not_fetched_is_given_up_and_the_engine_goes_on() {
    let table = Table::new();
    let handle = open(&table, true);
    let name = "x".repeat(holdfast_log::MAX_NAME);
    let logs = |handle| table.with(handle, |session| Ok(session.log.is_some())).unwrap();
    for id in 0.. {
        table.with(handle, |session| session.name(0, id, &name)).unwrap();
        let pending = |session: &mut Session| session.log.as_ref().map_or(0, LogWriter::pending);
        assert!(table.with(handle, |session| Ok(pending(session))).unwrap() <= MAX_PENDING);
        if !logs(handle) {
            assert!(id as usize > (MAX_PENDING / 2) / name.len(), "{id}");
            break;
        }
    }
    tick(&table, handle, 2).unwrap();
    assert_eq!(close(&table, handle), Ok(None));
}

#[test]
fn a_full_log_says_so_and_the_engine_goes_on() {
    let (table, mut log) = (Table::new(), Vec::new());
    let handle = open(&table, true);
    tick(&table, handle, 1).unwrap();
    table.with(handle, |session| Ok(session.end_log())).unwrap();
    tick(&table, handle, 2).unwrap();
    table.with(handle, |session| session.name(0, 1, "e")).unwrap();
    fetch(&table, handle, &mut log).unwrap();
    assert_eq!(close(&table, handle).unwrap().unwrap(), b"");
    let read = read(&log);
    assert_eq!((read.events, read.records, read.ended, read.full), (1, 1, true, true));
}

#[test]
fn nothing_follows_a_block_that_is_lost() {
    let (table, mut log) = (Table::new(), Vec::new());
    let handle = open(&table, true);
    let lost = Fault::BadArgument("no memory".to_owned());
    assert_eq!(drain::<()>(&table, handle, |_| Err(lost.clone())), Err(lost));
    tick(&table, handle, 1).unwrap();
    fetch(&table, handle, &mut log).unwrap();
    assert_eq!((close(&table, handle), log.len()), (Ok(None), 0));
}

#[test]
fn a_header_that_no_reader_takes_costs_the_log_only() {
    let header = format!("{{\"app\":\"{}\"}}", "x".repeat(1 << 20));
    let session = Session::open(b"{}", header.as_bytes(), true).unwrap();
    assert!(session.log.is_none());
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
        let fault = Session::open(config, header, false).err().unwrap();
        assert!(fault.code() == -102 && fault.to_string().contains(word), "{fault}");
    }
}

#[test]
fn a_choice_is_one_number_that_is_not_negative() {
    let most = u32::MAX;
    for (told, number) in [
        (Choice::Host, 0),
        (Choice::Nothing, 1),
        (Choice::Copy(0), 2),
        (Choice::Copy(5), 5 << 2 | 2),
        (Choice::Pending { largest: false, most: 7 }, 7 << 3 | 3),
        (Choice::Pending { largest: true, most }, 0xffff_ffff << 3 | 7),
    ] {
        assert_eq!(choice(told), number);
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (kind, numbers) in [
        (1_000, [0; 6]),
        (19, [0, 0, 2, 0, 0, 0]),
        (21, [0, -1, 0, 0, 0, 0]),
        (18, [0, 0, -1, 0, 0, 0]),
        (-1, [0; 6]),
        (0, [0, 0, -1000, 0, 0, 0]),
        (1, [0, 0, 1, 1, 1, -1]),
        (2, [0, 2, 0, 0, 0, 0]),
        (7, [0, 0, -4, 0, 0, 0]),
        (9, [0, 0, 0, -1, 0, 0]),
        (16, [0, 0, 0, 0, -1, 0]),
        (17, [0, 1, -1, 0, 0, 0]),
    ] {
        assert_eq!(event(kind, &numbers).unwrap_err().code(), -102, "{kind} {numbers:?}");
    }
    assert!(event(11, &[0; 4]).unwrap_err().to_string().ends_with("it has more numbers"));
    let launched = event(11, &[-1, 2, 3, 4, 0, 0]).unwrap();
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
        assert!(simulated.decisions > 0 || config.sets_aside());
        let table = Table::new();
        let json = serde_json::to_vec(&config).unwrap();
        let handle = table.insert(Session::open(&json, b"{}", true).unwrap()).unwrap();
        for (now, known, _) in &told {
            let (kind, numbers) = event_to_wire(known);
            let event = event(kind.into(), &numbers.map(u32::cast_signed)).unwrap();
            assert_eq!(event, *known);
            let now = i64::try_from(now.0).unwrap();
            table.with(handle, |session| session.step(now, &event)).unwrap();
        }
        let decided = records(&close(&table, handle).unwrap().unwrap());
        let differs = told.iter().zip(&decided).position(|(a, b)| a != b);
        assert_eq!((differs, decided.len()), (None, told.len()), "{variant:?}");
    }
}
