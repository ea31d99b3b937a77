//! Whatever is written is read again; whatever bytes come, reading does not panic.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use holdfast_engine::*;
use holdfast_log::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[derive(Clone, Debug)]
enum Written {
    Event(Time, Event, Vec<Decision>, Option<i32>),
    Name(NameKind, u32, String),
    Seal,
}

/// Small and large numbers alike: both ends of the varints.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0..300u32, any::<u32>(), Just(u32::MAX)]
}

fn event() -> impl Strategy<Value = Event> {
    (0..ARGUMENTS.len(), prop::array::uniform::<_, MOST>(number())).prop_map(
        |(kind, mut numbers)| {
            let kind = u8::try_from(kind).unwrap();
            // What is not just any number.
            let others = (0..MOST).map(|place| (place, 2));
            for (place, values) in
                [(1, 3), (5, 6), (1, 2), (2, 2), (4, 2)].into_iter().chain(others)
            {
                if event_from_wire(kind, &numbers).is_none() {
                    numbers[place] %= values;
                }
            }
            event_from_wire(kind, &numbers).unwrap()
        },
    )
}

fn decision() -> impl Strategy<Value = Decision> {
    use {EndCause as C, Reason as R};
    let reason = select(vec![R::Waiting, R::Barrier, R::Gap, R::Grow]);
    let cause = select(vec![
        C::Used,
        C::Moved,
        C::Overridden,
        C::Expired,
        C::NotNeeded,
        C::WorkflowOver,
        C::ExecutorGone,
    ]);
    prop_oneof![
        (number(), number(), number(), reason, any::<u64>()).prop_map(|(h, w, e, reason, d)| {
            let (hold, workflow, executor) = (HoldId(h), WorkflowId(w), ExecutorId(e));
            Decision::Held { hold, workflow, executor, reason, deadline: Time(d) }
        }),
        (number(), cause).prop_map(|(h, cause)| Decision::HoldEnded { hold: HoldId(h), cause }),
        Just(Decision::Reoffer),
    ]
}

fn written() -> impl Strategy<Value = Written> {
    let time = prop_oneof![any::<u64>(), 0..1_000_000_000u64];
    let kind =
        select(vec![NameKind::Executor, NameKind::Workflow, NameKind::User, NameKind::Claim]);
    let error = prop::option::of(1..100i32);
    prop_oneof![
        8 => (time, event(), vec(decision(), 0..6), error)
            .prop_map(|(t, event, decisions, error)| Written::Event(Time(t), event, decisions, error)),
        1 => (kind, number(), "\\PC{0,40}").prop_map(|(k, id, name)| Written::Name(k, id, name)),
        1 => Just(Written::Seal),
    ]
}

fn log_of(records: &[Written]) -> Vec<u8> {
    let mut log = LogWriter::new(&common::header()).unwrap();
    for record in records {
        match record {
            Written::Event(now, event, decisions, error) => {
                log.event(*now, event, decisions, *error);
            }
            Written::Name(kind, id, name) => log.name(*kind, *id, name),
            Written::Seal => log.seal(),
        }
    }
    log.end();
    let mut bytes = Vec::new();
    log.write_to(&mut bytes).unwrap();
    assert_eq!(log.pending(), 0);
    bytes
}

proptest! {
    #[test]
    fn round_trip(records in vec(written(), 0..60)) {
        let bytes = log_of(&records);
        let mut reader = Reader::new(&bytes[..]).unwrap();
        prop_assert_eq!(reader.header(), &common::header());
        for record in &records {
            let expected = match record.clone() {
                Written::Event(now, event, decisions, error) => {
                    let read = reader.next().unwrap().unwrap();
                    prop_assert_eq!(read.now, now);
                    let at = usize::try_from(read.offset).unwrap();
                    prop_assert_eq!(&bytes[at..at + reader.raw().len()], reader.raw());
                    prop_assert_eq!(read.entry, Entry::Event { event, decisions, error });
                    continue;
                }
                Written::Name(kind, id, name) => Entry::Name { kind, id, name },
                Written::Seal => continue,
            };
            prop_assert_eq!(reader.next().unwrap().unwrap().entry, expected);
        }
        prop_assert!(reader.next().is_none());
        prop_assert!(reader.ended());
    }

    #[test]
    fn any_event_survives_the_wire(event in event()) {
        let (kind, numbers) = event_to_wire(&event);
        prop_assert!(numbers[ARGUMENTS[usize::from(kind)]..].iter().all(|&n| n == 0));
        prop_assert_eq!(event_from_wire(kind, &numbers), Some(event));
    }

    /// Checksums that fit, contents that need not: the decoder itself has to refuse.
    #[test]
    fn a_frame_of_garbage_never_panics(payload in vec(any::<u8>(), 1..200)) {
        let mut bytes = LogWriter::new(&common::header()).unwrap().take().unwrap();
        let start = bytes.len() as u64 + 8;
        let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
        let crc = u32::from_le_bytes(bytes[14..18].try_into().unwrap());
        let mut hasher = crc32fast::Hasher::new_with_initial(crc);
        hasher.update(&length);
        hasher.update(&payload);
        bytes.extend(length);
        bytes.extend(hasher.finalize().to_le_bytes());
        bytes.extend(&payload);
        let mut reader = Reader::new(&bytes[..]).unwrap();
        let error = reader.by_ref().find_map(Result::err);
        if let Some(error) = error {
            prop_assert!(error.offset >= start && error.offset <= bytes.len() as u64);
            prop_assert!(!matches!(error.problem, Problem::Checksum));
        }
        prop_assert!(reader.next().is_none());
    }

    #[test]
    fn any_bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        prop_assert!(Reader::new(&bytes[..]).is_err());
    }
}

#[test]
fn a_long_name_is_cut_between_characters() {
    let name = "é".repeat(MAX_NAME);
    let bytes = log_of(&[Written::Name(NameKind::Workflow, 1, format!("x{name}"))]);
    let read = Reader::new(&bytes[..]).unwrap().next().unwrap().unwrap();
    let Entry::Name { name: cut, .. } = read.entry else { panic!("{read:?}") };
    assert_eq!(cut.len(), MAX_NAME - 1);
    assert!(format!("x{name}").starts_with(&cut));
}
