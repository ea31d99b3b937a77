//! Places in tables: numbers of 32 bits.

/// No attempt, set, executor or stage.
pub(crate) const NONE: u32 = u32::MAX;

/// Returns a place in a table as 32 bits.
pub(crate) fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
