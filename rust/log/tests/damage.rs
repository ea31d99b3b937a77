//! Damaged logs are refused with an offset, whatever the damage.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use holdfast_engine::{Decision, EngineError, Event, SetId, Time};
use holdfast_log::{FORMAT, LogWriter, NameKind, Problem, ReadError, Reader, VERSION, replay};

/// All records, or the refusal.
fn read(bytes: &[u8]) -> Result<(u64, bool), ReadError> {
    let mut reader = Reader::new(bytes)?;
    for record in reader.by_ref() {
        record?;
    }
    Ok((reader.records(), reader.ended()))
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = common::recorded(|_, _| {});
    assert!(read(&bytes).unwrap().1);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let error = read(&damaged).expect_err("a flipped bit");
            assert!(error.offset <= bytes.len() as u64, "{error}");
            assert!(error.to_string().starts_with(&format!("byte {}: ", error.offset)));
        }
    }
}

#[test]
fn every_cut_is_noticed() {
    let bytes = common::recorded(|_, _| {});
    let all = read(&bytes).unwrap().0;
    let (mut cut_inside, mut cut_between) = (0, 0);
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            Err(error) => {
                let at_end = matches!(error.problem, Problem::Truncated) || length == 0;
                assert!(at_end && error.offset == length as u64, "{error}");
                cut_inside += 1;
            }
            // Between two frames: what is there is good, and it does not pass for the whole.
            Ok((records, ended)) => {
                assert!(!ended && records < all);
                cut_between += 1;
            }
        }
    }
    assert!(cut_inside > 100 && cut_between >= 3, "{cut_inside} {cut_between}");
}

#[test]
fn a_missing_or_repeated_frame_is_refused() {
    let header = common::header();
    let mut log = LogWriter::new(&header).unwrap();
    let mut blocks = Vec::new();
    for id in 0..3 {
        log.name(NameKind::Executor, id, "e");
        log.seal();
    }
    log.end();
    while let Some(block) = log.take() {
        blocks.push(block);
    }
    assert_eq!(read(&blocks.concat()).unwrap(), (3, true));
    let pick = |order: &[usize]| order.iter().flat_map(|&i| blocks[i].clone()).collect::<Vec<u8>>();
    for order in [&[0, 2, 3, 4][..], &[0, 1, 1, 2, 3, 4], &[0, 2, 1, 3, 4]] {
        let error = read(&pick(order)).expect_err("frames");
        assert!(matches!(error.problem, Problem::Checksum), "{error}");
    }
    let error = read(&pick(&[0, 1, 2, 3, 4, 1])).expect_err("more");
    assert!(matches!(error.problem, Problem::AfterEnd), "{error}");
    assert_eq!(error.records, 3);
}

