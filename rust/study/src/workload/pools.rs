//! Pools of the fair scheduler, as `spark.scheduler.allocation.file` has them (Spark's `FairSchedulableBuilder`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use holdfast_sim::world::PoolSpec;
use holdfast_words::shown_path;

use crate::Failure;

/// Pools by name.
pub(super) type Pools = BTreeMap<String, PoolSpec>;

/// Returns where configuration says that pools are described.
pub fn file(conf: &BTreeMap<String, String>) -> Option<&Path> {
    let file = conf.get("spark.scheduler.allocation.file")?;
    let path = file.strip_prefix("file:").unwrap_or(file);
    Some(Path::new(path.trim_start_matches("//")))
}

/// Returns what is said where a log's pools are not known.
pub(crate) fn unknown(file: &Path) -> String {
    format!(
        "pools have weight 1 and no minimum share: {} is not here; --conf spark.scheduler.allocation.file=FILE",
        shown_path(file)
    )
}

/// Returns what a pool is that no file describes: FIFO, weight 1, no minimum share.
pub(super) fn plain(name: &str) -> PoolSpec {
    PoolSpec { name: name.to_owned(), fair: false, weight: 1, min_share: 0 }
}

/// Reads a file as Spark does: what is missing or makes no sense in a pool has its default.
pub(super) fn read(path: &Path) -> Result<Pools, Failure> {
    let wrong =
        |why: &dyn std::fmt::Display| Failure::Input(format!("{}: {why}", shown_path(path)));
    let text = fs::read_to_string(path).map_err(|e| wrong(&e))?;
    parse(&text).map_err(|e| wrong(&e))
}

fn parse(text: &str) -> Result<Pools, roxmltree::Error> {
    let document = roxmltree::Document::parse(text)?;
    let pools = document.descendants().filter(|node| node.has_tag_name("pool"));
    let pool = |node: roxmltree::Node<'_, '_>| {
        let name = node.attribute("name")?;
        let said = |tag: &str| {
            let found = node.children().find(|child| child.has_tag_name(tag))?;
            found.text().map(str::trim).map(str::to_owned)
        };
        let number = |tag: &str| said(tag).and_then(|text| text.parse::<u32>().ok());
        let fair = said("schedulingMode").is_some_and(|mode| mode.eq_ignore_ascii_case("fair"));
        let weight = number("weight").filter(|&weight| weight > 0).unwrap_or(1);
        let min_share = number("minShare").unwrap_or(0);
        Some((name.to_owned(), PoolSpec { name: name.to_owned(), fair, weight, min_share }))
    };
    Ok(pools.filter_map(pool).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_spark_is_read() {
        let pools = parse(
            r#"<?xml version="1.0"?><allocations>
              <pool name="a"><schedulingMode>FAIR</schedulingMode><weight> 7 </weight><minShare>3</minShare></pool>
              <pool name="b"><weight>none</weight></pool></allocations>"#,
        );
        let pools = pools.unwrap();
        let a = PoolSpec { name: "a".to_owned(), fair: true, weight: 7, min_share: 3 };
        assert_eq!((&pools["a"], &pools["b"]), (&a, &plain("b")));
    }
}
