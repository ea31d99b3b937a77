//! Opening logs: compression, rolling folders, logs that stop in the middle, and what is no log.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use common::{Log, run};
use holdfast_trace::input::{Codec, Lines, Lz4Blocks, logs_at};
use holdfast_trace::report::ApplicationReport;
use holdfast_trace::{Options, TraceError, whatif};
use proptest::prelude::*;

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A job of two seconds, and the application's end.
fn small() -> String {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &[("spark.jobGroup.id", "a")]);
    log.stage(0, 0, 1);
    log.ran((0, 2_000), 0, 0, 0, "e0");
    log.stage_end(2_000, 0);
    log.job_end(2_000, 0);
    log.end(3_000);
    log.0
}

/// One block of lz4-java's stream; raw when `packed` is none.
fn block(original: &[u8], packed: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = b"LZ4Block".to_vec();
    bytes.push(if packed.is_some() { 0x26 } else { 0x16 }); // 2^(10 + 6): blocks of 64 KiB
    let packed = packed.unwrap_or(original);
    let check = twox_hash::XxHash32::oneshot(0x9747_b28c, original) & 0x0fff_ffff;
    for n in [packed.len(), original.len(), check as usize] {
        bytes.extend(u32::try_from(n).unwrap().to_le_bytes());
    }
    bytes.extend(packed);
    bytes
}

fn end_block() -> Vec<u8> {
    let mut bytes = b"LZ4Block\x16".to_vec();
    bytes.extend([0; 12]);
    bytes
}

fn lz4_blocks(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (i, part) in text.chunks(700).enumerate() {
        let packed = lz4_flex::block::compress(part);
        bytes.extend(block(part, (i % 2 == 0).then_some(&packed)));
    }
    bytes.extend(end_block());
    bytes
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn lz4_frames(text: &[u8]) -> Vec<u8> {
    let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).unwrap()
}

/// The report of the only log at a path.
fn read(path: &Path) -> Result<ApplicationReport, TraceError> {
    let logs = logs_at(path)?;
    assert_eq!(logs.len(), 1);
    whatif(&logs[0], &Options::default())
}

fn jct(path: &Path) -> u64 {
    run(&read(path).unwrap(), "group:a").jct_us
}

fn problem(path: &Path) -> String {
    let error = read(path).unwrap_err().to_string();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).display().to_string();
    error.replace(&folder, "").split_once(": ").map(|(_, what)| what.to_owned()).unwrap()
}

#[test]
fn every_codec_is_known_by_its_first_bytes() {
    let folder = Folder::new("codecs");
    let text = small();
    let (first, second) = text.as_bytes().split_at(500);
    let frames = [zstd(first), zstd(second)].concat();
    let files = [
        ("plain", text.clone().into_bytes()),
        ("zstd", zstd(text.as_bytes())),
        ("zstd-of-two-frames", frames),
        ("lz4", lz4_blocks(text.as_bytes())),
        ("lz4-of-two-streams", [lz4_blocks(first), lz4_blocks(second)].concat()),
        ("lz4-frames", lz4_frames(text.as_bytes())),
        ("lz4-of-two-frames", [lz4_frames(first), lz4_frames(second)].concat()),
        ("gzip", gzip(text.as_bytes())),
        ("no-line-end", text.trim_end().as_bytes().to_vec()),
    ];
    for (name, bytes) in files {
        let path = folder.write(name, &bytes);
        assert_eq!(jct(&path), 2_000_000, "{name}");
        assert_eq!(
            read(&path).unwrap().bytes,
            text.len() as u64 - u64::from(name == "no-line-end")
        );
    }
}

