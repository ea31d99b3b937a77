//! Names of workflows and patterns by the table that the shim's test reads, too (`io.holdfast.names.IdentityCasesSpec`).
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use holdfast_trace::Settings;
use holdfast_trace::spark_event::{SparkEvent, parse};
use holdfast_words::fits;
use serde::Deserialize;
use serde_json::json;

/// Both sides' cases.
#[derive(Deserialize)]
struct Table {
    identities: Vec<Identity>,
    globs: Vec<Glob>,
}

#[derive(Deserialize)]
struct Identity {
    case: String,
    properties: BTreeMap<String, String>,
    name: String,
    /// Where the reader differs from the shim; the table says why.
    reader: Option<String>,
}

#[derive(Deserialize)]
struct Glob {
    glob: String,
    matches: Vec<String>,
    refuses: Vec<String>,
}

fn table() -> Table {
    serde_json::from_str(include_str!("identity-cases.json")).unwrap()
}

/// The workflow of job 7 with these local properties; the pool `important` has a priority.
fn workflow(properties: &BTreeMap<String, String>) -> String {
    let conf = [("spark.holdfast.pool.important.priority", "10")];
    let conf = conf.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let line = json!({
        "Event": "SparkListenerJobStart",
        "Job ID": 7,
        "Submission Time": 1,
        "Stage Infos": [],
        "Stage IDs": [],
        "Properties": properties,
    });
    let event = parse(line.to_string().as_bytes(), |_| 0).unwrap().unwrap().event;
    let SparkEvent::JobStart(start) = event else { panic!("{event:?}") };
    start.names.workflow(start.job, &Settings::of(&conf).pools).1
}

#[test]
fn workflows_have_the_names_that_the_table_says() {
    for Identity { case, properties, name, reader } in table().identities {
        assert_eq!(workflow(&properties), reader.unwrap_or(name), "{case}: {properties:?}");
    }
}

#[test]
fn patterns_fit_what_the_table_says() {
    for Glob { glob, matches, refuses } in table().globs {
        for name in matches {
            assert!(fits(&glob, &name), "{glob:?} {name:?}");
        }
        for name in refuses {
            assert!(!fits(&glob, &name), "{glob:?} {name:?}");
        }
    }
}
