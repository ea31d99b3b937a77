//! What a set launches next.

/// The answer to "which task next?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The host's own choice.
    Host,
    /// A pending task, of those that the host may launch there: the smallest, or the largest of those of at most
    /// `most` units; the smallest if all are larger. Sizes are those of [`crate::Event::TaskSized`]; of equal ones the
    /// first counts.
    Pending {
        /// Whether it is the largest.
        largest: bool,
        /// Of how many units.
        most: u32,
    },
    /// A copy of this running task.
    Copy(u32),
    /// Nothing now.
    Nothing,
}
