//! Configuration keys, in the order of the documentation.

use crate::Type::{Boolean, Choice, Duration, Fraction, Integer, Path, Priority, Size, Text, Uri};
use crate::{Enum, Key, Scope, Type, Value, Variant};

const fn word(name: &'static str, doc: &'static str) -> Variant {
    Variant { name, doc }
}

const POLICY: Enum = Enum {
    name: "Policy",
    doc: "Which policy fills the roles.",
    derives: "",
    variants: &[
        word("Stock", "Never holds: Spark as it is."),
        word(
            "Static",
            "Static reservation (ICDCS'17, section III-A): some slots are for workflows with a priority only, always.",
        ),
        word(
            "Timeout",
            "Timeout reservation (ICDCS'17, section III-A): whatever such a workflow releases is held for a fixed time.",
        ),
        word("Ssr", "Speculative slot reservation (ICDCS'17)."),
    ],
};

const HOLD_FOR: Enum = Enum {
    name: "HoldFor",
    doc: "Who may hold.",
    derives: "",
    variants: &[
        word("Prioritised", "Workflows with a priority above 0."),
        word(
            "All",
            "Everybody, up to an equal share of the slots; prioritised workflows up to all.",
        ),
    ],
};

const NEED_RULE: Enum = Enum {
    name: "NeedRule",
    doc: "How far a workflow's need looks.",
    derives: "",
    variants: &[
        word(
            "Lookahead",
            "Past narrow stages, to the widest that is still to come or was seen of late.",
        ),
        word("Literal", "Only to what comes next (Algorithm 1 of the paper)."),
    ],
};

const COPIES: Enum = Enum {
    name: "Copies",
    doc: "Which running tasks may be copied.",
    derives: "",
    variants: &[
        word("Off", "None."),
        word("Shuffle", "Those of shuffle map stages."),
        word(
            "All",
            "Those of result stages too: only where a task may run twice, as with `spark.speculation`.",
        ),
    ],
};

const STRAGGLERS: Enum = Enum {
    name: "Stragglers",
    doc: "What is done about tasks that take long.",
    derives: "",
    variants: &[
        word("Holds", "Copies on own held slots once no more tasks run than those (SSR-10)."),
        word("Grass", "RAS, and GS near the bound, from a point that is learned (NSDI'14)."),
        word("Gs", "A copy wherever it ends sooner than what runs (NSDI'14, GR-2)."),
        word("Ras", "A copy where it saves slot-time, too (NSDI'14, GR-3)."),
        word("Late", "Copies of slow tasks with the longest time to end (OSDI'08)."),
        word("Mantri", "A copy where it probably saves slot-time (OSDI'10)."),
        word("Off", "No copies."),
    ],
};

const GRASS_SWITCH: Enum = Enum {
    name: "GrassSwitch",
    doc: "When `grass` goes over from RAS to GS.",
    derives: "",
    variants: &[
        word("Learned", "Where samples of earlier jobs say so (NSDI'14, section 4)."),
        word("Waves", "Two waves before the bound (NSDI'14, section 4): for comparison."),
    ],
};

/// The enums of the engine's `Config`; their words are the choices of keys.
pub const KEY_ENUMS: [&Enum; 6] =
    [&POLICY, &HOLD_FOR, &NEED_RULE, &COPIES, &STRAGGLERS, &GRASS_SWITCH];

/// Fields of the engine's `Config` that no key sets: name, type, default, meaning.
pub const CONFIG_ONLY: [(&str, Type, &str, &str); 3] = [
    (
        "copy_age_ns",
        Duration,
        "100ms",
        "How old an attempt must be at least to be copied, and how many times older than its stage's median.",
    ),
    ("copy_age_factor", Integer, "2", "See `copy_age_ns`."),
    (
        "grass_factors",
        Integer,
        "7",
        "Which factors `grass` tells jobs apart by: 1 for the bound, 2 for the utilization, 4 for the accuracy.",
    ),
];

/// The version of the first keys.
pub const FIRST: &str = "0.1.0";
/// The version of those that came with GRASS.
const SECOND: &str = "0.2.0";

fn any(constant: &'static str, name: &str, ty: Type, default: &'static str, doc: &str) -> Key {
    Key {
        name: name.to_owned(),
        ty,
        default,
        doc: doc.to_owned(),
        since: FIRST,
        scope: Scope::Application,
        constant,
        engine: None,
        simulated: false,
        internal: false,
    }
}

impl Key {
    /// Makes it set `field` of the engine's `Config`; `doc` follows the key's name there.
    fn engine(self, field: &'static str, doc: &'static str) -> Self {
        Self { engine: Some(Value { field, doc }), ..self }.simulated()
    }

