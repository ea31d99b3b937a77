//! `holdfast doctor`: whether Holdfast would run with a Spark. The jar's own class `io.holdfast.Doctor` looks; this finds
//! Java, Spark and the jar for it.

mod find;

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use holdfast_log::VERSION;
use holdfast_words::{shown, shown_path};

use crate::Failure;
use crate::args::Doctor;
use crate::screen;

const MAIN: &str = "io.holdfast.Doctor";

pub(crate) fn run(asked: &Doctor, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    match examine(asked) {
        Ok(examined) => {
            out.write_all(&examined.stdout)?;
            Ok(ExitCode::from(u8::from(!examined.status.success())))
        }
        Err(why) => {
            screen::fail(why);
            Ok(ExitCode::from(1))
        }
    }
}

/// Runs the jar's doctor; an error is a sentence for people.
fn examine(asked: &Doctor) -> Result<Output, String> {
    let spark = find::spark(asked)?;
    let jar = find::jar(asked)?;
    let java = find::java()?;
    let output = command(asked, &java, &spark, &jar).output();
    let examined = output.map_err(|e| cannot_start(&java, &e))?;
    if examined.stdout.is_empty() { Err(silent(&examined, &java, &jar)) } else { Ok(examined) }
}

fn command(asked: &Doctor, java: &Path, spark: &Path, jar: &Path) -> Command {
    let mut class_path = OsString::from(jar);
    class_path.push(":");
    class_path.push(spark.join("jars").join("*"));
    let mut command = Command::new(java);
    // It lives for a moment: the second compiler and a parallel collector would cost more than they give.
    command.args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"]).arg(class_path).arg(MAIN);
    let mut pair = |name: &str, value: &OsStr| {
        command.arg(name).arg(value);
    };
    pair("--spark-home", spark.as_os_str());
    pair("--jar", jar.as_os_str());
    pair("--program", OsStr::new(VERSION));
    if let Some(file) = &asked.properties_file {
        pair("--properties-file", file.as_os_str());
    }
    for (key, value) in &asked.conf {
        pair("--conf", OsStr::new(&format!("{key}={value}")));
    }
    command.stdin(Stdio::null());
    command
}

fn cannot_start(java: &Path, error: &io::Error) -> String {
    if error.kind() == ErrorKind::NotFound {
        return "there is no java on the PATH, and JAVA_HOME is not set: install a Java 17 or later"
            .to_owned();
    }
    format!("cannot start {}: {error}", shown_path(java))
}

/// Why Java has said nothing to its standard output.
fn silent(examined: &Output, java: &Path, jar: &Path) -> String {
    let errors = String::from_utf8_lossy(&examined.stderr);
    if errors.contains("Could not find or load main class") {
        let jar = shown_path(jar);
        return format!(
            "{jar} has no doctor: it is no jar of Holdfast {VERSION}; name another with --jar"
        );
    }
    let last = errors.lines().last().unwrap_or("nothing");
    format!("{} ended with {}, and said: {}", shown_path(java), examined.status, shown(last))
}
