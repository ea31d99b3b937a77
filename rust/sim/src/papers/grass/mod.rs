//! "GRASS: Trimming Stragglers in Approximation Analytics" (Ananthanarayanan et al., NSDI'14).

pub mod examples;
pub mod rules;
pub mod setup;
mod swim;
pub mod theory;