#[test]
fn what_is_not_supported_is_said_clearly() {
    let folder = Folder::new("unsupported");
    let snappy = folder.write("log.snappy", b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01");
    assert!(problem(&snappy).starts_with("is compressed with snappy, which is not supported"));
    let lzf = folder.write("log.lzf", b"ZV\x01\x00\x10\x00\x20");
    assert!(problem(&lzf).contains("lzf, which is not supported: have Spark write logs with"));
    let zip = folder.write("log.zip", b"PK\x03\x04rest");
    assert!(problem(&zip).contains("unpack it first"));
}

#[test]
fn foreign_files_are_refused_with_their_line() {
    let folder = Folder::new("foreign");
    let none = "line 1: this is no event of a Spark event log: ";
    let said = |name, bytes: &[u8]| problem(&folder.write(name, bytes)).replacen(none, "", 1);
    let text = said("text", b"this is a text\nof two lines\n");
    assert_eq!(text, "a word is none of true, false and null (column 2)");
    assert_eq!(said("json", b"{\"name\":\"x\"}\n"), "the field \"Event\" is missing (column 12)");
    assert!(problem(&folder.write("binary", &[0, 159, 146, 150].repeat(1000))).starts_with(none));
    assert!(problem(&folder.0.join("nothing")).starts_with("cannot be opened: "));
}

#[test]
fn a_damaged_line_is_named() {
    let folder = Folder::new("damaged");
    let text = small();
    let number = text.lines().position(|line| line.contains("TaskEnd")).unwrap() + 1;
    let cases = [
        (
            text.replace("\"Task ID\":0,\"Index\":0", "\"Task ID\":-4,\"Index\":0"),
            number - 1,
            "Task ID\" is -4; wanted",
        ),
        (text.replace("\"Task End Reason\"", "\"Reason\""), number, "no \"Task End Reason\""),
        (
            text.replace("\"Finish Time\":1700000002000", "\"Finish Time\":-5"),
            number,
            "-5 is no time",
        ),
        (text.replace("\"Success\"}", "\"Success\""), number, "column "),
    ];
    for (i, (text, line, what)) in cases.into_iter().enumerate() {
        let path = folder.write(&format!("log-{i}"), text.as_bytes());
        let problem = problem(&path);
        assert!(
            problem.starts_with(&format!("line {line}: ")) && problem.contains(what),
            "{problem}"
        );
    }
}

#[test]
fn damaged_compression_is_an_error_in_the_line_that_it_reaches() {
    let folder = Folder::new("damaged-codecs");
    let text = small();
    for (name, mut bytes) in [("zstd", zstd(text.as_bytes())), ("lz4", lz4_blocks(text.as_bytes()))]
    {
        let middle = bytes.len() / 2;
        bytes[middle..middle + 40].fill(0);
        let path = folder.write(name, &bytes);
        let problem = problem(&path);
        assert!(problem.starts_with("line "), "{name}: {problem}");
    }
}

#[test]
fn a_log_in_progress_may_stop_anywhere() {
    let folder = Folder::new("in-progress");
    let text = small();
    let packed = zstd(text.as_bytes());
    let frames = [zstd(&text.as_bytes()[..900]), packed[..20].to_vec()].concat();
    let blocks = lz4_blocks(text.as_bytes());
    let cut = [
        ("plain", text.as_bytes()[..text.len() - 30].to_vec()),
        ("zstd", frames),
        ("lz4", blocks[..blocks.len() - 40].to_vec()),
    ];
    for (name, bytes) in cut {
        let dead = folder.write(&format!("{name}.inprogress"), &bytes);
        let report = read(&dead).unwrap();
        assert!(report.cut_off && !report.ended, "{name}");
        let complete = folder.write(name, &bytes);
        assert!(problem(&complete).contains("the log is cut off here"), "{name}");
    }
    // Stopping between two lines is no cut.
    let lines = text.rfind("{\"Event\":\"SparkListenerApplicationEnd").unwrap();
    let report = read(&folder.write("lines.inprogress", &text.as_bytes()[..lines])).unwrap();
    assert!(!report.cut_off && !report.ended);
    // Damage in the middle is damage, in progress or not.
    let damaged = text.replacen("\"Launch Time\":", "\"Launch Time\"", 1);
    let path = folder.write("damaged.inprogress", damaged.as_bytes());
    assert!(problem(&path).starts_with("line "));
}

#[test]
fn a_rolling_log_is_one_log() {
    let folder = Folder::new("eventlog_v2_app-1");
    let text = small();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    folder.write("appstatus_app-1", b"");
    folder.write(".appstatus_app-1.crc", b"crc");
    for (i, part) in lines.chunks(2).enumerate() {
        folder.write(&format!("events_{}_app-1.zstd", i + 1), &zstd(part.concat().as_bytes()));
    }
    let logs = logs_at(&folder.0).unwrap();
    assert_eq!((logs.len(), logs[0].files.len()), (1, lines.len().div_ceil(2)));
    assert!(logs[0].complete && !logs[0].in_progress);
    assert_eq!(jct(&folder.0), 2_000_000);
    // The tenth file comes after the ninth.
    for i in logs[0].files.len() + 1..=11 {
        folder.write(&format!("events_{i}_app-1"), b"");
    }
    let names: Vec<_> = logs_at(&folder.0).unwrap()[0].files.clone();
    assert!(names[10].ends_with("events_11_app-1") && names[8].ends_with("events_9_app-1"));
    fs::remove_file(folder.0.join("events_9_app-1")).unwrap();
    assert_eq!(problem(&folder.0), "between events_8_... and events_10_... a file is missing");
    fs::remove_file(folder.0.join("events_1_app-1.zstd")).unwrap();
    assert_eq!(problem(&folder.0), "its first file, events_1_..., is missing");
}

#[test]
fn an_error_names_the_file_of_a_rolling_log() {
    let folder = Folder::new("eventlog_v2_app-2");
    let text = small();
    folder.write("events_1_app-2", text.as_bytes());
    folder.write("events_2_app-2", b"{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":}\n");
    folder.write("appstatus_app-2.inprogress", b"");
    let error = read(&folder.0).unwrap_err();
    assert!(error.path.ends_with("events_2_app-2"));
    assert_eq!(error.line, Some(1));
    assert!(logs_at(&folder.0).unwrap()[0].in_progress);
}

#[test]
fn compacted_events_stand_for_those_before() {
    let folder = Folder::new("eventlog_v2_app-3");
    let text = small();
    for name in ["events_1_app-3", "events_2_app-3", "events_2_app-3.compact"] {
        folder.write(name, if name.ends_with("compact") { text.as_bytes() } else { b"" });
    }
    folder.write("events_3_app-3", b"{\"Event\":\"Foo\"}\n");
    let log = logs_at(&folder.0).unwrap().remove(0);
    let names: Vec<_> =
        log.files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["events_2_app-3.compact", "events_3_app-3"]);
    assert!(!log.complete);
    assert_eq!(jct(&folder.0), 2_000_000);
}

