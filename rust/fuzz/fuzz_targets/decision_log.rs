//! Any bytes as a decision log: records that are written as they were read, and a replay, or an error. Whatever an engine
//! makes of the events is replayed as it was.
#![no_main]

use holdfast_engine::{Engine, Event};
use holdfast_log::{Entry, LogWriter, Reader, replay};
use libfuzzer_sys::fuzz_target;

/// Magic, version, length and checksum of a header.
const FIXED: usize = 18;
/// The engine refuses sets with more tasks.
const MOST_OF_A_SET: u32 = 1 << 24;
/// So many tasks of all sets are told to the engine, at most: replay has a bound of its own, which is tested elsewhere.
const LARGE: u32 = 1 << 20;
/// Length and checksum of a frame.
const FRAME_HEAD: usize = 8;

fn word(bytes: &[u8], at: usize) -> usize {
    bytes[at..at + 4].iter().rev().fold(0, |word, &byte| word << 8 | usize::from(byte))
}

/// Sets each length to at most what is there, and each checksum to the one that fits: what is behind them is reached.
fn mended(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut crc = crc32fast::Hasher::new();
    let (mut start, mut head, mut length_at) = (0, FIXED, 10);
    while bytes.len() >= start + head {
        let length = word(&bytes, start + length_at).min(bytes.len() - start - head);
        let said = u32::try_from(length).expect("fuzzed inputs are small").to_le_bytes();
        bytes[start + length_at..start + length_at + 4].copy_from_slice(&said);
        let (checksum_at, end) = (start + head - 4, start + head + length);
        crc.update(&bytes[start..checksum_at]);
        crc.update(&bytes[checksum_at + 4..end]);
        let sum = crc.clone().finalize().to_le_bytes();
        bytes[checksum_at..checksum_at + 4].copy_from_slice(&sum);
        (start, head, length_at) = (end, FRAME_HEAD, 0);
    }
    bytes
}

/// The records of a log's frames, without the end record.
fn records(log: &[u8]) -> Vec<u8> {
    let mut rest = &log[FIXED + word(log, 10)..];
    let mut records = Vec::new();
    while !rest.is_empty() {
        let (frame, after) = rest.split_at(FRAME_HEAD + word(rest, 0));
        records.extend_from_slice(&frame[FRAME_HEAD..]);
        rest = after;
    }
    records
}

fn read(bytes: &[u8]) {
    let Ok(mut reader) = Reader::new(bytes) else { return };
    let mut writer = LogWriter::new(reader.header()).expect("it was not too large");
    let mut raw = Vec::new();
    while let Some(record) = reader.next() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                assert!(error.offset <= bytes.len() as u64, "{error}");
                assert!(reader.next().is_none(), "exhausted");
                break;
            }
        };
        raw.extend_from_slice(reader.raw());
        match record.entry {
            Entry::Event { event, decisions, error } => {
                writer.event(record.now, &event, &decisions, error);
            }
            Entry::Name { kind, id, name } => writer.name(kind, id, &name),
        }
    }
    let mut written = Vec::new();
    writer.write_to(&mut written).expect("memory");
    assert_eq!(records(&written), raw, "every value has one encoding");

    let mut reader = Reader::new(bytes).expect("it was read before");
    let replayed = replay(&mut reader);
    assert!(replayed.events <= replayed.records);
}

/// Replay stops where what is recorded is not what is decided: here it is.
fn decide(bytes: &[u8]) {
    let Ok(mut reader) = Reader::new(bytes) else { return };
    let mut engine = Engine::new(reader.header().config.clone());
    let mut writer = LogWriter::new(reader.header()).expect("it was not too large");
    let mut asked = 0;
    while let Some(Ok(record)) = reader.next() {
        let Entry::Event { event, .. } = record.entry else { continue };
        if let Event::SetSubmitted { tasks, .. } = event {
            asked += if tasks > MOST_OF_A_SET { 0 } else { tasks };
            if asked > LARGE {
                break;
            }
        }
        let mut decisions = Vec::new();
        let error = engine.step(record.now, &event, &mut decisions).err().map(|e| e.code());
        writer.event(record.now, &event, &decisions, error);
    }
    writer.end();
    let mut log = Vec::new();
    writer.write_to(&mut log).expect("memory");
    let replayed = replay(&mut Reader::new(&log[..]).expect("just written"));
    assert!(replayed.difference.is_none() && replayed.damage.is_none(), "{replayed:?}");
    assert!(replayed.ended);
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let mended = mended(bytes.to_vec());
    read(&mended);
    decide(&mended);
});