    /// Gives it to simulated applications.
    fn simulated(self) -> Self {
        Self { simulated: true, ..self }
    }

    /// Says with which version it came.
    fn since(self, since: &'static str) -> Self {
        Self { since, ..self }
    }

    /// Makes it a local property.
    fn property(self) -> Self {
        Self { scope: Scope::Workflow, ..self }
    }
}

/// What the configuration can name work by: the word, how the user's part is called, and whom it speaks of.
const KINDS: [(&str, &str, &str); 6] = [
    ("group", "glob", "job groups (`spark.jobGroup.id`) whose name matches"),
    ("tag", "glob", "jobs with a tag (`addJobTag`, in Spark Connect `addTag`) that matches"),
    (
        "description",
        "glob",
        "jobs whose description (`setJobDescription`, a Thrift server's SQL text) matches",
    ),
    ("session", "glob", "Spark Connect sessions whose id matches"),
    ("user", "glob", "users of Spark Connect, a Thrift server or Kyuubi whose name matches"),
    ("pool", "pool", "what runs in this pool (`spark.scheduler.pool`)"),
];

/// Kinds that a client cannot choose as it likes, and that may be given bounds.
const BOUNDED: [&str; 2] = ["session", "user"];

const ORDER_OF_NAMES: &str = " Larger is more important; 0 is what everybody has. In a pattern `*` stands for any text, \
                              `?` for one character; of several that match the one with the most literal characters \
                              counts. The first of these that applies counts: the thread's local property, job group, \
                              tag, description, session, user, pool. `Holdfast.setPriority` changes them while the \
                              application runs.";

/// Keys that give something to what a name says.
fn by_name() -> Vec<Key> {
    let key = |kind: &str, part: &str, end: &str, ty, default, doc: &str| {
        any("", &format!("{kind}.<{part}>.{end}"), ty, default, doc)
    };
    let mut keys = Vec::new();
    for (kind, part, whom) in KINDS {
        let order = if kind == "group" { ORDER_OF_NAMES } else { "" };
        let doc = format!("Priority of {whom}.{order}");
        keys.push(key(kind, part, "priority", Priority, "0", &doc).simulated());
    }
    for (kind, part, whom) in KINDS {
        let doc = format!("Isolation of {whom}, instead of `spark.holdfast.isolation`.");
        keys.push(key(kind, part, "isolation", Fraction, "", &doc).simulated());
    }
    for (kind, part, whom) in KINDS.into_iter().filter(|(kind, ..)| BOUNDED.contains(kind)) {
        let doc =
            format!("The highest priority of {whom}, instead of `spark.holdfast.priority.max`.");
        keys.push(key(kind, part, "priority.max", Integer, "", &doc));
    }
    let doc = "How many slots the workflows of each user whose name matches hold at once, together. What they run counts \
               nothing. Unset: no limit.";
    keys.push(key("user", "glob", "holds.max", Integer, "", doc));
    keys
}

/// Returns all keys, in the order of the documentation.
#[must_use]
pub fn keys() -> Vec<Key> {
    let mut keys = of_the_engine();
    keys.extend(of_the_shim());
    keys.extend(by_name());
    keys.extend(properties());
    let test =
        any("TEST_PANIC", "test.panic.after", Integer, "", "The engine panics at this event.");
    keys.push(Key { internal: true, ..test });
    keys
}

