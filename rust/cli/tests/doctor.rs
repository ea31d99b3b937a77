//! `holdfast doctor` where it cannot come to look: what is missing is named. What it finds on a real Spark:
//! `DoctorSpec.scala`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use program::Ran;

/// The program in an environment of its own.
fn doctor(args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
    command.env_clear().envs(variables.iter().copied()).arg("doctor").args(args);
    Ran::of(command.output().unwrap())
}

fn assert_refused(ran: &Ran, parts: &[&str]) {
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "one sentence: {}", ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("doctor-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What looks like a Spark from outside.
fn spark(folder: &Path) -> String {
    fs::create_dir_all(folder.join("jars")).unwrap();
    fs::write(folder.join("jars/spark-core_2.13-4.1.0.jar"), "").unwrap();
    folder.to_str().unwrap().to_owned()
}

fn script(folder: &Path, name: &str, body: &str) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn no_spark_there() {
    let empty = folder("no-spark");
    let empty = empty.to_str().unwrap();
    let parts =
        ["--spark-home", empty, "no jars/spark-core_*.jar", "the folder that has bin and jars"];
    assert_refused(&doctor(&["--spark-home", empty], &[]), &parts);
    let parts = ["SPARK_HOME", empty, "no jars/spark-core_*.jar"];
    assert_refused(&doctor(&[], &[("SPARK_HOME", empty)]), &parts);
}

#[test]
fn no_pyspark() {
    let here = folder("no-pyspark");
    // What a Python without pyspark prints.
    let bare = script(&here, "bare", "echo");
    let parts =
        [bare.as_str(), "has no pyspark", "install it there, or name another Python with --python"];
    assert_refused(&doctor(&["--python", &bare], &[]), &parts);
    let nowhere = doctor(&[], &[("PATH", here.to_str().unwrap())]);
    assert_refused(
        &nowhere,
        &["SPARK_HOME is not set", "python3 cannot be started", "--spark-home DIR"],
    );
    let broken = script(&here, "broken", "echo 'SyntaxError: what' >&2; exit 1");
    assert_refused(
        &doctor(&["--python", &broken], &[]),
        &["cannot say where pyspark is: SyntaxError: what"],
    );
}

#[test]
fn a_pyspark_without_jars_is_a_client() {
    let here = folder("client");
    let package = here.join("pyspark");
    fs::create_dir(&package).unwrap();
    let python = script(&here, "interpreter", &format!("echo {}", package.display()));
    assert_refused(
        &doctor(&["--python", &python], &[]),
        &["has no jars", "client of Spark Connect"],
    );
    // In a distribution the package is in python/pyspark, and the jars are above: the next thing is missing.
    let package = here.join("python/pyspark");
    fs::create_dir_all(&package).unwrap();
    spark(&here);
    let python = script(&here, "interpreter", &format!("echo {}", package.display()));
    let ran = doctor(&["--python", &python, "--jar", "/nowhere.jar"], &[]);
    assert_refused(&ran, &["--jar /nowhere.jar is not a file"]);
}

#[test]
fn no_java() {
    let here = folder("no-java");
    let home = spark(&here);
    fs::write(here.join("a.jar"), "").unwrap();
    let jar = here.join("a.jar");
    let args = ["--spark-home", &home, "--jar", jar.to_str().unwrap()];
    let ran = doctor(&args, &[("PATH", "/nowhere")]);
    assert_refused(&ran, &["no java on the PATH", "install a Java 17 or later"]);
    let ran = doctor(&args, &[("JAVA_HOME", "/nowhere")]);
    assert_refused(&ran, &["JAVA_HOME=/nowhere has no bin/java", "a Java 17 or later"]);
    script(&here, "jdk/bin/java", "echo 'Error: it is broken' >&2; exit 3");
    let ran = doctor(&args, &[("JAVA_HOME", here.join("jdk").to_str().unwrap())]);
    assert_refused(&ran, &["jdk/bin/java", "exit status: 3", "Error: it is broken"]);
}

#[test]
fn a_jar_without_a_doctor() {
    let here = folder("old-jar");
    let home = spark(&here);
    fs::write(here.join("old.jar"), "").unwrap();
    let jar = here.join("old.jar");
    // Java's own words.
    let words = "Error: Could not find or load main class io.holdfast.Doctor";
    script(&here, "jdk/bin/java", &format!("echo '{words}' >&2; exit 1"));
    let ran = doctor(
        &["--spark-home", &home, "--jar", jar.to_str().unwrap()],
        &[("JAVA_HOME", here.join("jdk").to_str().unwrap())],
    );
    assert_refused(&ran, &["old.jar has no doctor", env!("CARGO_PKG_VERSION"), "--jar"]);
}

#[test]
fn no_jar_beside_the_program() {
    let here = folder("no-jar");
    let home = spark(&here);
    let program = here.join("holdfast");
    // No copy: a test that starts a process meanwhile would keep it open for writing, and such a file cannot run.
    fs::hard_link(env!("CARGO_BIN_EXE_holdfast"), &program).unwrap();
    let run = Command::new(&program).args(["doctor", "--spark-home", &home]).output().unwrap();
    let parts = ["there is no holdfast-spark.jar in", here.to_str().unwrap(), "--jar"];
    assert_refused(&Ran::of(run), &parts);
}

#[test]
fn two_sparks_are_wrong_usage() {
    let ran = doctor(&["--spark-home", "/a", "--pyspark"], &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}
