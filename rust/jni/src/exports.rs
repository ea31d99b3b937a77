//! The natives of `io.holdfast.bridge.NativeEngine`, in its order; what they mean is documented there.
//!
//! `unsafe` here is the attribute that keeps a function's name: each name is Java's for this one method, so nothing
//! else in the process can define it.
#![allow(unsafe_code, reason = "exported names; see above")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use holdfast_log::{REVISION, VERSION};
use jni::objects::{JByteArray, JClass, JLongArray};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned, Outcome};

use crate::fault::{self, Fault};
use crate::handles::Table;
use crate::native_log;
use crate::session::{self, Session, TOTALS, event, resources};

/// Number of the interface: changes with every name, argument or meaning below.
const ABI: i64 = 6;
const HANDSHAKE: i64 = 0x4846_5354;

static SESSIONS: Table<Session> = Table::new();

/// For calls without Java objects: nothing unwinds out, a fault becomes its number.
fn plain<T: From<i32>>(f: impl FnOnce() -> Result<T, Fault>) -> T {
    let result = catch_unwind(AssertUnwindSafe(f))
        .unwrap_or_else(|payload| Err(Fault::Panic(fault::caught(&*payload))));
    result.unwrap_or_else(|fault| T::from(fault::report(&fault)))
}

/// For calls with Java objects: the same, with `failed` for the number.
fn with_env<'local, T>(
    mut env: EnvUnowned<'local>,
    failed: impl FnOnce(i32) -> T,
    f: impl FnOnce(&mut Env<'local>) -> Result<T, Fault>,
) -> T {
    let fault = match env.with_env(f).into_outcome() {
        Outcome::Ok(value) => return value,
        Outcome::Err(fault) => fault,
        Outcome::Panic(payload) => Fault::Panic(fault::caught(&*payload)),
    };
    failed(fault::report(&fault))
}

fn text(env: &Env<'_>, bytes: &JByteArray<'_>, what: &str) -> Result<String, Fault> {
    let bytes = env.convert_byte_array(bytes)?;
    String::from_utf8(bytes).map_err(|_| Fault::BadArgument(format!("{what} is not UTF-8")))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_handshake(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
) -> jlong {
    plain(|| {
        native_log::init();
        fault::install_panic_hook();
        Ok(ABI << 32 | HANDSHAKE)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_describe<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| {
            let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
            let libc = if cfg!(target_env = "musl") { "-musl" } else { "" };
            let target = format!("{os}-{arch}{libc}");
            let fields = [("version", VERSION), ("revision", REVISION), ("target", &target)];
            let mut json: serde_json::Map<_, _> = fields
                .map(|(k, v)| (k.to_owned(), serde_json::Value::from(v)))
                .into_iter()
                .collect();
            json.insert("abi".to_owned(), ABI.into());
            Ok(env.byte_array_from_slice(serde_json::Value::from(json).to_string().as_bytes())?)
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_open<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    config: JByteArray<'l>,
    header: JByteArray<'l>,
    logs: jboolean,
) -> jlong {
    with_env(env, jlong::from, |env| {
        let config = env.convert_byte_array(&config)?;
        let header = env.convert_byte_array(&header)?;
        SESSIONS.insert(Session::open(&config, &header, logs)?)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_lastError<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| Ok(env.byte_array_from_slice(fault::last().as_bytes())?),
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_step(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    now: jlong,
    kind: jint,
    a: jint,
    b: jint,
    c: jint,
    d: jint,
    e: jint,
    f: jint,
) -> jlong {
    plain(|| {
        let event = event(kind, [a, b, c, d, e, f])?;
        SESSIONS.with(handle, |session| session.step(now, &event))
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_verdict(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    set: jint,
    executor: jint,
    cpu: jint,
    mem: jint,
    custom0: jint,
    custom1: jint,
) -> jint {
    plain(|| {
        let free = resources([cpu, mem, custom0, custom1])?;
        SESSIONS.with(handle, |session| session.verdict(set as u32, executor as u32, &free))
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_barrierRoom(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    set: jint,
    executor: jint,
    cpu: jint,
    mem: jint,
    custom0: jint,
    custom1: jint,
) -> jint {
    plain(|| {
        let free = resources([cpu, mem, custom0, custom1])?;
        SESSIONS.with(handle, |session| session.barrier_room(set as u32, executor as u32, &free))
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_admits(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    set: jint,
) -> jint {
    plain(|| SESSIONS.with(handle, |session| session.admits(set as u32)))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_copy(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    set: jint,
    executor: jint,
) -> jint {
    plain(|| SESSIONS.with(handle, |session| session.copy(set as u32, executor as u32)))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_wantsCopies(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    set: jint,
) -> jint {
    plain(|| SESSIONS.with(handle, |session| session.wants_copies(set as u32)))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_name<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
    kind: jint,
    id: jint,
    name: JByteArray<'l>,
) -> jint {
    with_env(
        env,
        |code| code,
        |env| {
            let name = text(env, &name, "a name")?;
            SESSIONS.with(handle, |session| session.name(kind, id as u32, &name))
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_totals<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
    out: JLongArray<'l>,
) -> jint {
    with_env(
        env,
        |code| code,
        |env| {
            if out.is_null() || out.len(env)? != TOTALS {
                return Err(Fault::BadArgument(format!("totals need an array of {TOTALS} places")));
            }
            let totals = SESSIONS.with(handle, |session| Ok(session.totals()))?;
            out.set_region(env, 0, &totals)?;
            Ok(0)
        },
    )
}

/// What a session says as JSON (UTF-8); null on an error.
fn json<'l>(
    env: EnvUnowned<'l>,
    handle: jlong,
    of: impl FnOnce(&mut Session) -> Result<String, Fault>,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| {
            let json = SESSIONS.with(handle, of)?;
            Ok(env.byte_array_from_slice(json.as_bytes())?)
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_accounts<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
) -> JByteArray<'l> {
    json(env, handle, |session| session.accounts())
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_patterns<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
) -> JByteArray<'l> {
    json(env, handle, |session| Ok(session.patterns()))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_drainLog<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| match session::drain(&SESSIONS, handle, |b| Ok(env.byte_array_from_slice(b)?))? {
            Some(block) => Ok(block),
            None => Ok(JByteArray::null()),
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_endLog(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
) -> jint {
    plain(|| SESSIONS.with(handle, |session| Ok(session.end_log())))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_dropLog(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
) -> jint {
    plain(|| SESSIONS.with(handle, |session| Ok(session.drop_log())))
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_drainNativeLog<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| match native_log::drain() {
            Some(lines) => Ok(env.byte_array_from_slice(lines.as_bytes())?),
            None => Ok(JByteArray::null()),
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_close<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    handle: jlong,
) -> JByteArray<'l> {
    with_env(
        env,
        |_| JByteArray::null(),
        |env| match session::close(&SESSIONS, handle)? {
            Some(rest) => Ok(env.byte_array_from_slice(&rest)?),
            None => Ok(JByteArray::null()),
        },
    )
}

#[unsafe(no_mangle)]
extern "system" fn Java_io_holdfast_bridge_NativeEngine_testPanic(
    _: EnvUnowned<'_>,
    _: JClass<'_>,
    handle: jlong,
    calls: jint,
) {
    let _: jint = plain(|| SESSIONS.with(handle, |session| Ok(session.panic_in(calls))));
}
