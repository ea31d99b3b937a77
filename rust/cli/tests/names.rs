//! Names that others choose, on their way to every output: what steers a terminal is shown and never sent.
#![allow(clippy::unwrap_used, reason = "tests")]

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use holdfast_engine::{Config, Event, ExecutorId, PoolId, ProfileId, Resources, Time, WorkflowId};
use holdfast_log::{Header, LogWriter, NameKind};
use program::{Ran, file, holdfast};
use serde_json::{Value, json};

/// What a name is made of: escapes in both forms, bidi controls, line breaks of every kind, what is not seen, markup.
const PARTS: [&str; 16] = [
    "\u{1b}[2J",
    "\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\u{1b}[1m",
    "\n",
    "\r",
    "\t",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{7f}",
    "</script><img src=x>",
    "größer 日本",
    "\u{e0041}",
];

/// Whether a terminal would obey a character, or a reader not see it. Written out once more: not the program's own list.
fn obeyed(c: char) -> bool {
    let number = u32::from(c);
    (c != '\n' && number < 0x20)
        || (0x7f..0xa0).contains(&number)
        || [0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].contains(&number)
        || (0x202a..=0x202e).contains(&number)
        || (0x2066..=0x2069).contains(&number)
        || (0xe0000..0xe0080).contains(&number)
}

/// Names of one to four parts, the same each time.
fn names() -> Vec<String> {
    let mut state = 42u64;
    let mut next = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let singles = PARTS.iter().map(|part| format!("a{part}b"));
    let mixed = (0..8).map(|_| {
        let parts = next(4) + 1;
        (0..parts)
            .map(|_| PARTS[next(PARTS.len())])
            .fold(String::from("x"), |name, p| name + p + "y")
    });
    singles.chain(mixed).collect()
}

/// What a run said, if nothing in it steers.
fn safe(ran: Ran, name: &str) -> Ran {
    for told in [&ran.out, &ran.err] {
        assert!(!told.contains(obeyed), "{name:?}: {told:?}");
    }
    ran
}

