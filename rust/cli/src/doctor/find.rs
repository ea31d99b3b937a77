//! Where Spark, Java and the jar are.

use std::env;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};

use holdfast_words::{shown, shown_path};

use crate::args::Doctor;
use crate::jar::own_jar;

/// Prints the folder of the package; of a namespace that only looks like it, nothing.
const WHERE: &str = "import importlib.util as u; s = u.find_spec('pyspark'); \
                     print(s.submodule_search_locations[0] if s and s.origin else '')";

/// Returns the Spark that is asked about: a folder with `jars`.
pub(super) fn spark(asked: &Doctor) -> Result<PathBuf, String> {
    if let Some(home) = &asked.spark_home {
        return installation(home, "--spark-home");
    }
    if !asked.pyspark && asked.python.is_none() {
        if let Some(home) = variable("SPARK_HOME") {
            return installation(Path::new(&home), "SPARK_HOME");
        }
        return pyspark("python3").map_err(|why| {
            format!("SPARK_HOME is not set, and {why}; name a Spark with --spark-home DIR")
        });
    }
    pyspark(asked.python.as_deref().unwrap_or("python3"))
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn installation(home: &Path, said_by: &str) -> Result<PathBuf, String> {
    if has_spark(home) {
        return Ok(absolute(home));
    }
    let home = shown_path(home);
    Err(format!(
        "{said_by} {home} is no Spark: it has no jars/spark-core_*.jar; name the folder that has bin and jars"
    ))
}

fn has_spark(home: &Path) -> bool {
    fs::read_dir(home.join("jars")).is_ok_and(|jars| {
        jars.flatten().any(|jar| jar.file_name().to_string_lossy().starts_with("spark-core_"))
    })
}

/// Returns the Spark that comes with a Python's package.
fn pyspark(python: &str) -> Result<PathBuf, String> {
    let asked = Command::new(python).args(["-c", WHERE]).stdin(Stdio::null()).output();
    let name = shown(python);
    let said = asked.map_err(|e| format!("{name} cannot be started ({e})"))?;
    if !said.status.success() {
        let errors = String::from_utf8_lossy(&said.stderr);
        let last = errors.lines().last().unwrap_or("nothing");
        return Err(format!("{name} cannot say where pyspark is: {}", shown(last)));
    }
    let package = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
    if package.as_os_str().is_empty() {
        return Err(format!(
            "{name} has no pyspark: install it there, or name another Python with --python"
        ));
    }
    // As PySpark looks: inside the package, or above it in a distribution.
    let places = [package.clone(), package.join("../..")];
    let Some(place) = places.iter().find(|place| has_spark(place)) else {
        return Err(format!(
            "the pyspark in {} has no jars: it is a client of Spark Connect; ask where the server runs",
            shown_path(&package)
        ));
    };
    Ok(fs::canonicalize(place).unwrap_or_else(|_| absolute(place)))
}

/// As Spark's scripts choose it.
pub(super) fn java() -> Result<PathBuf, String> {
    let Some(home) = variable("JAVA_HOME") else { return Ok(PathBuf::from("java")) };
    let java = Path::new(&home).join("bin/java");
    if java.is_file() {
        return Ok(java);
    }
    let home = shown(&home);
    Err(format!("JAVA_HOME={home} has no bin/java: set it to the folder of a Java 17 or later"))
}

/// Returns the jar that is asked about, else that which came with this program.
pub(super) fn jar(asked: &Doctor) -> Result<PathBuf, String> {
    if let Some(jar) = &asked.jar {
        if jar.is_file() {
            return Ok(absolute(jar));
        }
        return Err(format!("--jar {} is not a file", shown_path(jar)));
    }
    own_jar().map_err(|why| format!("{why}, or with --jar"))
}