/// What the engine decides by.
fn of_the_engine() -> Vec<Key> {
    vec![
any("MODE", "mode", Choice(&["enforce", "observe", "off"], None), "enforce",
 "`enforce`: hold slots. `observe`: decide and record, change nothing. `off`: Spark's own scheduler.").simulated(),
any("REQUIRED", "required", Boolean, "false",
 "Whether the application must fail when Holdfast cannot be switched on. By default Spark's own scheduling \
          goes on and one warning says why."),
any("POLICY", "policy", Choice(&["ssr", "timeout", "static", "stock"], Some(&POLICY)), "ssr",
 "`ssr`: speculative slot reservation. The others are for comparisons. `timeout`: every slot that an \
          important workflow releases is held for `hold.max`, whatever follows. `static`: `static.slots` slots are \
          for important workflows only. `stock`: never holds, keeps Spark's order.").engine("policy", "."),
any("STATIC_SLOTS", "static.slots", Integer, "0",
 "How many slots `policy=static` sets aside for workflows with a priority above 0: those of the first \
          executors. Nobody else ever uses them.").engine("static_slots", ": how many slots the policy `static` sets \
          aside."),
any("HOLD_FOR", "hold.for", Choice(&["prioritised", "all"], Some(&HOLD_FOR)), "prioritised",
 "Who may hold slots: workflows whose priority is above 0, or everybody up to a fair share: by weight and \
          minimum share where pools share fairly, else an equal one.").engine("hold_for", "."),
any("NEED", "need", Choice(&["lookahead", "literal"], Some(&NEED_RULE)), "lookahead",
 "`lookahead`: a workflow that narrows and will widen again keeps what it will want back. `literal`: only \
          what the next stage needs (Algorithm 1 of the paper).").engine("need", "."),
any("ISOLATION", "isolation", Fraction, "1",
 "P: the probability with which a workflow is to keep its slots across a barrier. Below 1 the slots are held \
          for as long as that needs by the task durations seen, and then given back: 0.9 idles far less than 1. 0 \
          holds nothing.").simulated(),
any("IDLE_BUDGET", "idle.budget", Fraction, "",
 "The share of all slot-time since the start that may be held idle, for example 0.02. When it is used up \
          holds end, those of the least important workflow first; after five minutes the share is at most a tenth \
          above the budget. Unset: no limit.").engine("idle_budget_ppm", ": the share of all slot-time that may be \
          held idle, in millionths."),
any("HOLD_FLOOR", "hold.floor", Duration, "250ms",
 "The least that slots are held across a barrier, unless the isolation is 0.").engine("hold_floor_ns", ": \
          the least that a barrier is held for, unless the isolation is 0."),
any("HOLD_MAX", "hold.max", Duration, "60s",
 "The longest that slots are held across one barrier or gap, whatever else is \
          configured.").engine("hold_max_ns", ": the absolute cap of every hold."),
any("LINGER_FIRST", "linger.first", Duration, "1s",
 "The shortest time for which a named workflow keeps its slots after a Spark job of it has ended. Until a \
          run of it has shown how long the gaps between its jobs are, it keeps them for as long as the longest of \
          the others' latest tasks took, if that is more: for so long it would wait for \
          them.").engine("linger_first_ns", ": linger before any gap has been seen, and the least later on."),
any("LINGER_FACTOR", "linger.factor", Integer, "4",
 "The linger is at least this many times the largest gap seen between two Spark jobs of the \
          workflow.").engine("linger_factor", ": times the largest gap seen."),
any("LINGER_MAX", "linger.max", Duration, "5s",
 "The longest linger, unless `linger.first` is longer. With both at 0 nothing is kept between two \
          jobs.").engine("linger_max_ns", "."),
any("LINGER_QUERY", "linger.query", Duration, "500ms",
 "How long a workflow that its pool names keeps its slots after a SQL execution of it has ended, at most as long as it \
          would have without that end. The next query there may be another user's. 0: not at \
          all.").engine("linger_query_ns", ": how long slots are kept between two runs.").since(SECOND),
any("GROW", "grow", Boolean, "true",
 "Whether a workflow that owns fewer slots than it needs claims what others release, gives up a hold for a \
          slot nearer to its input, and runs its tasks on its own held slots without waiting for locality where that \
          pays.").engine("grow", ": claim what others release until the need is owned, and no locality wait on own \
          idle holds."),
any("PRERESERVE", "prereserve.fraction", Fraction, "0.5",
 "R: from which finished fraction of a stage on `grow` claims slots for a wider one that follows. 0: as soon \
          as it is known.").engine("prereserve_ppm", ": R, from which finished fraction of a stage on slots are \
          claimed for a wider one that follows (SSR-4), in millionths."),
any("SPREAD", "spread", Boolean, "true",
 "Whether a workflow's first stage that fills the cache is spread over the executors while the workflow \
          waits for slots of others: it gets no more than its share of each. Later stages then find their partitions \
          on every slot that the workflow owns. Price: its first wave waits for slots of others, up to `spread.max`, \
          and no longer than four times as long as its first tasks took. Comparison: \
          docs/adr/0007.").engine("spread", ": cap cache-filling sets per executor for a while (contended only)."),
any("SPREAD_MAX", "spread.max", Duration, "5s",
 "How long `spread` restrains a stage at most.").engine("spread_max_ns", ": for how long."),
any("COPIES", "copies", Choice(&["shuffle", "all", "off"], Some(&COPIES)), "shuffle",
 "Whether a workflow runs copies of stragglers on its own held slots once no more tasks run than slots are \
          held idle: for tasks that write shuffle output, for `all` (result tasks too: only where a task may run \
          twice, as with `spark.speculation`), or `off`.").engine("copies", ": copies of stragglers on own held \
          slots (SSR-10)."),
any("STRAGGLERS", "stragglers",
 Choice(&["holds", "grass", "gs", "ras", "late", "mantri", "off"], Some(&STRAGGLERS)), "holds",
 "What is done about tasks that take long. `holds`: see `copies`. `grass`: copies of running tasks on any slot, by the \
          time that is left and that a new attempt would take; jobs with a deadline or an error bound meet it sooner \
          (docs/mechanisms/grass). `gs` and `ras` are its two rules alone; `late` and `mantri` are for comparisons. \
          `off`: no copies.").engine("stragglers", ".").since(SECOND),
any("GRASS_EXPLORE", "grass.explore", Fraction, "0.15",
 "The share of bounded jobs that run with one rule throughout, so that `grass` learns when to go over from one to the \
          other.").engine("explore_ppm", ": xi, the share of bounded jobs that explore, in millionths.").since(SECOND),
any("GRASS_SEED", "grass.seed", Integer, "1",
 "Which of them: equal seeds and jobs explore alike.").engine("explore_seed", ": which jobs explore.").since(SECOND),
any("GRASS_SWITCH", "grass.switch", Choice(&["learned", "waves"], Some(&GRASS_SWITCH)), "learned",
 "When `grass` goes over from RAS to GS: where earlier jobs say so, or two waves before the bound (for \
          comparisons).").engine("grass_switch", ".").since(SECOND),
    ]
}

