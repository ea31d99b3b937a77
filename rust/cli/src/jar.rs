//! `holdfast jar` and `holdfast spark-submit-args`: the jar that goes with this program, and how Spark is given it.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use holdfast_words::shown_path;

use crate::Failure;

const NAME: &str = "holdfast-spark.jar";
/// Names another jar than the one in the program's folder.
const OVERRIDE: &str = "HOLDFAST_JAR";
const PLUGIN: &str = "io.holdfast.HoldfastPlugin";

/// What the application has already.
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  spark-submit $(holdfast spark-submit-args) app.jar
  spark-submit $(holdfast spark-submit-args --jars mine.jar --plugins com.example.Other) app.jar
  spark-submit $(holdfast spark-submit-args --python) app.py")]
pub(crate) struct SubmitArgs {
    /// Other jars of the application: spark-submit heeds only the last --jars
    #[arg(long, value_name = "JARS", value_delimiter = ',')]
    jars: Vec<String>,
    /// Other plugins of the application, with commas between them: Holdfast's comes last
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    plugins: Vec<String>,
    /// Also hand over the Python module, for a Python that has not installed it
    #[arg(long)]
    python: bool,
}

/// Prints the path of the jar.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", find()?)?)
}

/// Prints what to add to spark-submit, spark-shell or pyspark, on one line without quotes, as a shell's `$(...)` wants
/// it.
pub(crate) fn submit_args(asked: &SubmitArgs, out: &mut impl Write) -> Result<(), Failure> {
    let jar = find()?;
    let jars = last(&asked.jars, &jar);
    let plugins = last(&asked.plugins, PLUGIN);
    if let Some(parted) =
        [&jars, &plugins].into_iter().find(|text| text.contains(char::is_whitespace))
    {
        return Err(Failure::Usage(format!(
            "{parted} has a blank, where a shell would part it: copy the file to a path without, \
             and name the jar with {OVERRIDE}"
        )));
    }
    let python = if asked.python { format!(" --py-files {jar}") } else { String::new() };
    Ok(writeln!(out, "--jars {jars} --conf spark.plugins={plugins}{python}")?)
}

/// Returns a list as Spark has them, in which ours is there once, at the end.
fn last(others: &[String], ours: &str) -> String {
    let others = others.iter().map(|other| other.trim());
    let kept = others.filter(|other| !other.is_empty() && *other != ours);
    kept.chain([ours]).collect::<Vec<_>>().join(",")
}

/// [`own_jar`], if Spark can be given its path.
fn find() -> Result<String, Failure> {
    let jar = own_jar().map_err(Failure::Input)?;
    let fault = |what| format!("{} {what}: copy the jar to another path", shown_path(&jar));
    match jar.to_str() {
        None => Err(Failure::Input(fault("is not UTF-8, which Spark cannot be given"))),
        Some(path) if path.contains(',') => {
            Err(Failure::Input(fault("has a comma, where Spark parts its lists of jars")))
        }
        Some(path) => Ok(path.to_owned()),
    }
}

/// Returns the jar that goes with this program: that of `HOLDFAST_JAR`, else the one in its folder, as in tarball and
/// wheel, else the one that a build of the repository leaves.
pub(crate) fn own_jar() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os(OVERRIDE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return absolute(&named).ok_or_else(|| {
            let named = shown_path(&named);
            format!("{OVERRIDE}={named} is not a file: name {NAME}, or unset {OVERRIDE}")
        });
    }
    // Through links: what is on the PATH may point to the folder that was unpacked.
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|e| {
        format!("cannot tell where this program is: {e}; name the jar with {OVERRIDE}")
    })?;
    let folder = program.parent().unwrap_or(Path::new("."));
    let places = [folder.join(NAME), folder.join("../../jvm-shim/build/libs").join(NAME)];
    places.iter().find_map(|place| absolute(&place.canonicalize().ok()?)).ok_or_else(|| {
        let folder = shown_path(folder);
        format!("there is no {NAME} in {folder}: copy it there, or name it with {OVERRIDE}")
    })
}

fn absolute(file: &Path) -> Option<PathBuf> {
    file.is_file().then(|| std::path::absolute(file).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::last;

    #[test]
    fn ours_comes_last_and_once() {
        let others = |list: &[&str]| list.iter().map(|&other| other.to_owned()).collect::<Vec<_>>();
        assert_eq!(last(&[], "c"), "c");
        assert_eq!(last(&others(&["a", " b "]), "c"), "a,b,c");
        assert_eq!(last(&others(&["c", "a", ""]), "c"), "a,c");
    }
}
