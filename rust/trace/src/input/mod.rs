//! Files as Spark writes them: which belong to one log, how they are compressed, their lines.

mod codec;
mod lines;
mod lz4_block;
mod lz4_frame;
mod rolling;

pub use codec::{Codec, decoder};
pub use lines::{CUT_OFF, Line, Lines};
pub use lz4_block::Lz4Blocks;
pub use lz4_frame::Lz4Frames;
pub use rolling::{Found, LogFiles, logs_at, logs_in};
