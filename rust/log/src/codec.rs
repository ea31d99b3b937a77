//! Records to bytes and back.

use holdfast_engine::{Decision, Event, ExecutorId, HoldId, Time, WorkflowId};

use crate::numbers::{end_cause_code, end_cause_from, reason_code, reason_from};
use crate::wire::{ARGUMENTS, MOST, event_from_wire, event_to_wire};
use crate::{MAX_NAME, NameKind};

/// Tags of records that are not events; below are the kinds of events.
pub(crate) const FULL: u8 = 29;
pub(crate) const NAME: u8 = 30;
pub(crate) const END: u8 = 31;
const _: () = assert!(ARGUMENTS.len() <= FULL as usize);
const KIND: u8 = 0x1f;
const DECISIONS: u8 = 0x20;
const ERROR: u8 = 0x40;

/// The largest code an engine error may have.
pub(crate) const MAX_ERROR: i32 = 99;

/// Decisions of one step: one for each slot of the largest cluster that is simulated. A frame has room for sixteen times as many.
const MAX_DECISIONS: u64 = 1 << 22;

/// What a record says, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decoded {
    Event { now: Time, event: Event, decisions: Vec<Decision>, error: Option<i32> },
    Name { kind: NameKind, id: u32, name: String },
    End { records: u64, full: bool },
}

/// Appends an event with what the engine made of it.
pub(crate) fn put_event(
    out: &mut Vec<u8>,
    previous: Time,
    now: Time,
    event: &Event,
    decisions: &[Decision],
    error: Option<i32>,
) {
    let (kind, numbers) = event_to_wire(event);
    let flags = if decisions.is_empty() { 0 } else { DECISIONS } | error.map_or(0, |_| ERROR);
    out.push(kind | flags);
    put_difference(out, previous, now);
    for number in &numbers[..ARGUMENTS[usize::from(kind)]] {
        put_varint(out, u64::from(*number));
    }
    if !decisions.is_empty() {
        put_varint(out, decisions.len() as u64);
        for decision in decisions {
            put_decision(out, now, decision);
        }
    }
    if let Some(code) = error {
        debug_assert!((1..=MAX_ERROR).contains(&code));
        put_varint(out, u64::from(code.unsigned_abs()));
    }
}

/// Appends a name, cut to [`MAX_NAME`] bytes.
pub(crate) fn put_name(out: &mut Vec<u8>, kind: NameKind, id: u32, name: &str) {
    let cut = (0..=name.len().min(MAX_NAME)).rev().find(|&i| name.is_char_boundary(i)).unwrap_or(0);
    out.extend([NAME, kind.code()]);
    put_varint(out, u64::from(id));
    put_varint(out, cut as u64);
    out.extend_from_slice(&name.as_bytes()[..cut]);
}

/// Appends the record that says that nothing follows; `full`: since there is no room, not since nothing happens.
pub(crate) fn put_end(out: &mut Vec<u8>, records: u64, full: bool) {
    out.push(if full { FULL } else { END });
    put_varint(out, records);
}

fn put_decision(out: &mut Vec<u8>, now: Time, decision: &Decision) {
    match *decision {
        Decision::Held { hold, workflow, executor, reason, deadline } => {
            out.push(reason_code(reason) << 2);
            for id in [hold.0, workflow.0, executor.0] {
                put_varint(out, u64::from(id));
            }
            put_difference(out, now, deadline);
        }
        Decision::HoldEnded { hold, cause } => {
            out.push(1 | end_cause_code(cause) << 2);
            put_varint(out, u64::from(hold.0));
        }
        Decision::Reoffer => out.push(2),
    }
}