#[test]
fn other_files_and_versions_are_named() {
    let error = read(b"PK\x03\x04 and so on, long enough").expect_err("zip");
    assert_eq!(
        error.to_string(),
        "byte 0: this is not a Holdfast decision log (0 good records before)"
    );
    let mut bytes = common::recorded(|_, _| {});
    bytes[8] = 9;
    let error = read(&bytes).expect_err("version");
    let expected = format!("format version 9, this program reads {FORMAT}");
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn an_impossible_length_costs_no_memory() {
    let mut bytes = common::recorded(|_, _| {});
    bytes[10..14].copy_from_slice(&u32::MAX.to_le_bytes());
    let refused = |bytes: &[u8]| {
        let mut error = None;
        let used = allocation_counter::measure(|| error = read(bytes).err());
        assert!(used.bytes_max < 1 << 16, "{used:?}");
        error.unwrap().problem
    };
    assert!(matches!(refused(&bytes), Problem::Length(u32::MAX)));

    // A frame that claims as much as is allowed, and has nothing.
    let header = LogWriter::new(&common::header()).unwrap().take().unwrap();
    let frame = [&(64u32 << 20).to_le_bytes()[..], &[0; 14]].concat();
    assert!(matches!(refused(&[header, frame].concat()), Problem::Truncated));
}

/// A log of a few bytes whose sets ask for all memory that there is: 24 bytes for each of 2^23 tasks.
#[test]
fn sets_without_end_cost_no_more_than_replay_allows() {
    let set = common::large_set;
    let replayed = |sets: Vec<Event>| {
        let bytes = common::recorded_sets(&sets, None);
        assert!(bytes.len() < 1_000);
        let mut replayed = None;
        let mut reader = Reader::new(&bytes[..]).unwrap();
        let used = allocation_counter::measure(|| replayed = Some(replay(&mut reader)));
        assert!(used.bytes_max < 512 << 20, "{used:?}");
        let replayed = replayed.unwrap();
        assert!(replayed.difference.is_none(), "{replayed:?}");
        (replayed.events, replayed.damage)
    };
    // What the engine refuses takes no memory.
    let mut large = set(0);
    if let Event::SetSubmitted { tasks, .. } = &mut large {
        *tasks = u32::MAX;
    }
    let bytes = common::recorded_sets(&[large], Some(EngineError::BadTaskCount.code()));
    let refused = replay(&mut Reader::new(&bytes[..]).unwrap());
    assert!(refused.events == 4 && refused.damage.is_none(), "{refused:?}");
    assert!(refused.difference.is_none(), "{refused:?}");
    // Two are as many as may live, whatever has been before.
    let ended = (0..3).flat_map(|i| [set(i), Event::SetEnded { set: SetId(i) }]);
    let (events, damage) = replayed(ended.chain([set(3), set(4)]).collect());
    assert!(events == 11 && damage.is_none(), "{damage:?}");
    let (events, damage) = replayed((0..20).map(set).collect());
    let damage = damage.unwrap();
    assert_eq!((events, damage.records), (5, 5));
    assert!(damage.to_string().contains("more than 2^24 tasks"), "{damage}");
}

/// A decision takes a byte in a log and 32 in memory.
#[test]
fn decisions_of_one_step_are_bounded() {
    let read = |decisions: usize| {
        let mut log = LogWriter::new(&common::header()).unwrap();
        log.event(Time(1), &Event::Tick, &vec![Decision::Reoffer; decisions], None);
        let mut bytes = Vec::new();
        log.write_to(&mut bytes).unwrap();
        read(&bytes)
    };
    assert_eq!(read(1 << 22).unwrap().0, 1);
    let error = read((1 << 22) + 1).unwrap_err();
    assert!(matches!(error.problem, Problem::Value("impossible number of decisions")), "{error}");
}

/// A log with this header and no record.
fn with_header(json: &str) -> Vec<u8> {
    let mut bytes = b"\x89HFLOG\r\n".to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(u32::try_from(json.len()).unwrap().to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes);
    hasher.update(json.as_bytes());
    bytes.extend(hasher.finalize().to_le_bytes());
    bytes.extend(json.as_bytes());
    bytes
}

#[test]
fn a_header_with_unknown_fields_is_refused() {
    let json = serde_json::to_string(&common::header()).unwrap();
    let json = json.replacen("\"host\"", "\"guest\"", 1);
    let error = read(&with_header(&json)).expect_err("header");
    assert!(error.to_string().contains("guest"), "{error}");
}

#[test]
fn a_policy_or_a_key_of_another_version_is_named_with_both_versions() {
    let json = serde_json::to_string(&common::header()).unwrap();
    let version = format!("\"engine\":\"{VERSION}\"");
    let other = json.replacen(&version, "\"engine\":\"9.8.7\"", 1);
    for (from, to) in [("\"ssr\"", "\"grass\""), ("\"grow\"", "\"grows\"")] {
        let error = read(&with_header(&other.replacen(from, to, 1))).expect_err("header");
        let said = error.to_string();
        let versions =
            format!("Holdfast 9.8.7 wrote the log, and this program ({VERSION}) does not know");
        assert!(said.contains(&versions) && said.contains(&to.replace('"', "`")), "{said}");
        assert!(said.contains(&from.replace('"', "`")), "what is known is said, too: {said}");
    }
}

#[test]
fn an_event_of_another_version_is_named_with_both_versions() {
    let mut log = LogWriter::new(&common::header()).unwrap();
    log.event(Time(1), &Event::Tick, &[], None);
    let mut bytes = log.rest();
    let kind = 28;
    let (frame, tag) = (bytes.len() - 10, bytes.len() - 2);
    bytes[tag] = kind;
    // The checksum goes on from the header's.
    let start = u32::from_le_bytes(bytes[14..18].try_into().unwrap());
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(&bytes[frame..frame + 4]);
    hasher.update(&bytes[tag..]);
    let crc = hasher.finalize().to_le_bytes();
    bytes[frame + 4..frame + 8].copy_from_slice(&crc);
    let said = read(&bytes).expect_err("kind").to_string();
    assert!(
        said.contains(&format!("event of kind 28, and this program ({VERSION}) knows 0 to")),
        "{said}"
    );
}