#[test]
fn a_folder_of_logs_is_all_of_them() {
    let folder = Folder::new("many");
    folder.write("app-1", b"");
    folder.write("app-2.zstd", b"");
    folder.write("eventlog_v2_app-3/events_1_app-3", b"");
    folder.write(".hidden", b"");
    assert_eq!(logs_at(&folder.0).unwrap().len(), 3);
    let empty = Folder::new("empty");
    assert!(logs_at(&empty.0).unwrap_err().to_string().ends_with("has no event logs in it"));
}

#[test]
fn what_is_empty_or_no_log_is_an_error() {
    let folder = Folder::new("no-log");
    let nothing = "line 1: nothing is in this file; only the last one of an event log";
    for (name, bytes) in [("plain", Vec::new()), ("zstd", zstd(b"")), ("lz4", lz4_blocks(b""))] {
        let problem = problem(&folder.write(name, &bytes));
        assert!(problem.starts_with(nothing), "{name}: {problem}");
        assert!(!read(&folder.write(&format!("{name}.inprogress"), &bytes)).unwrap().ended);
    }
    for foreign in ["{\"Event\":\"Foo\"}\n", "\n", small().lines().last().unwrap()] {
        for name in ["foreign", "foreign.inprogress"] {
            let problem = problem(&folder.write(name, foreign.as_bytes()));
            assert!(problem.starts_with("line 1: no Spark event log begins"), "{name}: {problem}");
        }
    }
}