fn event_log(place: &str, name: &str) -> PathBuf {
    let job = |id: u32, at: u64, properties: Value| json!({"Event": "SparkListenerJobStart", "Job ID": id, "Submission Time": at, "Stage IDs": [id], "Properties": properties});
    let stage = |id: u32, at: u64| json!({"Event": "SparkListenerStageSubmitted", "Stage Info": {"Stage ID": id, "Number of Tasks": 1, "Submission Time": at}});
    let info = |id: u32, from: u64, to: u64| json!({"Task ID": id, "Index": 0, "Launch Time": from, "Executor ID": name, "Locality": "ANY", "Finish Time": to});
    let mut lines = vec![
        json!({"Event": "SparkListenerLogStart", "Spark Version": name}),
        json!({"Event": "SparkListenerEnvironmentUpdate", "Spark Properties": {"spark.scheduler.mode": "FAIR", "spark.scheduler.allocation.file": format!("/nonexist/{name}")}}),
        json!({"Event": "SparkListenerApplicationStart", "App Name": name, "App ID": name, "Timestamp": 1_000}),
        json!({"Event": "SparkListenerExecutorAdded", "Timestamp": 1_000, "Executor ID": name, "Executor Info": {"Host": name, "Total Cores": 1}}),
    ];
    let who = [
        json!({"spark.holdfast.workflow": name, "spark.scheduler.pool": name, "spark.job.description": name}),
        json!({"spark.jobGroup.id": name}),
        json!({"spark.job.tags": format!("SparkConnect_X_User_u_Session_{name}_Y")}),
    ];
    for (id, properties) in (0u32..).zip(who) {
        let from = 1_000 + u64::from(id) * 1_000;
        let to = from + 900;
        lines.push(job(id, from, properties));
        lines.push(stage(id, from));
        lines.push(json!({"Event": "SparkListenerTaskStart", "Stage ID": id, "Task Info": info(id, from, 0)}));
        lines.push(json!({"Event": "SparkListenerTaskEnd", "Stage ID": id, "Task Type": "ResultTask", "Task End Reason": {"Reason": "Success"}, "Task Info": info(id, from, to)}));
        lines.push(json!({"Event": "SparkListenerStageCompleted", "Stage Info": {"Stage ID": id, "Completion Time": to}}));
        lines.push(json!({"Event": "SparkListenerJobEnd", "Job ID": id, "Completion Time": to}));
    }
    file(place, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

#[test]
fn event_logs_steer_neither_terminal_nor_page_nor_document() {
    let plain = event_log("names-plain", "plain");
    let lines = |ran: &Ran| ran.out.lines().count();
    let usual = lines(&holdfast(&["whatif", plain.to_str().unwrap()]));
    for name in names() {
        let log = event_log("names-evil", &name);
        let log = log.to_str().unwrap();
        let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names.html");
        let text = safe(holdfast(&["whatif", log, "--html", page.to_str().unwrap()]), &name);
        assert_eq!((text.code, lines(&text)), (0, usual), "{name:?}: {}", text.out);
        let html = fs::read_to_string(&page).unwrap();
        assert!(
            !html.contains(obeyed) && !html.contains("<img") && !html.contains("</script"),
            "{name:?}"
        );
        let all = safe(holdfast(&["whatif", log, "--workflow", "*", "--simulate", "9"]), &name);
        assert_eq!(all.code, 0, "{}", all.err);

        let ran = safe(holdfast(&["whatif", log, "--json"]), &name);
        let told: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(told["applications"][0]["id"], name.as_str(), "a document has it as it is");
        safe(holdfast(&["sim", log]), &name);
        safe(holdfast(&["sim", log, "--compare"]), &name);
        safe(holdfast(&["sim", log, "--compare", "--json"]), &name);
        let ran = safe(holdfast(&["sim", log, "--foreground", "none"]), &name);
        assert!(ran.code == 2 && ran.err.lines().count() == 1, "{}", ran.err);
    }
}

#[test]
fn decision_logs_do_not_steer_the_terminal() {
    for name in names() {
        let host = BTreeMap::from([(name.clone(), name.clone())]);
        let header = Header {
            engine: name.clone(),
            revision: name.clone(),
            ..Header::new(Config::default(), host)
        };
        let mut log = LogWriter::new(&header).unwrap();
        let profile = ProfileId(0);
        let demand = Resources::cpu(1000);
        let mut events = vec![Event::ProfileDefined { profile, runs_on: profile, demand }];
        events.push(Event::ExecutorAdded { executor: ExecutorId(0), profile, capacity: demand });
        events.push(Event::WorkflowOpened {
            workflow: WorkflowId(1),
            priority: 1,
            isolation: 1_000_000,
            parallelism: 0,
            pool: PoolId::ROOT,
        });
        for (at, event) in (1..).zip(&events) {
            log.event(Time(at), event, &[], None);
        }
        for kind in [NameKind::Executor, NameKind::Workflow, NameKind::User] {
            log.name(kind, 1, &name);
        }
        log.end();
        let mut bytes = Vec::new();
        log.write_to(&mut bytes).unwrap();
        let path = file("names.hflog", bytes);
        let path = path.to_str().unwrap();
        let ran = safe(holdfast(&["explain", path]), &name);
        assert_eq!((ran.code, ran.out.lines().count()), (0, 4), "{name:?}: {}{}", ran.out, ran.err);
        safe(holdfast(&["replay", path]), &name);
        for option in ["--workflow", "--executor", "--user"] {
            let ran = safe(holdfast(&["explain", path, option, "other"]), &name);
            assert!(ran.code == 2 && ran.err.lines().count() == 1, "{name:?}: {}", ran.err);
        }
    }
}

#[test]
fn histories_traces_and_scenarios_do_not_steer_the_terminal() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names-history");
    for name in names() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let entry = json!({"workflow": name, "shape": name, "when": 1, "runs": 1, "steps": []});
        let wrong = json!({ "workflow": {&name: 1} });
        let text = format!("{{\"holdfast_history\":1}}\n{entry}\n{wrong}\n");
        fs::write(folder.join("app.json"), text).unwrap();
        let ran = safe(holdfast(&["history", folder.to_str().unwrap()]), &name);
        assert_eq!(
            (ran.out.lines().count(), ran.err.lines().count()),
            (2, 1),
            "{name:?}: {}",
            ran.out
        );
        safe(holdfast(&["history", folder.to_str().unwrap(), "--workflow", "other"]), &name);

        let header = json!({"format": "holdfast-trace", "version": 1, "source": name});
        let workflow = json!({"name": name, "arrival_ms": 0, "pool": name, "jobs": [{"stages": [{"tasks_ms": [1]}]}]});
        let trace = file("names.jsonl", format!("{header}\n{workflow}\n"));
        let trace = trace.to_str().unwrap();
        safe(holdfast(&["sim", trace]), &name);
        safe(holdfast(&["sim", trace, "--json"]), &name);
        let ran = safe(holdfast(&["sim", trace, "--foreground", "other"]), &name);
        assert!(ran.code == 2 && ran.err.lines().count() == 1, "{name:?}: {}", ran.err);
        let other = json!({"format": name, "version": 1, "source": "holdfast-trace"});
        safe(
            holdfast(&["sim", file("names-other.jsonl", format!("{other}\n")).to_str().unwrap()]),
            &name,
        );

        let quoted = json!(name).to_string();
        let world = program::WORLD.replacen("\"nodes\"", &quoted, 1);
        let ran = safe(holdfast(&["sim", file("names.jsonc", world).to_str().unwrap()]), &name);
        assert_eq!(ran.code, 3, "{}", ran.err);
    }
}

/// Paths are names, too.
#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    for name in names() {
        let name = format!("names-of-files-{}", name.replace('/', "|"));
        let path = file(&name, "no log\n");
        for command in ["whatif", "sim", "explain", "replay", "history"] {
            let ran = safe(holdfast(&[command, path.to_str().unwrap()]), &name);
            assert!(
                ran.code != 0 && ran.err.lines().count() == 1,
                "{command} {name:?}: {}",
                ran.err
            );
        }
        fs::remove_file(path).unwrap();
    }
}
