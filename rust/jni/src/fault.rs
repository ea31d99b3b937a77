//! What went wrong, as a number for the caller and a text on request.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;

use holdfast_engine::EngineError;

use crate::numbers;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The engine refused.
    Engine(EngineError),
    /// There is no such handle any more, or there never was.
    BadHandle(i64),
    /// The engine has panicked, now or before.
    Panic(String),
    /// An argument is out of range.
    BadArgument(String),
}

impl Fault {
    /// The number that `NativeEngine` documents.
    pub(crate) const fn code(&self) -> i32 {
        match self {
            Self::Engine(error) => -error.code(),
            Self::BadHandle(_) => numbers::BAD_HANDLE,
            Self::Panic(_) => numbers::PANIC,
            Self::BadArgument(_) => numbers::BAD_ARGUMENT,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => write!(f, "the engine refused: {error}"),
            Self::BadHandle(handle) => {
                write!(f, "no engine has the handle {handle}: closed already?")
            }
            Self::Panic(message) => write!(f, "the engine panicked: {message}"),
            Self::BadArgument(message) => f.write_str(message),
        }
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<jni::errors::Error> for Fault {
    fn from(error: jni::errors::Error) -> Self {
        Self::BadArgument(format!("cannot use an argument: {error}"))
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the text for this thread and gives the number.
pub(crate) fn report(fault: &Fault) -> i32 {
    LAST.with_borrow_mut(|last| {
        use fmt::Write;
        last.clear();
        let _ = write!(last, "{fault}");
    });
    fault.code()
}

/// Text of this thread's last failed call.
pub(crate) fn last() -> String {
    LAST.with_borrow(String::clone)
}

/// Keeps panics off the host's console: the guard that catches one says what happened.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let trace = std::backtrace::Backtrace::capture();
        let trace = match trace.status() {
            std::backtrace::BacktraceStatus::Captured => format!("\n{trace}"),
            _ => String::new(),
        };
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line()));
        let text = format!("{}{}{trace}", text_of(info.payload()), place.unwrap_or_default());
        PANIC.with_borrow_mut(|panic| *panic = Some(text));
    }));
}

/// The text of a panic that has just been caught on this thread.
pub(crate) fn caught(payload: &(dyn Any + Send)) -> String {
    let message =
        PANIC.with_borrow_mut(Option::take).unwrap_or_else(|| text_of(payload).to_owned());
    // Not louder: the caller gets the text as its error, and warns once.
    log::info!("panic: {message}");
    message
}

fn text_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
