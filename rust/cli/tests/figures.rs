//! `holdfast figures` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use roxmltree::{Document, Node};

/// A cluster so small that its simulations take no time.
const SMALL: [&str; 2] = ["--nodes", "5"];

/// A folder that goes with its test.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    /// Runs with so many threads; the folder is made by the program.
    fn figures(&self, threads: u32, options: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_holdfast"));
        command.args(["figures", "--out"]).arg(&self.0).args(SMALL).args(options);
        command.env("RAYON_NUM_THREADS", threads.to_string()).output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Everything in it by name.
    fn files(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        entries
            .map(|name| name.into_string().unwrap())
            .map(|name| (name.clone(), self.read(&name)))
            .collect()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn code(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr.clone()).unwrap())
}

#[test]
fn equal_seeds_give_equal_bytes_on_one_thread_and_on_many() {
    let run = |name: &str, threads, seed: &str| {
        let dir = Dir::new(name);
        let output = dir.figures(threads, &["--seeds", "3", "--seed", seed]);
        assert_eq!(output.status.code(), Some(0), "{:?}", code(&output));
        dir.files()
    };
    let one = run("figures-one", 1, "5");
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    let figures = ["fig08", "fig10", "fig15", "fig16", "fig17"];
    let mut expected: Vec<String> =
        figures.iter().flat_map(|name| [format!("{name}.csv"), format!("{name}.svg")]).collect();
    expected.push("figures.html".to_owned());
    assert_eq!(names, expected);
    assert!(one == run("figures-many", 4, "5"), "threads change nothing");
    let other = run("figures-other", 4, "6");
    // The numbers, that is: the file also names its seed.
    assert!(one["fig10.svg"] != other["fig10.svg"], "another seed draws other numbers");
    assert_eq!(one["fig08.csv"], other["fig08.csv"], "a formula has no seed");
}

#[test]
fn numbers_have_the_eight_columns_that_are_documented() {
    let dir = Dir::new("figures-csv");
    dir.figures(2, &["--seeds", "2", "--seed", "9"]);
    let rows = [1110, 242, 252, 24, 80];
    for (name, rows) in ["fig08", "fig10", "fig15", "fig16", "fig17"].iter().zip(rows) {
        let name = format!("{name}.csv");
        let text = dir.read(&name);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("setting,x,series,value,lo,hi,n,seed"));
        let lines: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), rows, "{name}");
        for line in lines {
            assert_eq!(line.len(), 8, "{line:?}");
            let drawn = !line[4].is_empty();
            assert_eq!(line[6..], if drawn { ["2", "9"] } else { ["", ""] }, "{line:?}");
            let number = |i: usize| line[i].parse::<f64>().unwrap();
            let named = ["SQL", "MLlib", "MLlib x2"].contains(&line[1]);
            assert!(named == (name == "fig15.csv"), "{line:?}");
            assert!((named || number(1).is_finite()) && number(3).is_finite(), "{line:?}");
            assert!(!drawn || (number(4) <= number(3) && number(3) <= number(5)), "{line:?}");
        }
    }
}

#[test]
fn the_page_needs_no_other_file_and_puts_the_paper_beside_our_numbers() {
    let dir = Dir::new("figures-page");
    dir.figures(2, &["--seeds", "2", "--only", "fig10,fig08"]);
    let page = dir.read("figures.html");
    for outside in ["src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for name in ["fig08", "fig10"] {
        assert!(page.contains(&dir.read(&format!("{name}.svg"))), "{name} is drawn in the page");
        let section = page.split(&format!("<section id=\"{name}\">")).nth(1).unwrap();
        assert!(section.contains("<th>paper says</th><th>we got</th>"), "{name}");
    }
    let command = "holdfast figures --out DIR --seed 1 --seeds 2 --nodes 5 --only fig10,fig08";
    assert!(page.contains(command));
}

#[test]
fn drawings_are_sound_and_nothing_is_written_outside_them_or_over_another_text() {
    let dir = Dir::new("figures-svg");
    dir.figures(2, &["--seeds", "2"]);
    // Three foregrounds in four panels, three bars each and their names, on white.
    let drawn = [(10, 1), (14, 1), (0, 1 + 4 * (9 + 3)), (2, 1), (5, 1)];
    for (name, (lines, bars)) in ["fig08", "fig10", "fig15", "fig16", "fig17"].iter().zip(drawn) {
        let text = dir.read(&format!("{name}.svg"));
        let drawing = Document::parse(&text).unwrap();
        let number =
            |node: &Node<'_, '_>, what: &str| node.attribute(what).unwrap().parse::<f64>().unwrap();
        let (width, height) =
            (number(&drawing.root_element(), "width"), number(&drawing.root_element(), "height"));
        let all =
            |tag: &'static str| drawing.descendants().filter(move |node| node.has_tag_name(tag));
        // Each line is drawn once, and once in its legend.
        assert_eq!(all("polyline").count(), 2 * lines, "{name}");
        assert_eq!(all("rect").count(), bars, "{name}");
        for bar in all("rect").skip(1) {
            let [x, y, wide, high] = ["x", "y", "width", "height"].map(|what| number(&bar, what));
            assert!(x >= 0.0 && y >= 0.0 && x + wide <= width && y + high <= height, "{name}");
        }
        // Letters are at most 0.62 of their size wide.
        let boxes: Vec<[f64; 4]> = all("text")
            .filter(|node| node.attribute("transform").is_none())
            .map(|node| {
                let wide = node.text().unwrap().chars().count() as f64 * 0.62 * 12.0;
                let x = number(&node, "x");
                let left = match node.attribute("text-anchor") {
                    Some("middle") => x - wide / 2.0,
                    Some("end") => x - wide,
                    _ => x,
                };
                let y = number(&node, "y");
                [left, y - 10.0, left + wide, y + 3.0]
            })
            .collect();
        for (i, a) in boxes.iter().enumerate() {
            assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= width && a[3] <= height, "{name}: {a:?}");
            for b in &boxes[..i] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{name}: {a:?} over {b:?}");
            }
        }
        for point in
            all("polyline").flat_map(|node| node.attribute("points").unwrap().split([' ', ',']))
        {
            let place: f64 = point.parse().unwrap();
            assert!((0.0..=width.max(height)).contains(&place), "{name}: {point}");
        }
    }
}

