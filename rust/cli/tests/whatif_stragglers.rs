//! `holdfast whatif --stragglers` as a user runs it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use program::{LOG, holdfast};
use serde_json::Value;

fn json(options: &[&str]) -> Value {
    let ran = holdfast(&[&["whatif", LOG, "--json", "--limit", "0"], options].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    document["applications"][0].clone()
}

fn total(grass: &Value, of: impl Fn(&Value) -> u64) -> u64 {
    grass["workflows"].as_array().unwrap().iter().map(of).sum()
}

#[test]
fn what_stragglers_cost_is_simulated_if_asked_for() {
    let asked = json(&["--stragglers"]);
    let grass = &asked["grass"];
    let number = |name: &str| grass[name].as_u64().unwrap();
    assert!(0 < number("stragglers") && number("stragglers") < number("tasks") / 2, "{grass}");
    let recorded = total(grass, |w| w["as_recorded_ms"].as_u64().unwrap());
    let without = total(grass, |w| w["without_stragglers_ms"].as_u64().unwrap());
    assert!(without < recorded, "{without} {recorded}");
    // All tasks may be copied: that gives part of what stragglers cost back, and not more than all.
    let settings: Vec<&str> = grass["copying"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["copies"].as_str().unwrap())
        .collect();
    assert_eq!(settings, ["shuffle", "all"]);
    let copied = total(grass, |w| w["grass_ms"][1].as_u64().unwrap());
    assert!(copied < recorded && copied > without * 9 / 10, "{without} {copied} {recorded}");
    let all = &grass["copying"][1];
    assert!(all["copies_won"].as_u64() > Some(0), "{all}");
    assert!(all["copies_won"].as_u64() <= all["copies_launched"].as_u64(), "{all}");
    // Most costly first; nothing else changes by the question.
    let costs = grass["workflows"].as_array().unwrap().iter().map(|w| {
        let [before, after] = ["as_recorded_ms", "without_stragglers_ms"].map(|n| w[n].as_i64());
        before.unwrap() - after.unwrap()
    });
    assert!(costs.map(std::cmp::Reverse).is_sorted());
    let mut unasked = json(&[]);
    assert!(unasked.get("grass").is_none());
    unasked["grass"] = grass.clone();
    assert_eq!(unasked, asked);
}

#[test]
fn text_and_page_say_what_stragglers_cost() {
    let page = program::file("stragglers.html", "");
    let options = ["whatif", LOG, "--stragglers", "--limit", "2", "--html", page.to_str().unwrap()];
    let ran = holdfast(&options);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (_, said) = ran.out.split_once("\nWhat stragglers cost (a simulation").unwrap();
    for part in [
        " of 672 tasks took more than 1.5 times the median of their stage, ",
        "\nWith copies=all: ",
        "\nA copy takes what a task of its stage drawn by chance took",
        "(2 of 22 shown; --limit 0 shows all)",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<h3>What stragglers cost</h3>"));
    let ran = holdfast(&["whatif", LOG]);
    assert!(!ran.out.contains("What stragglers cost"), "{}", ran.out);
    let ran = holdfast(&["whatif", LOG, "--stragglers", "--simulate", "0"]);
    assert!(ran.out.contains("Not simulated: --simulate 0."), "{}", ran.out);
    let ran = holdfast(&["whatif", LOG, "--stragglers", "--workflow", "job:14"]);
    let (_, said) = ran.out.split_once("\nWhat stragglers cost").unwrap();
    assert_eq!(said.lines().filter(|line| line.starts_with("job:")).count(), 1, "{said}");
}
