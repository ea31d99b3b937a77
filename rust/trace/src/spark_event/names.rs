//! Which workflow a job belongs to: the same names in the same order as the shim's `io.holdfast.identity.Identity`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;

/// What names a workflow; the first that a job has counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `holdfast.workflow`: the scope API.
    Workflow,
    /// A streaming query.
    Stream,
    /// A job group.
    Group,
    /// A pool with a priority.
    Pool,
    /// A SQL execution.
    Sql,
    /// A session of Spark Connect.
    Session,
    /// Nothing: the job by itself.
    Job,
}

/// What a job's local properties name it by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobNames {
    /// `holdfast.workflow`, or its alias `spark.holdfast.workflow`.
    pub workflow: Option<String>,
    /// `sql.streaming.queryId`.
    pub stream: Option<String>,
    /// `spark.jobGroup.id`.
    pub group: Option<String>,
    /// `spark.scheduler.pool`.
    pub pool: Option<String>,
    /// `spark.sql.execution.id`.
    pub execution: Option<u64>,
    /// `spark.sql.execution.root.id`; Spark has it from 3.4 on.
    pub root_execution: Option<u64>,
    /// The session of Spark Connect, out of `spark.job.tags`.
    pub session: Option<String>,
    /// `spark.job.description`.
    pub description: Option<String>,
    /// `holdfast.priority`, or its alias `spark.holdfast.priority`.
    pub priority: Option<i32>,
    /// Whether it computes a broadcast for its SQL execution. Before 3.5, Spark gives such a job a group of its own in
    /// place of the user's (`BroadcastExchangeExec`), which then names nothing.
    pub helper: bool,
}

/// The local properties of the submitting thread that matter here.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Properties<'a> {
    #[serde(rename = "holdfast.workflow", borrow)]
    workflow: Cow<'a, str>,
    #[serde(rename = "spark.holdfast.workflow", borrow)]
    workflow_alias: Cow<'a, str>,
    #[serde(rename = "sql.streaming.queryId", borrow)]
    stream: Cow<'a, str>,
    #[serde(rename = "spark.jobGroup.id", borrow)]
    group: Cow<'a, str>,
    #[serde(rename = "spark.scheduler.pool", borrow)]
    pool: Cow<'a, str>,
    #[serde(rename = "spark.sql.execution.id", borrow)]
    execution: Cow<'a, str>,
    #[serde(rename = "spark.sql.execution.root.id", borrow)]
    root_execution: Cow<'a, str>,
    #[serde(rename = "spark.job.tags", borrow)]
    tags: Cow<'a, str>,
    #[serde(rename = "spark.job.description", borrow)]
    description: Cow<'a, str>,
    #[serde(rename = "holdfast.priority", borrow)]
    priority: Cow<'a, str>,
    #[serde(rename = "spark.holdfast.priority", borrow)]
    priority_alias: Cow<'a, str>,
}

/// Spark Connect marks the jobs of an operation with `SparkConnect_..._User_<user>_Session_<session>_...`.
const CONNECT: &str = "SparkConnect_";
const USER_PART: &str = "_User_";
const SESSION_PART: &str = "_Session_";
/// What follows the session; the last is a tag of the user's own, whatever is in it.
const AFTER_SESSION: [&str; 3] = ["_Operation_", "_Request_", "_Tag_"];
/// A session's own tags, of Spark 4: `spark-session-<session>[-thread-<thread>]-<tag>`.
const SESSION_TAG: &str = "spark-session-";
const UUID_LENGTH: usize = 36;

/// Returns the session in a tag. A user's name may hold any of these marks, and so may the user's own tag at the end.
fn session(tag: &str) -> Option<&str> {
    if let Some(rest) = tag.strip_prefix(SESSION_TAG) {
        return rest.get(..UUID_LENGTH);
    }
    let tag = tag.starts_with(CONNECT).then_some(tag)?;
    let user = tag.find(USER_PART)? + USER_PART.len();
    let first = user + tag[user..].find(SESSION_PART)?;
    let after = AFTER_SESSION.iter().filter_map(|part| Some(first + tag[first..].find(part)?));
    let after = after.min().unwrap_or(tag.len());
    let begin = tag[first..after].rfind(SESSION_PART).unwrap_or(0) + first + SESSION_PART.len();
    tag[begin..].split('_').next()
}

fn number_of(value: &str) -> Option<i32> {
    value.trim().parse().ok()
}

/// Returns a name as Java's `isBlank` and `trim` leave it, which the shim uses.
fn text(value: &str) -> Option<String> {
    let stays = |c: char| matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}');
    let is_blank = |c: char| (c.is_whitespace() && !stays(c)) || ('\u{1c}'..='\u{1f}').contains(&c);
    (!value.chars().all(is_blank)).then(|| value.trim_matches(|c| c <= ' ').to_owned())
}

/// So much of a description is kept: some are whole queries.
const DESCRIPTION: usize = 100;

/// Returns a description in one line.
pub(super) fn description(text: &str) -> Option<String> {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if words.chars().count() >= DESCRIPTION {
            break;
        }
        words.push_str(if words.is_empty() { "" } else { " " });
        words.extend(word.chars().take(DESCRIPTION));
    }
    (!words.is_empty()).then(|| words.chars().take(DESCRIPTION).collect())
}

/// Returns whether Spark has made up the group for a broadcast.
fn is_broadcast(description: &str, group: &str) -> bool {
    let run = description.split_once("(runId ").and_then(|(_, run)| run.strip_suffix(')'));
    run == Some(group) && description.to_ascii_lowercase().starts_with("broadcast exchange")
}

