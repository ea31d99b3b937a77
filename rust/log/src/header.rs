//! The first thing in a log: all that replay needs besides the events.

use std::collections::BTreeMap;

use holdfast_engine::Config;
use serde::{Deserialize, Serialize};

use crate::Problem;

/// Version of the log's format.
pub const FORMAT: u16 = 5;

/// Version of this build.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Git revision of this build, from `HOLDFAST_REVISION` at build time; empty when unknown.
pub const REVISION: &str = match option_env!("HOLDFAST_REVISION") {
    Some(revision) => revision,
    None => "",
};

pub(crate) const MAGIC: [u8; 8] = *b"\x89HFLOG\r\n";
/// Magic, version, length and checksum.
pub(crate) const FIXED: usize = 18;
pub(crate) const MAX_HEADER: u32 = 1 << 20;

/// Where a log comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always [`FORMAT`].
    pub format: u16,
    /// Version of the engine that decided.
    pub engine: String,
    /// Its git revision; empty when unknown.
    pub revision: String,
    /// The effective configuration.
    pub config: Config,
    /// What the host says about itself: application, Spark version, mode.
    pub host: BTreeMap<String, String>,
}

impl Header {
    /// A header for a log of this build's engine.
    #[must_use]
    pub fn new(config: Config, host: BTreeMap<String, String>) -> Self {
        let (engine, revision) = (VERSION.to_owned(), REVISION.to_owned());
        Self { format: FORMAT, engine, revision, config, host }
    }

    /// Reads the JSON of a header.
    pub(crate) fn decode(json: &[u8]) -> Result<Self, Problem> {
        let damaged = |why: serde_json::Error| Problem::Header(why.to_string());
        match serde_json::from_slice(json) {
            Ok(header) => Ok(header),
            // What another version may configure is told from what is no header at all.
            Err(why) => Err(Self::foreign(json).unwrap_or_else(|| damaged(why))),
        }
    }

    fn foreign(json: &[u8]) -> Option<Problem> {
        let json: serde_json::Value = serde_json::from_slice(json).ok()?;
        let version = json.get("engine")?.as_str()?.to_owned();
        let why = Config::deserialize(json.get("config")?).err()?.to_string();
        Some(Problem::Config { version, why })
    }

    /// The bytes of the header, and the checksum that the first frame's goes on from.
    ///
    /// # Errors
    /// What the host says is larger than a header may be (1 MiB).
    pub(crate) fn encode(&self) -> Result<(Vec<u8>, u32), String> {
        let json = serde_json::to_vec(self).map_err(|e| e.to_string())?;
        let length = u32::try_from(json.len()).ok().filter(|&l| l <= MAX_HEADER);
        let length = length.ok_or_else(|| {
            format!("a header of {} bytes is too large (at most {MAX_HEADER})", json.len())
        })?;
        let mut out = Vec::with_capacity(FIXED + json.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&length.to_le_bytes());
        let crc = checksum(&out, &json);
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(&json);
        Ok((out, crc))
    }
}

/// Checksum of what stands before the checksum, and of the JSON after it.
pub(crate) fn checksum(fixed: &[u8], json: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(fixed);
    hasher.update(json);
    hasher.finalize()
}