/// What only the shim reads.
fn of_the_shim() -> Vec<Key> {
    vec![
        any(
            "LOG_DIR",
            "log.dir",
            Path,
            "",
            "Folder on the driver's machine for the decision log, `<application id>.hflog`, or `<application \
          id>.2.hflog` and so on where that exists; `holdfast explain` and `holdfast replay` read it. Only the \
          driver's user may read the files. A log that cannot be written is given up with one warning; all else goes \
          on. Unset: no log.",
        ),
        any(
            "LOG_MAX_SIZE",
            "log.max.size",
            Size,
            "256m",
            "The log goes on in `<application id>.hflog.2` and so on when a file has this size, at least 1m. `holdfast \
          explain` and `holdfast replay` read all of them as one log, whichever they are given; none may be missing.",
        ),
        any(
            "LOG_MAX_PARTS",
            "log.max.parts",
            Integer,
            "16",
            "How many files a log may have, at least 1. Then it is full: it ends, with one warning, and the application \
          goes on. The earliest are kept, since without them the rest cannot be replayed.",
        ),
        any(
            "HISTORY_DIR",
            "history.dir",
            Uri,
            "",
            "Folder, on any file system that Hadoop knows, for what workflows repeat: from its first stage on a named \
          workflow keeps what it will want by what it did in earlier applications. One file per application; \
          `holdfast history` shows and prunes local folders. Unset: each application begins anew.",
        ),
        any(
            "CLIENT_PROPERTIES",
            "client.properties",
            Choice(&["ignore", "allow"], None),
            "",
            "Whether `spark.holdfast.priority`, `.isolation`, `.parallelism` and `.workflow` count as local properties: \
          any SQL session sets them with `SET`. Unset: `ignore` under a Spark Connect server, a Thrift server or \
          Kyuubi, else `allow`. Who can set what: docs/reference/security.md.",
        ),
        any(
            "PRIORITY_MAX",
            "priority.max",
            Integer,
            "",
            "The highest priority that anything has, whatever gives it: a local property, a name, or \
          `Holdfast.setPriority`. Unset: no limit.",
        ),
        any(
            "NATIVE_PATH",
            "native.path",
            Path,
            "",
            "A file of the native library to use instead of the one in the jar.",
        ),
    ]
}

fn properties() -> Vec<Key> {
    vec![
any("PRIORITY", "priority", Priority, "",
 "Priority of what this thread submits; comes before every name. It counts for the whole workflow: the \
          largest of its running jobs.").property(),
any("THREAD_ISOLATION", "isolation", Fraction, "",
 "Isolation of what this thread submits; comes before every name and the configuration.").property(),
any("PARALLELISM", "parallelism", Integer, "",
 "How many slots the workflow's next job will want, where Spark cannot know it yet: between two jobs, and \
          before the first stage of a job. Without it the workflow's last run counts. More than that is not held in \
          the gap, and less is not given back.").property(),
any("WORKFLOW", "workflow", Text, "",
 "Name of the workflow that this thread's jobs belong to; comes before job group, pool and SQL execution.").property(),
any("DEADLINE", "deadline", Duration, "",
 "For how long from its submission on an answer of a job is waited for. Until then as many tasks of its result stage as \
          possible are done, then the others. Wants a `spark.holdfast.stragglers` that is neither `holds` nor `off`; \
          that stage's tasks may run twice.").since(SECOND).property(),
any("ERROR", "error", Fraction, "",
 "The share of a job's partitions that its answer can do without, below 1. It counts for actions that end when they \
          have enough; all others wait for all partitions, as with 0. Wants a `spark.holdfast.stragglers` that is \
          neither `holds` nor `off`; that stage's tasks may run twice.").since(SECOND).property()
    ]
}