impl Properties<'_> {
    pub(super) fn names(&self) -> JobNames {
        let number = |value: &str| value.trim().parse().ok();
        let root = number(&self.root_execution);
        // As the shim: a root that is no number is not Spark's, and neither is what it is the root of.
        let is_spark = root.is_some() || text(&self.root_execution).is_none();
        let execution = number(&self.execution).filter(|_| is_spark);
        let group = text(&self.group);
        let helper = execution.is_some()
            && group.as_ref().is_some_and(|group| is_broadcast(&self.description, group));
        JobNames {
            workflow: text(&self.workflow).or_else(|| text(&self.workflow_alias)),
            stream: text(&self.stream),
            group: group.filter(|_| !helper),
            pool: text(&self.pool),
            execution,
            root_execution: root,
            session: self.tags.split(',').find_map(|tag| text(session(tag)?)),
            description: description(&self.description).filter(|_| !helper),
            priority: number_of(&self.priority).or_else(|| number_of(&self.priority_alias)),
            helper,
        }
    }
}

impl JobNames {
    /// Returns the root SQL execution.
    pub fn root(&self) -> Option<u64> {
        self.root_execution.or(self.execution)
    }

    /// Returns the workflow's name and what it comes from. Only pools in `pools`, those with a priority, give a name.
    pub fn workflow(&self, job: u32, pools: &BTreeSet<String>) -> (Kind, String) {
        let pool = self.pool.as_ref().filter(|pool| pools.contains(*pool));
        if let Some(name) = &self.workflow {
            (Kind::Workflow, format!("workflow:{name}"))
        } else if let Some(id) = &self.stream {
            (Kind::Stream, format!("stream:{id}"))
        } else if let Some(group) = &self.group {
            (Kind::Group, format!("group:{group}"))
        } else if let Some(pool) = pool {
            (Kind::Pool, format!("pool:{pool}"))
        } else if let Some(execution) = self.root() {
            (Kind::Sql, format!("sql:{execution}"))
        } else if let Some(session) = &self.session {
            (Kind::Session, format!("session:{session}"))
        } else {
            (Kind::Job, format!("job:{job}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(json: &str) -> JobNames {
        serde_json::from_str::<Properties<'_>>(json).unwrap().names()
    }

    #[test]
    fn the_outermost_name_wins() {
        let all = [
            ("holdfast.workflow", "w", "workflow:w"),
            ("spark.holdfast.workflow", "a", "workflow:a"),
            ("sql.streaming.queryId", "q", "stream:q"),
            ("spark.jobGroup.id", "g", "group:g"),
            ("spark.scheduler.pool", "important", "pool:important"),
            ("spark.sql.execution.root.id", "3", "sql:3"),
            ("spark.sql.execution.id", "4", "sql:4"),
            (
                "spark.job.tags",
                "SparkConnect_OperationTag_User_u_Session_s-1_Operation_o",
                "session:s-1",
            ),
        ];
        let pools = BTreeSet::from(["important".to_owned()]);
        for from in 0..all.len() {
            let parts: Vec<_> =
                all[from..].iter().map(|(k, v, _)| format!("\"{k}\":\"{v}\"")).collect();
            let names = names(&format!("{{{}}}", parts.join(",")));
            assert_eq!(names.workflow(7, &pools).1, all[from].2);
        }
        assert_eq!(names("{}").workflow(7, &pools), (Kind::Job, "job:7".to_owned()));
    }

    #[test]
    fn a_pool_without_a_priority_gives_no_name() {
        let names = names(r#"{"spark.scheduler.pool":"background","spark.sql.execution.id":"2"}"#);
        assert_eq!(names.workflow(1, &BTreeSet::new()), (Kind::Sql, "sql:2".to_owned()));
        assert_eq!(names.pool.as_deref(), Some("background"));
    }

    #[test]
    fn sessions_of_both_generations_of_tags_are_known() {
        let id = "0f8fad5b-d9cb-469f-a165-70867728950e";
        assert_eq!(session(&format!("spark-session-{id}-thread-x-mine")), Some(id));
        assert_eq!(session("spark-session-short"), None);
        assert_eq!(session("SparkConnect_Execute_User_a_b_Session_s1_Request_r"), Some("s1"));
        assert_eq!(session("mine"), None);
    }

    #[test]
    fn the_group_that_spark_makes_up_for_a_broadcast_names_nothing() {
        let names = names(
            r#"{"spark.jobGroup.id":"a8-1","spark.sql.execution.id":"3",
                "spark.job.description":"Broadcast exchange (runId a8-1)"}"#,
        );
        assert!(names.helper);
        assert_eq!(
            (names.workflow(1, &BTreeSet::new()).1, names.description),
            ("sql:3".to_owned(), None)
        );
    }

    #[test]
    fn names_are_as_they_were_given_and_descriptions_one_line() {
        let names = names(
            r#"{"spark.jobGroup.id":"a\nb\u001b[31m","spark.job.description":"\u001b]0;x\u0007  and\n y"}"#,
        );
        assert_eq!(names.workflow(1, &BTreeSet::new()).1, "group:a\nb\u{1b}[31m");
        assert_eq!(names.description.as_deref(), Some("\u{1b}]0;x\u{7} and y"));
    }

    #[test]
    fn blank_names_do_not_count() {
        let names = names(r#"{"spark.jobGroup.id":"  ","spark.sql.execution.id":" 12 "}"#);
        assert_eq!(names.workflow(1, &BTreeSet::new()).1, "sql:12");
    }
}
