//! What the tables are made of.

/// An event: a fact that the host tells the engine.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The variant of the engine's `Event`.
    pub name: &'static str,
    /// Its number in logs and in the host's calls.
    pub kind: u8,
    /// What it says.
    pub doc: &'static str,
    /// The clause about it in `holdfast explain`, where no names of what it is about are wanted; else empty.
    pub clause: &'static str,
    /// Its fields, in the order of the wire.
    pub fields: &'static [Field],
}

impl Event {
    /// Returns how many numbers the event has on the wire.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.fields.iter().map(Field::numbers).sum()
    }
}

/// A field of an event or a decision.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub of: Of,
    /// What it says.
    pub doc: &'static str,
    /// The event that must have introduced this id before; empty if there is none.
    pub after: &'static str,
}

impl Field {
    /// Requires that `event` has introduced this id before.
    #[must_use]
    pub const fn after(self, event: &'static str) -> Self {
        Self { after: event, ..self }
    }

    /// Returns how many numbers the field adds on the wire.
    #[must_use]
    pub fn numbers(&self) -> usize {
        match self.of {
            Of::Resources => 4,
            Of::EnumAbove(_) => 0,
            _ => 1,
        }
    }
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// An id of that Rust type: 32 bits of any value.
    Id(&'static str),
    /// 32 bits of any value that are no id.
    Bits,
    /// A number that is not negative in the host's calls either.
    Amount,
    /// A number that may be negative: it keeps its bits.
    Signed,
    /// 0 or 1.
    Flag,
    /// A value of that enum: the index in its table.
    Enum(&'static Enum),
    /// The same, doubled, in the number of the flag before it.
    EnumAbove(&'static Enum),
    /// Four amounts.
    Resources,
    /// A point in time; decisions only.
    Time,
}

/// An enum whose variants are numbered from 0 in this order. Logs have the numbers: a new variant goes to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its Rust name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Traits that it derives besides the usual ones.
    pub derives: &'static str,
    /// Its variants.
    pub variants: &'static [Variant],
}

/// A variant of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its Rust name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// A decision: an effect that the host has to know about.
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The variant of the engine's `Decision`.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// Its fields, in the order of the wire; an enum is in the tag.
    pub fields: &'static [Field],
}

/// Why the engine or the native library refuses a call.
#[derive(Clone, Copy, Debug)]
pub struct ErrorCode {
    /// Its name.
    pub name: &'static str,
    /// Its number; above 0.
    pub code: i32,
    /// What it means.
    pub doc: &'static str,
    /// Its text for users.
    pub text: &'static str,
}

/// A counter since the start.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Its place in the host's array.
    pub place: usize,
    /// Its name in `Totals`, in reports and (in capitals) in Java.
    pub name: &'static str,
    /// What it counts.
    pub doc: &'static str,
    /// The policy or mechanism that owns it.
    pub owner: &'static str,
    /// Who counts.
    pub source: Source,
}

/// Who counts, and in what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The engine's `Totals`.
    Totals,
    /// The engine's `Totals`, in nanoseconds (`_ns`); the host gets microseconds (`_MICROS`).
    Nanos,
    /// The session around the engine.
    Session,
}

/// A configuration key, or a local property.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name after the prefix; a part in angle brackets stands for a name of the user's.
    pub name: String,
    /// What a value must look like.
    pub ty: Type,
    /// The default, as the user would write it; empty for none.
    pub default: &'static str,
    /// What it means, in Markdown.
    pub doc: String,
    /// The first version with this key.
    pub since: &'static str,
    /// Where it is set.
    pub scope: Scope,
    /// The constant of Java's `Keys`; empty for keys with a part of the user's.
    pub constant: &'static str,
    /// The field of the engine's `Config`; none if only the shim reads it.
    pub engine: Option<Value>,
    /// Whether a simulated application has it.
    pub simulated: bool,
    /// For tests of Holdfast itself: not in the documentation.
    pub internal: bool,
}

impl Key {
    /// Returns the name as a user writes it.
    #[must_use]
    pub fn full_name(&self) -> String {
        match self.scope {
            Scope::Application => format!("{}{}", crate::PREFIX, self.name),
            Scope::Workflow => format!("{}{}", crate::LOCAL_PREFIX, self.name),
        }
    }

    /// Returns whether `name` is this key, with something in place of the user's part.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        let full = self.full_name();
        match (full.find('<'), full.find('>')) {
            (Some(from), Some(to)) => {
                let (start, end) = (&full[..from], &full[to + 1..]);
                name.len() > start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
            _ => full == name,
        }
    }
}

/// A field of the engine's `Config`.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its name.
    pub field: &'static str,
    /// What its doc comment says after the key's name.
    pub doc: &'static str,
}

/// Where a key is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the application's configuration.
    Application,
    /// As a local property of the thread that submits a workflow's jobs.
    Workflow,
}

/// What a value must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One of these words; the engine's enum of them, if it has one.
    Choice(&'static [&'static str], Option<&'static Enum>),
    /// true or false.
    Boolean,
    /// A whole number that is not negative.
    Integer,
    /// A whole number.
    Priority,
    /// A number from 0 to 1.
    Fraction,
    /// As Spark writes durations; a bare number is milliseconds.
    Duration,
    /// As Spark writes sizes; a bare number is bytes.
    Size,
    /// A path on the driver's machine.
    Path,
    /// A path as Hadoop writes it.
    Uri,
    /// Any text.
    Text,
}
