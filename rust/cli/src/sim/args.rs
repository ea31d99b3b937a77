//! What `holdfast sim` is asked.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args as ClapArgs, ValueEnum};
use holdfast_sim::variant::Variant;
use holdfast_study::sim::request::{Preset, Request};

use super::examples;
use super::traced_args::Traced;

/// What to simulate.
#[derive(ClapArgs)]
#[command(after_help = "\
Examples:
  holdfast sim --preset paper --foreground sql --variant literal
  holdfast sim --preset paper --seeds 10 --variant priority,literal,lookahead --out build/sim
  holdfast sim --preset paper --variant lookahead --isolation 0.1,0.5,0.9,1 --csv isolation.csv
  holdfast sim --example shared-cluster > mine.jsonc && holdfast sim mine.jsonc --variant spark,lookahead
  holdfast sim mine.jsonc --log sim.hflog && holdfast explain sim.hflog
  holdfast sim app-20260101120000-0001.zstd --foreground 'group:report-*' --variant spark,lookahead
  holdfast sim app-20260101120000-0001.zstd --compare
  holdfast sim FB-2010_samples_24_times_1hr_0.tsv --nodes 600 --until 600s --foreground 'job12*'

Ctrl-C ends it with exit code 130; what is done by then is shown and written. RAYON_NUM_THREADS=1 leaves the other
cores alone. The words, the columns and how to write a scenario are explained in docs/reference/simulator.md, traces in
docs/reference/traces.md.")]
pub(crate) struct Sim {
    /// The world: JSON, with // comments where you like; or a trace: an event log of Spark's (file or folder),
    /// holdfast-trace, SWIM, ClusterData2011-2; known by its first line, compressed or not
    #[arg(value_name = "FILE", conflicts_with = "preset")]
    pub(crate) world: Option<PathBuf>,
    /// A world that is known: that of the paper's simulation
    #[arg(long)]
    pub(crate) preset: Option<SimPreset>,
    /// Print a scenario to start from, with comments
    #[arg(long, value_name = "NAME", exclusive = true, value_parser = PossibleValuesParser::new(examples::names()))]
    pub(crate) example: Option<String>,
    /// Whose times are of interest. Of a preset: sql, mllib (if not said) or mllib-wide. Of a trace: workflows of this
    /// name, which get --priority (* stands for any text, ? for one character); if not said, those of the highest
    /// priority that the trace has
    #[arg(long, value_name = "NAME|GLOB")]
    pub(crate) foreground: Option<String>,
    /// Nodes. Of a preset: 1000, if not said; its background grows with them. Of a trace: as many as leave a fifth of the
    /// slots free while workflows arrive; an event log has its own executors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) nodes: Option<u32>,

    /// Who decides, with commas between them; if not said: of a preset lookahead, of a file what it says, of an event
    /// log who did
    #[arg(long, value_name = "VARIANT", value_delimiter = ',', value_parser = PossibleValuesParser::new(variants()), help_heading = COMPARED)]
    pub(crate) variant: Vec<String>,
    /// The isolation P that everybody asks for, from 0 to 1, with commas between several; for variants that hold by it
    #[arg(long, value_name = "P", value_delimiter = ',', value_parser = millionths, help_heading = COMPARED)]
    pub(crate) isolation: Vec<u32>,
    /// Everything that is random follows from it; 1, or the file's, if not said
    #[arg(long, value_name = "N", help_heading = COMPARED)]
    pub(crate) seed: Option<u64>,
    /// How many seeds: that one and those that follow it
    #[arg(long, value_name = "COUNT", default_value_t = NonZeroU32::MIN, help_heading = COMPARED)]
    pub(crate) seeds: NonZeroU32,
    /// Switch on Spark's own copies of slow tasks, too (spark.speculation, with its defaults)
    #[arg(long, help_heading = COMPARED)]
    pub(crate) speculation: bool,

