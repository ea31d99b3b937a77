//! A decision log in several files, `x.hflog`, `x.hflog.2` and so on: read as the one log that they are.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use holdfast_words::shown_path;

const END: &str = ".hflog";

/// Returns the first file of the log that `path` is a part of.
pub(crate) fn first_part(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str());
    match name.and_then(number_and_first) {
        Some((_, first)) => path.with_file_name(first),
        None => path.to_owned(),
    }
}

/// Returns the number in a later part's name, and the name of the first part.
fn number_and_first(name: &str) -> Option<(u32, &str)> {
    let (first, number) = name.rsplit_once('.')?;
    let digits = number.starts_with(|c: char| ('1'..='9').contains(&c));
    let number: u32 = number.parse().ok().filter(|&number| digits && number > 1)?;
    first.ends_with(END).then_some((number, first))
}

fn part(first: &Path, number: u32) -> PathBuf {
    let mut name = first.file_name().unwrap_or_default().to_owned();
    if number > 1 {
        name.push(format!(".{number}"));
    }
    first.with_file_name(name)
}

/// Reads the parts of a log one after the other.
pub(crate) struct Parts {
    first: PathBuf,
    file: File,
    number: u32,
    last: u32,
}

impl Parts {
    /// Opens the log that `path` is a part of.
    ///
    /// # Errors
    /// A part is missing or cannot be opened; the text names it.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let first = first_part(path);
        let last = last(&first);
        if let Some(missing) = (1..last).map(|n| part(&first, n)).find(|part| !part.exists()) {
            let (missing, last) = (shown_path(&missing), part(&first, last));
            return Err(format!(
                "{missing} is missing: {} is a later part of its log",
                shown_path(&last)
            ));
        }
        let file = File::open(&first);
        let file = file.map_err(|e| format!("cannot open {}: {e}", shown_path(&first)))?;
        Ok(Self { first, file, number: 1, last })
    }
}

/// Returns the largest number of a part that is there.
fn last(first: &Path) -> u32 {
    let folder = first.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(files) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return 1 };
    let names = files.flatten().map(|file| file.file_name());
    let numbers = names.filter_map(|name| {
        let (number, of) = number_and_first(name.to_str()?)?;
        (Path::new(of).file_name() == first.file_name()).then_some(number)
    });
    numbers.max().unwrap_or(1)
}

impl Read for Parts {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.file.read(into)?;
            if read > 0 || into.is_empty() || self.number == self.last {
                return Ok(read);
            }
            self.number += 1;
            let next = part(&self.first, self.number);
            let named =
                |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", shown_path(&next)));
            self.file = File::open(&next).map_err(named)?;
        }
    }
}
