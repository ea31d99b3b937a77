//! What waits for what: stages of a job, jobs of a workflow.

/// Pairs of what comes before and what waits for it, by their places; ascending, each once.
#[derive(Debug)]
pub struct Edges(Vec<(u32, u32)>);

impl Edges {
    /// Takes pairs in any order.
    #[must_use]
    pub fn new(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        pairs.shrink_to_fit();
        Self(pairs)
    }

    /// Returns all pairs.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().copied()
    }

    /// Returns what waits for the one at a place, ascending. Not borrowed: what follows changes whose they are.
    #[must_use]
    pub fn after(&self, place: u32) -> Vec<u32> {
        let from = self.0.partition_point(|&(before, _)| before < place);
        let own = self.0[from..].iter().take_while(|(before, _)| *before == place);
        own.map(|&(_, after)| after).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_whom() {
        let edges = Edges::new(vec![(1, 3), (0, 2), (0, 1), (0, 2)]);
        let after = [0, 1, 2, 3].map(|place| edges.after(place));
        assert_eq!(after, [vec![1, 2], vec![3], vec![], vec![]]);
        assert_eq!(edges.all().count(), 3);
    }
}
