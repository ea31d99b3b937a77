//! Every link leads somewhere, every page is found, and every command names what there is.

use std::collections::{BTreeMap, BTreeSet};

use holdfast_tidy::page::{self, Page};
use holdfast_tidy::{names, pages, relative, root, sources};

fn parsed() -> BTreeMap<String, Page> {
    pages().into_iter().map(|(path, text)| (path, page::parse(&text))).collect()
}

/// Returns the path that a link of a page means, without `.` and `..`.
fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the links of a page that stay in the repository: page or file, and anchor.
fn inner_links<'a>(path: &str, page: &'a Page) -> Vec<(String, Option<&'a str>)> {
    let inner =
        page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
    let split = inner.map(|link| match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link.as_str(), None),
    });
    split
        .map(|(file, anchor)| {
            (if file.is_empty() { path.to_owned() } else { resolve(path, file) }, anchor)
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let pages = parsed();
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for (target, anchor) in inner_links(path, page) {
            let known = match (pages.get(&target), anchor) {
                (Some(page), Some(anchor)) => page.anchors.iter().any(|known| known == anchor),
                (None, Some(_)) => false,
                (_, None) => root().join(&target).exists(),
            };
            if !known {
                broken.push(format!("{path} -> {target}#{}", anchor.unwrap_or_default()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_page_of_docs_is_found_from_the_readme() {
    let pages = parsed();
    let mut found = BTreeSet::from(["README.md".to_owned()]);
    let mut open = vec!["README.md".to_owned()];
    while let Some(path) = open.pop() {
        for (target, _) in inner_links(&path, &pages[&path]) {
            let inside = [target.clone(), format!("{target}/README.md")];
            let page = inside.into_iter().find(|name| pages.contains_key(name));
            open.extend(page.filter(|page| found.insert(page.clone())));
        }
    }
    let lost: Vec<_> =
        pages.keys().filter(|path| path.starts_with("docs/") && !found.contains(*path)).collect();
    assert!(lost.is_empty(), "no page that is found links to {lost:?}");
}

#[test]
fn every_command_names_what_there_is() {
    let (tasks, projects, packages) =
        (names::gradle_tasks(), names::gradle_projects(), names::packages());
    let mut wrong = Vec::new();
    for (path, page) in parsed() {
        if path.starts_with("docs/measurements/") || path == "CHANGELOG.md" {
            continue; // A record's commands are those of its revision.
        }
        for code in &page.code {
            for asked in names::tasks_asked_for(code) {
                let (project, task) = asked.rsplit_once(':').unwrap_or(("", &asked));
                let project = project.trim_start_matches(':');
                let known = project.is_empty() || projects.iter().any(|known| known == project);
                if !known || !tasks.contains(task) {
                    wrong.push(format!("{path}: no Gradle task {asked}"));
                }
            }
            for asked in names::packages_asked_for(code) {
                if !packages.contains(&asked) {
                    wrong.push(format!("{path}: no package {asked}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sources_name_pages_that_exist() {
    let mut wrong = Vec::new();
    for folder in ["rust", "jvm-shim", "integration", "gradle"] {
        let folder = root().join(folder);
        for (path, text) in sources(&folder, &[".rs", ".java", ".scala", ".gradle", ".py"]) {
            let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
            let docs = text.match_indices("docs/").map(|(at, _)| {
                let rest = &text[at..];
                rest[..rest.find(|c| !name(c)).unwrap_or(rest.len())].trim_end_matches('.')
            });
            for page in docs.filter(|page| page.ends_with(".md")) {
                if !root().join(page).exists() {
                    wrong.push(format!("{} names {page}", relative(&path)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns whether inline code is a path of this repository, written in full.
fn is_path(code: &str) -> bool {
    let top = ["rust/", "jvm-shim/", "integration/", "gradle/", "docs/"];
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    top.iter().any(|top| code.starts_with(top)) && code.chars().all(plain) && !code.contains("...")
}

#[test]
fn pages_name_sources_that_exist() {
    let mut wrong = Vec::new();
    for (path, page) in parsed() {
        let record = path.starts_with("docs/measurements/") || path == "CHANGELOG.md";
        for code in page.code.iter().filter(|code| !record && is_path(code)) {
            if !code.contains("/build/") && !root().join(code).exists() {
                wrong.push(format!("{path} names {code}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
