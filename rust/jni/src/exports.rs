//! The natives of `io.holdfast.bridge.NativeEngine`, in its order; what they mean is documented there.
//!
//! `unsafe` here is the attribute that gives a function its exported name: each name is Java's for this one method, so
//! nothing else in the process can define it.
#![allow(unsafe_code, reason = "exported names; see above")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use holdfast_log::{MOST, REVISION, VERSION};
use jni::objects::{JByteArray, JClass, JIntArray, JLongArray};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned, Outcome};

use crate::fault::{self, Fault};
use crate::handles::Table;
use crate::native_log;
use crate::numbers::{ABI, TOTALS};
use crate::session::{self, Session, event, resources};

const HANDSHAKE: i64 = 0x4846_5354;

static SESSIONS: Table<Session> = Table::new();

/// For calls without Java objects: nothing unwinds out, a fault becomes its number.
fn plain<T: From<i32>>(f: impl FnOnce() -> Result<T, Fault>) -> T {
    let result = catch_unwind(AssertUnwindSafe(f))
        .unwrap_or_else(|payload| Err(Fault::Panic(fault::caught(&*payload))));
    result.unwrap_or_else(|fault| T::from(fault::report(&fault)))
}

/// What a call answers.
trait Answer {
    /// What it answers instead when it failed with this number.
    fn failed(number: i32) -> Self;
}

impl Answer for jint {
    fn failed(number: i32) -> Self {
        number
    }
}

impl Answer for jlong {
    fn failed(number: i32) -> Self {
        number.into()
    }
}

impl Answer for JByteArray<'_> {
    fn failed(_: i32) -> Self {
        JByteArray::null()
    }
}

/// For calls with Java objects: the same, with null for the number where an array is wanted.
fn with_env<'local, T: Answer>(
    mut env: EnvUnowned<'local>,
    f: impl FnOnce(&mut Env<'local>) -> Result<T, Fault>,
) -> T {
    let fault = match env.with_env(f).into_outcome() {
        Outcome::Ok(value) => return value,
        Outcome::Err(fault) => fault,
        Outcome::Panic(payload) => Fault::Panic(fault::caught(&*payload)),
    };
    T::failed(fault::report(&fault))
}

fn text(env: &Env<'_>, bytes: &JByteArray<'_>, what: &str) -> Result<String, Fault> {
    let bytes = env.convert_byte_array(bytes)?;
    String::from_utf8(bytes).map_err(|_| Fault::BadArgument(format!("{what} is not UTF-8")))
}

/// Bytes as Java's array of them.
fn bytes<'l>(env: &mut Env<'l>, bytes: &[u8]) -> Result<JByteArray<'l>, Fault> {
    Ok(env.byte_array_from_slice(bytes)?)
}

/// Exports natives of `io.holdfast.bridge.NativeEngine` under Java's names, each within a guard: `fn` for calls without Java
/// objects, `env fn` for calls with them, whose first argument is the environment.
macro_rules! natives {
    () => {};
    (fn $name:ident($($argument:ident: $type:ty),* $(,)?) -> $answer:ty $body:block $($rest:tt)*) => {
        #[allow(non_snake_case, reason = "a name of Java's")]
        #[unsafe(export_name = concat!("Java_io_holdfast_bridge_NativeEngine_", stringify!($name)))]
        extern "system" fn $name(_: EnvUnowned<'_>, _: JClass<'_>, $($argument: $type),*) -> $answer {
            plain(|| $body)
        }
        natives! { $($rest)* }
    };
    (env fn $name:ident($env:ident $(, $argument:ident: $type:ty)* $(,)?) -> $answer:ty $body:block $($rest:tt)*) => {
        #[allow(non_snake_case, reason = "a name of Java's")]
        #[unsafe(export_name = concat!("Java_io_holdfast_bridge_NativeEngine_", stringify!($name)))]
        extern "system" fn $name<'l>(env: EnvUnowned<'l>, _: JClass<'l>, $($argument: $type),*) -> $answer {
            with_env(env, |$env| $body)
        }
        natives! { $($rest)* }
    };
}