#[test]
fn a_markdown_page_gets_its_numbers_and_drawings_between_its_marks() {
    let dir = Dir::new("figures-docs");
    fs::create_dir_all(&dir.0).unwrap();
    let page = dir.0.join("page.md");
    let marked = |what: &str| {
        format!("# Mine\n\n<!-- fig08:begin -->\n{what}<!-- fig08:end -->\n\nMy words, fig08.\n")
    };
    fs::write(&page, marked("old\n")).unwrap();
    let options = ["--only", "fig08", "--docs", page.to_str().unwrap()];
    assert_eq!(code(&dir.figures(1, &options)), (Some(0), String::new()));
    let once = dir.read("page.md");
    let (before, after) = (once.find("![").unwrap(), once.find("<!-- fig08:end").unwrap());
    assert_eq!(marked(&once[before - 1..after]), once, "nothing else is touched");
    assert!(once.contains("](figures/fig08.svg)\n\n| paper says | we got |  |\n|---|---|---|\n"));
    assert_eq!(once.matches("| yes |\n").count(), 3);
    assert!(
        once.contains("Made by `holdfast figures --out DIR --seed 1 --nodes 5 --only fig08`.\n")
    );
    assert_eq!(fs::read_to_string(dir.0.join("figures/fig08.svg")).unwrap(), dir.read("fig08.svg"));
    dir.figures(1, &options);
    assert_eq!(dir.read("page.md"), once, "once more changes nothing");

    fs::write(&page, "no place").unwrap();
    let (code, said) = code(&dir.figures(1, &options));
    assert_eq!(code, Some(3));
    assert!(
        said.contains("page.md has no lines <!-- fig08:begin --> and <!-- fig08:end -->"),
        "{said}"
    );
    assert_eq!(dir.read("page.md"), "no place");
}

#[test]
fn only_some_are_made_when_only_these_are_asked_for() {
    let dir = Dir::new("figures-only");
    let output = dir.figures(1, &["--only", "fig08"]);
    let out = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(code(&output), (Some(0), String::new()));
    assert_eq!(dir.files().keys().collect::<Vec<_>>(), ["fig08.csv", "fig08.svg", "figures.html"]);
    assert!(
        out.starts_with(
            "fig08  Fig. 8: utilization against isolation: 3 of 3 statements met\npage   "
        ),
        "{out}"
    );
}

/// As when somebody ends it before the last figure.
#[test]
fn the_page_has_the_figures_that_are_done() {
    let dir = Dir::new("figures-ended");
    fs::create_dir_all(dir.0.join("fig10.csv")).unwrap();
    let output = dir.figures(1, &["--only", "fig08,fig10", "--seeds", "2"]);
    assert_eq!(output.status.code(), Some(3), "{:?}", code(&output));
    let page = dir.read("figures.html");
    assert!(page.contains("<section id=\"fig08\">") && !page.contains("<section id=\"fig10\">"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let dir = Dir::new("figures-wrong");
    for (only, said) in [
        ("fig99", "[possible values: fig08, fig10, fig15, fig16, fig17"),
        ("fig09", "ssr has no fig09; its figures are fig08, fig10, fig15, fig16, fig17"),
    ] {
        let (code, says) = code(&dir.figures(1, &["--only", only]));
        assert_eq!(code, Some(2));
        assert!(says.contains(said), "{says}");
    }
    assert!(!dir.0.exists(), "nothing is written");
    assert_eq!(dir.figures(1, &["--seeds", "0"]).status.code(), Some(2));

    fs::write(&dir.0, "a file where the folder should be").unwrap();
    let output = dir.figures(1, &["--only", "fig08"]);
    let (code, said) = code(&output);
    assert_eq!(code, Some(3));
    assert!(
        said.starts_with("holdfast: cannot write ") && said.contains("figures-wrong"),
        "{said}"
    );
    fs::remove_file(&dir.0).unwrap();
}

#[test]
fn help_teaches() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_holdfast")).args(["figures", "--help"]).output().unwrap();
    // Lines end where the terminal's width says.
    let help = String::from_utf8(output.stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "fig08: Fig. 8: utilization against isolation",
        "setting,x,series,value,lo,hi,n,seed",
        "holdfast figures --out build/figures",
        "figures.html",
        "The page has the figures of this run",
        "RAYON_NUM_THREADS=1",
        "fig17: Fig. 17: copies of stragglers shorten jobs",
        "Nodes of the simulated cluster",
    ] {
        assert!(help.contains(part), "{part} is not in {help}");
    }
}