fn put_difference(out: &mut Vec<u8>, from: Time, to: Time) {
    let difference = to.0.wrapping_sub(from.0) as i64;
    put_varint(out, ((difference << 1) ^ (difference >> 63)) as u64);
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Why bytes are not a record.
pub(crate) type Reject = &'static str;

/// A record is of no kind that this build knows.
pub(crate) const UNKNOWN_KIND: Reject = "unknown kind of record";

/// The kind of a record that begins with this tag.
pub(crate) const fn kind_of(tag: u8) -> u8 {
    tag & KIND
}

/// Takes records off a frame's payload.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// The next record; on error the position is where it went wrong.
    pub(crate) fn record(&mut self, previous: Time) -> Result<Decoded, Reject> {
        let tag = self.byte()?;
        match tag {
            NAME => self.name(),
            END | FULL => Ok(Decoded::End { records: self.varint()?, full: tag == FULL }),
            _ => self.event(tag, previous),
        }
    }

    fn event(&mut self, tag: u8, previous: Time) -> Result<Decoded, Reject> {
        let kind = kind_of(tag);
        let arguments = *ARGUMENTS.get(usize::from(kind)).ok_or(UNKNOWN_KIND)?;
        if tag & !(KIND | DECISIONS | ERROR) != 0 {
            return Err("unknown flag of a record");
        }
        let now = self.difference(previous)?;
        let mut numbers = [0; MOST];
        for number in &mut numbers[..arguments] {
            *number = self.number()?;
        }
        let event = event_from_wire(kind, &numbers).ok_or("a truth value is neither 0 nor 1")?;
        let decisions = if tag & DECISIONS == 0 { Vec::new() } else { self.decisions(now)? };
        let error = if tag & ERROR == 0 { None } else { Some(self.error_code()?) };
        Ok(Decoded::Event { now, event, decisions, error })
    }

    fn decisions(&mut self, now: Time) -> Result<Vec<Decision>, Reject> {
        let count = self.varint()?;
        // A decision takes a byte at least: what is left of the frame bounds the memory that a count can ask for.
        if count == 0 || count > MAX_DECISIONS.min((self.bytes.len() - self.at) as u64) {
            return Err("impossible number of decisions");
        }
        (0..count).map(|_| self.decision(now)).collect()
    }

    fn decision(&mut self, now: Time) -> Result<Decision, Reject> {
        let tag = self.byte()?;
        Ok(match (tag & 3, tag >> 2) {
            (0, reason) => {
                let reason = reason_from(reason).ok_or("unknown reason of a hold")?;
                Decision::Held {
                    hold: HoldId(self.number()?),
                    workflow: WorkflowId(self.number()?),
                    executor: ExecutorId(self.number()?),
                    reason,
                    deadline: self.difference(now)?,
                }
            }
            (1, cause) => {
                let cause = end_cause_from(cause).ok_or("unknown cause of a hold's end")?;
                Decision::HoldEnded { hold: HoldId(self.number()?), cause }
            }
            (2, 0) => Decision::Reoffer,
            _ => return Err("unknown kind of decision"),
        })
    }

    fn name(&mut self) -> Result<Decoded, Reject> {
        let kind = NameKind::from_code(self.byte()?).ok_or("unknown kind of name")?;
        let id = self.number()?;
        let length = usize::try_from(self.varint()?).map_err(|_| "impossible length of a name")?;
        if length > MAX_NAME {
            return Err("impossible length of a name");
        }
        let end = self.at + length;
        let bytes = self.bytes.get(self.at..end).ok_or("a name leaves its frame")?;
        let name = std::str::from_utf8(bytes).map_err(|_| "a name is not UTF-8")?.to_owned();
        self.at = end;
        Ok(Decoded::Name { kind, id, name })
    }

    fn error_code(&mut self) -> Result<i32, Reject> {
        let code = i32::try_from(self.varint()?).map_err(|_| "impossible error code")?;
        if (1..=MAX_ERROR).contains(&code) { Ok(code) } else { Err("impossible error code") }
    }

    fn byte(&mut self) -> Result<u8, Reject> {
        let byte = *self.bytes.get(self.at).ok_or("a record leaves its frame")?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u32, Reject> {
        u32::try_from(self.varint()?).map_err(|_| "a number is too large")
    }

    fn difference(&mut self, from: Time) -> Result<Time, Reject> {
        let zigzag = self.varint()?;
        Ok(Time(from.0.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg())))
    }

    fn varint(&mut self) -> Result<u64, Reject> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                return Err("a number is too large");
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                let canonical = byte != 0 || shift == 0;
                return if canonical {
                    Ok(value)
                } else {
                    Err("a number is written in too many bytes")
                };
            }
        }
        Err("a number is too large")
    }
}