natives! {
    fn handshake() -> jlong {
        native_log::init();
        fault::install_panic_hook();
        Ok(ABI << 32 | HANDSHAKE)
    }

    env fn describe(env) -> JByteArray<'l> {
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let libc = if cfg!(target_env = "musl") { "-musl" } else { "" };
        let target = format!("{os}-{arch}{libc}");
        let fields = [("version", VERSION), ("revision", REVISION), ("target", &target)];
        let mut json: serde_json::Map<_, _> = fields
            .map(|(k, v)| (k.to_owned(), serde_json::Value::from(v)))
            .into_iter()
            .collect();
        json.insert("abi".to_owned(), ABI.into());
        bytes(env, serde_json::Value::from(json).to_string().as_bytes())
    }

    env fn open(env, config: JByteArray<'l>, header: JByteArray<'l>, logs: jboolean) -> jlong {
        let config = env.convert_byte_array(&config)?;
        let header = env.convert_byte_array(&header)?;
        SESSIONS.insert(Session::open(&config, &header, logs)?)
    }

    env fn lastError(env) -> JByteArray<'l> {
        bytes(env, fault::last().as_bytes())
    }

    fn step(
        handle: jlong, now: jlong, kind: jint, a: jint, b: jint, c: jint, d: jint, e: jint, f: jint,
    ) -> jlong {
        let event = event(kind, &[a, b, c, d, e, f])?;
        SESSIONS.with(handle, |session| session.step(now, &event))
    }

    env fn stepArray(env, handle: jlong, now: jlong, kind: jint, numbers: JIntArray<'l>) -> jlong {
        let length = if numbers.is_null() { 0 } else { numbers.len(env)? };
        if length > MOST {
            let why = format!("event kind {kind} with {length} numbers: none has more than {MOST}");
            return Err(Fault::BadArgument(why));
        }
        let mut told = [0; MOST];
        if length > 0 {
            numbers.get_region(env, 0, &mut told[..length])?;
        }
        let event = event(kind, &told[..length])?;
        SESSIONS.with(handle, |session| session.step(now, &event))
    }

    fn verdict(
        handle: jlong, set: jint, executor: jint, cpu: jint, mem: jint, custom0: jint, custom1: jint,
    ) -> jint {
        let free = resources([cpu, mem, custom0, custom1])?;
        SESSIONS.with(handle, |session| session.verdict(set as u32, executor as u32, &free))
    }

    fn barrierRoom(
        handle: jlong, set: jint, executor: jint, cpu: jint, mem: jint, custom0: jint, custom1: jint,
    ) -> jint {
        let free = resources([cpu, mem, custom0, custom1])?;
        SESSIONS.with(handle, |session| session.barrier_room(set as u32, executor as u32, &free))
    }

    fn admits(handle: jlong, set: jint) -> jint {
        SESSIONS.with(handle, |session| session.admits(set as u32))
    }

    fn copy(handle: jlong, set: jint, executor: jint) -> jint {
        SESSIONS.with(handle, |session| session.copy(set as u32, executor as u32))
    }

    fn wantsCopies(handle: jlong, set: jint) -> jint {
        SESSIONS.with(handle, |session| session.wants_copies(set as u32))
    }

    fn picks(handle: jlong) -> jint {
        SESSIONS.with(handle, |session| Ok(session.picks()))
    }

    fn pick(handle: jlong, set: jint, executor: jint) -> jlong {
        SESSIONS.with(handle, |session| session.pick(set as u32, executor as u32))
    }

    env fn name(env, handle: jlong, kind: jint, id: jint, name: JByteArray<'l>) -> jint {
        let name = text(env, &name, "a name")?;
        SESSIONS.with(handle, |session| session.name(kind, id as u32, &name))
    }

    env fn totals(env, handle: jlong, out: JLongArray<'l>) -> jint {
        if out.is_null() || out.len(env)? != TOTALS {
            return Err(Fault::BadArgument(format!("totals need an array of {TOTALS} places")));
        }
        let totals = SESSIONS.with(handle, |session| Ok(session.totals()))?;
        out.set_region(env, 0, &totals)?;
        Ok(0)
    }

    env fn accounts(env, handle: jlong) -> JByteArray<'l> {
        bytes(env, SESSIONS.with(handle, |session| session.accounts())?.as_bytes())
    }

    env fn patterns(env, handle: jlong) -> JByteArray<'l> {
        bytes(env, SESSIONS.with(handle, |session| Ok(session.patterns()))?.as_bytes())
    }

    env fn samples(env, handle: jlong) -> JByteArray<'l> {
        bytes(env, SESSIONS.with(handle, |session| Ok(session.samples()))?.as_bytes())
    }

    env fn drainLog(env, handle: jlong) -> JByteArray<'l> {
        let block = session::drain(&SESSIONS, handle, |block| bytes(env, block))?;
        Ok(if let Some(block) = block { block } else { JByteArray::null() })
    }

    fn endLog(handle: jlong) -> jint {
        SESSIONS.with(handle, |session| Ok(session.end_log()))
    }

    fn dropLog(handle: jlong) -> jint {
        SESSIONS.with(handle, |session| Ok(session.drop_log()))
    }

    env fn drainNativeLog(env) -> JByteArray<'l> {
        native_log::drain().map_or_else(|| Ok(JByteArray::null()), |lines| bytes(env, lines.as_bytes()))
    }

    env fn close(env, handle: jlong) -> JByteArray<'l> {
        let rest = session::close(&SESSIONS, handle)?;
        rest.map_or_else(|| Ok(JByteArray::null()), |rest| bytes(env, &rest))
    }
}

#[unsafe(export_name = "Java_io_holdfast_bridge_NativeEngine_testPanic")]
extern "system" fn test_panic(_: EnvUnowned<'_>, _: JClass<'_>, handle: jlong, calls: jint) {
    let _: jint = plain(|| SESSIONS.with(handle, |session| Ok(session.panic_in(calls))));
}
