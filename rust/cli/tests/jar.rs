//! The jar that goes with the program, and what spark-submit is told of it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use program::{Ran, holdfast};

/// A folder with the program in it, as a tarball or wheel has it.
fn unpacked(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::hard_link(env!("CARGO_BIN_EXE_holdfast"), folder.join("holdfast")).unwrap();
    folder
}

fn with_jar(name: &str) -> (PathBuf, String) {
    let folder = unpacked(name);
    let jar = folder.join("holdfast-spark.jar");
    fs::write(&jar, "").unwrap();
    (folder.join("holdfast"), jar.to_str().unwrap().to_owned())
}

fn run(program: &Path, named: Option<&str>, args: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.env_remove("HOLDFAST_JAR").args(args);
    if let Some(named) = named {
        command.env("HOLDFAST_JAR", named);
    }
    Ran::of(command.output().unwrap())
}

#[test]
fn the_jar_lies_beside_the_program() {
    let (program, jar) = with_jar("beside");
    let ran = run(&program, None, &["jar"]);
    assert_eq!((ran.code, ran.out, ran.err), (0, format!("{jar}\n"), String::new()));
}

#[cfg(unix)]
#[test]
fn a_link_to_the_program_leads_to_the_jar() {
    let (program, jar) = with_jar("linked");
    let link = program.with_file_name("on-the-path");
    std::os::unix::fs::symlink(&program, &link).unwrap();
    assert_eq!(run(&link, None, &["jar"]).out, format!("{jar}\n"));
}

#[test]
fn another_jar_can_be_named() {
    let (program, _) = with_jar("named");
    let other = program.with_file_name("other.jar");
    fs::write(&other, "").unwrap();
    let other = other.to_str().unwrap();
    assert_eq!(run(&program, Some(other), &["jar"]).out, format!("{other}\n"));
    let ran = run(&program, Some("/nowhere/x.jar"), &["jar"]);
    assert_eq!(ran.code, 3);
    assert_eq!(
        ran.err,
        "holdfast: HOLDFAST_JAR=/nowhere/x.jar is not a file: name holdfast-spark.jar, or unset HOLDFAST_JAR\n"
    );
}

#[test]
fn without_a_jar_it_says_where_it_looked() {
    let program = unpacked("without").join("holdfast");
    let ran = run(&program, None, &["spark-submit-args"]);
    let expected = format!(
        "holdfast: there is no holdfast-spark.jar in {}: copy it there, or name it with HOLDFAST_JAR\n",
        program.parent().unwrap().display()
    );
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (3, "", expected));
}

#[test]
fn spark_submit_gets_jar_and_plugin_and_keeps_what_it_had() {
    let (program, jar) = with_jar("submit");
    let said = |args: &[&str]| run(&program, None, &[&["spark-submit-args"], args].concat()).out;
    let plugin = "io.holdfast.HoldfastPlugin";
    assert_eq!(said(&[]), format!("--jars {jar} --conf spark.plugins={plugin}\n"));
    assert_eq!(
        said(&["--jars", "a.jar,b.jar", "--plugins", &format!("{plugin},x.Other"), "--python"]),
        format!(
            "--jars a.jar,b.jar,{jar} --conf spark.plugins=x.Other,{plugin} --py-files {jar}\n"
        )
    );
}

#[test]
fn a_path_that_spark_or_the_shell_would_part_is_refused() {
    let (program, jar) = with_jar("with blank");
    let ran = run(&program, None, &["spark-submit-args"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("has a blank"), "{}", ran.err);
    assert_eq!(
        run(&program, None, &["jar"]).out,
        format!("{jar}\n"),
        "a path by itself needs no parting"
    );
    let (program, _) = with_jar("with,comma");
    let ran = run(&program, None, &["jar"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("has a comma"), "{}", ran.err);
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = holdfast(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for command in ["spark-submit-args", "explain", "older-than"] {
            assert!(ran.out.contains(command), "{shell} knows no {command}");
        }
    }
}