    /// Show everything as JSON
    #[arg(long, help_heading = WRITTEN)]
    pub(crate) json: bool,
    /// Write all measures there, one line for each of every variant, with 95 % confidence intervals over the seeds
    #[arg(long, value_name = "FILE", help_heading = WRITTEN)]
    pub(crate) csv: Option<PathBuf>,
    /// Write one JSON line for each run and each foreground workflow there
    #[arg(long, value_name = "FILE", help_heading = WRITTEN)]
    pub(crate) jsonl: Option<PathBuf>,
    /// With --jsonl or --out: lines of the background's workflows, too
    #[arg(long, help_heading = WRITTEN)]
    pub(crate) background: bool,
    /// Write a page (sim.html), its drawings, sim.csv and sim.jsonl to this folder; it is made where there is none
    #[arg(long, value_name = "DIR", help_heading = WRITTEN)]
    pub(crate) out: Option<PathBuf>,
    /// Write the decision log there; for one run
    #[arg(long, value_name = "LOG", help_heading = WRITTEN)]
    pub(crate) log: Option<PathBuf>,
    /// Write all launches there, in their order, each as a line of JSON; for one run
    #[arg(long, value_name = "FILE", help_heading = WRITTEN)]
    pub(crate) placements: Option<PathBuf>,
    /// Simulate it once more, asking every set about every offer as Spark does, and compare all launches (slow); for
    /// one run
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) traced: Traced,
}

const COMPARED: &str = "What is compared";
const WRITTEN: &str = "What is written";

/// Known worlds.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SimPreset {
    /// 1,000 nodes of 4 slots, 8,000 background jobs, 5 times the run time without locality
    Paper,
    /// The same, the background's tasks take twice as long
    PaperLong,
    /// The same as the first one, 10 times the run time without locality
    PaperFar,
}

/// Stands for every variant.
const EVERYBODY: &str = "all";

fn variants() -> impl Iterator<Item = PossibleValue> {
    let one = |variant: Variant| PossibleValue::new(variant.name()).help(variant.about());
    let all = PossibleValue::new(EVERYBODY).help("Each of these");
    Variant::ALL.into_iter().map(one).chain([all])
}

fn millionths(text: &str) -> Result<u32, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    let share = share.ok_or("write a probability from 0 to 1, for example 0.9")?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to a million")]
    let ppm = (share * 1e6).round() as u32;
    Ok(ppm)
}

impl From<SimPreset> for Preset {
    fn from(preset: SimPreset) -> Self {
        match preset {
            SimPreset::Paper => Self::Paper,
            SimPreset::PaperLong => Self::PaperLong,
            SimPreset::PaperFar => Self::PaperFar,
        }
    }
}

impl Sim {
    /// Returns what is to be simulated.
    pub(super) fn request(&self) -> Request {
        Request {
            world: self.world.clone(),
            preset: self.preset.map(Preset::from),
            foreground: self.foreground.clone(),
            nodes: self.nodes,
            variants: self.variants(),
            isolation: self.isolation.clone(),
            seed: self.seed,
            seeds: self.seeds,
            speculation: self.speculation,
            traced: self.traced.request(),
        }
    }

    /// Returns the variants that are asked for, each once, in the order of asking.
    fn variants(&self) -> Vec<Variant> {
        let mut variants = Vec::new();
        let named = |name: &String| match name.as_str() {
            EVERYBODY => Variant::ALL.to_vec(),
            name => Variant::named(name).into_iter().collect(),
        };
        for variant in self.variant.iter().flat_map(named) {
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        variants
    }

    /// Returns what to type for the same page. Without folders, so that equal worlds and seeds give equal bytes
    /// anywhere.
    pub(super) fn command(&self, seed: u64) -> String {
        let mut words = vec!["holdfast sim".to_owned()];
        if let Some(file) = self.world.as_deref().and_then(|path| path.file_name()) {
            words.push(file.to_string_lossy().into_owned());
        }
        if let Some(preset) = self.preset {
            words.push(format!("--preset {}", named(&preset)));
        }
        words.extend(self.foreground.iter().map(|name| format!("--foreground '{name}'")));
        words.extend(self.nodes.map(|nodes| format!("--nodes {nodes}")));
        words.extend(self.traced.words());
        if !self.variant.is_empty() {
            words.push(format!("--variant {}", self.variant.join(",")));
        }
        if !self.isolation.is_empty() {
            let asked: Vec<String> =
                self.isolation.iter().map(|ppm| (f64::from(*ppm) / 1e6).to_string()).collect();
            words.push(format!("--isolation {}", asked.join(",")));
        }
        words.push(format!("--seed {seed} --seeds {}", self.seeds));
        for (is_asked, word) in
            [(self.speculation, "--speculation"), (self.background, "--background")]
        {
            words.extend(is_asked.then(|| word.to_owned()));
        }
        words.push("--out DIR".to_owned());
        words.join(" ")
    }
}

fn named(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
