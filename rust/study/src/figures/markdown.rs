//! A Markdown page that shows figures: drawings in a folder next to it, and between its marks what came out.
//!
//! So that updating the numbers of a document is a command. Everything outside the marks is the author's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::drawing::page::Table;
use crate::figures::figure::Figure;

/// The folder next to the page where drawings go.
const DRAWINGS: &str = "figures";

/// A page that is being filled in.
pub struct Page {
    path: PathBuf,
    text: String,
    drawings: Vec<(PathBuf, String)>,
}

impl Page {
    /// Reads a page, and checks that there is a place for each figure of these names: `<!-- NAME:begin -->` to
    /// `<!-- NAME:end -->`, each in a line of its own.
    ///
    /// # Errors
    /// It cannot be read, or lacks a mark.
    pub fn open<'a>(
        path: &Path,
        mut names: impl Iterator<Item = &'a str>,
    ) -> Result<Self, Failure> {
        let text = fs::read_to_string(path)
            .map_err(|e| Failure::Input(format!("cannot read {}: {e}", path.display())))?;
        let page = Self { path: path.to_owned(), text, drawings: Vec::new() };
        names.try_for_each(|name| page.place(name).map(drop))?;
        Ok(page)
    }

    /// Between the marks of a figure.
    fn place(&self, name: &str) -> Result<(usize, usize), Failure> {
        let [begin, end] = ["begin", "end"].map(|which| format!("<!-- {name}:{which} -->\n"));
        let from = self.text.find(&begin).map(|at| at + begin.len());
        let found = from.and_then(|from| Some((from, from + self.text[from..].find(&end)?)));
        found.ok_or_else(|| {
            let path = self.path.display();
            let (begin, end) = (begin.trim_end(), end.trim_end());
            Failure::Input(format!(
                "{path} has no lines {begin} and {end} for {name} to go between"
            ))
        })
    }

    /// Puts a figure in its place.
    ///
    /// # Errors
    /// The page has no place for it.
    pub fn fill(
        &mut self,
        (name, title): (&str, &str),
        figure: &Figure,
        svg: &str,
        command: &str,
    ) -> Result<(), Failure> {
        let (from, to) = self.place(name)?;
        self.text.replace_range(from..to, &section((name, title), figure, command));
        let file = self.path.with_file_name(DRAWINGS).join(format!("{name}.svg"));
        self.drawings.push((file, svg.to_owned()));
        Ok(())
    }

    /// Writes drawings and page.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(self) -> Result<(), Failure> {
        let dir = self.path.with_file_name(DRAWINGS);
        fs::create_dir_all(&dir).map_err(|e| super::unwritten(&dir, &e))?;
        for (file, svg) in &self.drawings {
            super::write(file, svg)?;
        }
        super::write(&self.path, &self.text)
    }
}

/// Returns what stands between the marks.
fn section((name, title): (&str, &str), figure: &Figure, command: &str) -> String {
    let met = |met| if met { "yes" } else { "**no**" }.to_owned();
    let claims = figure.claims.iter();
    let claims = Table {
        title: String::new(),
        head: ["paper says", "we got", ""].map(str::to_owned).to_vec(),
        rows: claims.map(|c| vec![c.paper.to_owned(), c.got.clone(), met(c.met)]).collect(),
    };
    let mut text = format!("\n![{title}]({DRAWINGS}/{name}.svg)\n\n{}\n", table(&claims));
    for numbers in &figure.tables {
        text.push_str(&format!("{}:\n\n{}\n", numbers.title, table(numbers)));
    }
    text.push_str(&format!("Made by `{command}`.\n\n"));
    text
}

fn table(table: &Table) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rows: String = table.rows.iter().map(|cells| row(cells)).collect();
    format!("{}|{}\n{rows}", row(&table.head), "---|".repeat(table.head.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_its_head_a_rule_and_a_line_for_each_row() {
        let cells = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let (head, rows) = (cells(["a", "b"]), vec![cells(["1", "x | y"]), cells(["2", ""])]);
        let made = table(&Table { title: String::new(), head, rows });
        assert_eq!(made, "| a | b |\n|---|---|\n| 1 | x \\| y |\n| 2 |  |\n");
    }
}
