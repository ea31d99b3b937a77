//! Where a command writes. It is looked at before anything is computed: what is read must not be lost, and who waits
//! for minutes must not hear only then that there is no such folder.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use holdfast_words::shown_path;

use crate::Failure;

/// A file that a command writes, and the option that asks for it.
pub(crate) struct Output {
    option: &'static str,
    path: PathBuf,
}

impl Output {
    pub(crate) fn new(option: &'static str, path: impl Into<PathBuf>) -> Self {
        Self { option, path: path.into() }
    }
}

/// Checks whether all of them can be written, and none is another one or what is read. Leaves everything as it was.
///
/// # Errors
/// The first that is so; of a folder that is read no file may be written.
pub(crate) fn check(read: &[&Path], written: &[Output]) -> Result<(), Failure> {
    for (i, Output { option, path }) in written.iter().enumerate() {
        // Writing to a device or a pipe overwrites nothing.
        if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            continue;
        }
        if read.iter().any(|read| is_within(path, read)) {
            return Err(Failure::Usage(format!(
                "{option}: {} is what is read, or in it: write another file",
                shown_path(path)
            )));
        }
        if let Some(other) = written[..i].iter().find(|other| is_within(path, &other.path)) {
            let (before, shown) = (other.option, shown_path(path));
            return Err(Failure::Usage(format!(
                "{option}: {shown} is what {before} writes: write another file"
            )));
        }
        probe(path).map_err(|why| {
            Failure::Input(format!("cannot write {}: {why} ({option})", shown_path(path)))
        })?;
    }
    Ok(())
}

/// The same for a folder that is made where there is none.
///
/// # Errors
/// It is a file, or cannot be made.
pub(crate) fn check_folder(option: &str, folder: &Path) -> Result<(), Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::Input(format!("cannot write {}: {why} ({option})", shown_path(folder)))
    };
    // The topmost of those that are not there: what is made can be removed in one go.
    let mut missing = None;
    for above in folder.ancestors().filter(|above| *above != Path::new("")) {
        match fs::metadata(above) {
            Ok(about) if about.is_dir() => break,
            Ok(_) => return Err(cannot(&format!("{} is no folder", shown_path(above)))),
            Err(why) if why.kind() == io::ErrorKind::NotFound => missing = Some(above),
            Err(why) => return Err(cannot(&why)),
        }
    }
    let Some(missing) = missing else { return Ok(()) };
    fs::create_dir(missing).and_then(|()| fs::remove_dir(missing)).map_err(|why| cannot(&why))
}

/// Opens it for writing, as it is, or makes it and removes it again.
fn probe(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            OpenOptions::new().write(true).create_new(true).open(path)?;
            fs::remove_file(path)
        }
        opened => opened.map(drop),
    }
}

/// Returns whether a path, which need not be there yet, is another one, by whatever name, or in that folder.
fn is_within(path: &Path, other: &Path) -> bool {
    let (Some(path), Some(other)) = (place(path), place(other)) else { return false };
    path.starts_with(&other) || is_same_file(&path, &other)
}

fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    })
}

/// Two names of one file (hard links).
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |path| fs::metadata(path).ok().map(|about| (about.dev(), about.ino()));
    number(one).is_some_and(|one| number(other) == Some(one))
}

#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}