#[test]
fn an_empty_part_of_a_rolling_log_is_an_error() {
    let folder = Folder::new("eventlog_v2_app-4");
    let text = small();
    let (one, three) = text.split_at(text.find("{\"Event\":\"SparkListenerJobStart").unwrap());
    folder.write("events_1_app-4", one.as_bytes());
    folder.write("events_2_app-4", b"");
    folder.write("events_3_app-4", three.as_bytes());
    folder.write("appstatus_app-4.inprogress", b"");
    let error = read(&folder.0).unwrap_err();
    assert!(error.path.ends_with("events_2_app-4") && error.line == Some(1), "{error}");
    assert!(error.what.starts_with("nothing is in this file"), "{error}");
    // The last one of an application that still runs has just begun.
    folder.write("events_2_app-4", three.as_bytes());
    folder.write("events_3_app-4", b"");
    assert_eq!(jct(&folder.0), 2_000_000);
}

/// Cut between two blocks, each of which is whole.
#[test]
fn lz4_without_its_end_mark_is_cut_off() {
    let folder = Folder::new("lz4-cut");
    let text = small();
    let (frames, blocks) = (lz4_frames(text.as_bytes()), lz4_blocks(text.as_bytes()));
    for (name, bytes) in [
        ("frames", &frames[..frames.len() - 4]),
        ("magic", &frames[..4]),
        ("blocks", &blocks[..blocks.len() - end_block().len()]),
    ] {
        assert!(problem(&folder.write(name, bytes)).contains("the log is cut off here"), "{name}");
        let dead = folder.write(&format!("{name}.inprogress"), bytes);
        assert!(read(&dead).unwrap().cut_off, "{name}");
    }
}

/// Unwanted lines are not held, however long, and lines end where they end, whatever the chunks.
#[test]
fn lines_that_are_not_wanted_are_passed_over() {
    let long = "x".repeat(3 << 20);
    let text = format!("a1\nb{long}\na2\n\na3{long}\nb");
    let mut lines =
        Lines::of_reader(Path::new("t"), Box::new(Cursor::new(text.into_bytes())), false);
    let mut got = Vec::new();
    while let Some(line) = lines.next(|head| !head.starts_with(b"b")).unwrap() {
        got.push((line.number, line.bytes.len()));
    }
    assert_eq!(got, [(1, 2), (3, 2), (4, 0), (5, 2 + (3 << 20))]);
}

proptest! {
    #[test]
    fn lz4_blocks_give_back_what_went_in(
        text in proptest::collection::vec(any::<u8>(), 0..5_000), step in 1usize..300,
    ) {
        let packed = lz4_blocks(&text);
        prop_assert_eq!(Codec::of(&packed[..8]).unwrap(), Codec::Lz4Blocks);
        let mut reader = Lz4Blocks::new(Cursor::new(&packed));
        let mut got = Vec::new();
        let mut buffer = vec![0; step];
        loop {
            let n = reader.read(&mut buffer).unwrap();
            if n == 0 { break; }
            got.extend_from_slice(&buffer[..n]);
        }
        prop_assert_eq!(got, text);
    }

    #[test]
    fn no_flipped_bit_of_an_lz4_block_goes_unnoticed(at in 0usize..700, bit in 0u8..8) {
        let text: Vec<u8> = (0..640u32).map(|i| (i * i % 251) as u8).collect();
        let mut packed = lz4_blocks(&text);
        let at = at % (packed.len() - 21); // the end block says nothing that is needed
        packed[at] ^= 1 << bit;
        let mut got = Vec::new();
        let result = Lz4Blocks::new(Cursor::new(&packed)).read_to_end(&mut got);
        // The checksum has 28 bits; the token's size class may grow without harm.
        prop_assert!(result.is_err() || got == text);
    }
}
