//! Buffers of ended sets, for reuse.

/// Larger ones are given back: one huge stage must not keep its memory for as long as the application lives.
const LARGEST: usize = 1 << 16;
/// So many sets rarely run at a time.
const MOST: usize = 256;

/// A buffer that can be used again.
pub(crate) trait Buffer: Default {
    fn clear(&mut self);
    /// For how many entries it has room.
    fn capacity(&self) -> usize;
}

impl<T> Buffer for Vec<T> {
    fn clear(&mut self) {
        self.clear();
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Spares<B>(Vec<B>);

impl<B> Default for Spares<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<B: Buffer> Spares<B> {
    /// An empty one.
    pub fn take(&mut self) -> B {
        self.0.pop().unwrap_or_default()
    }

    pub fn put(&mut self, mut buffer: B) {
        if self.0.len() < MOST && buffer.capacity() <= LARGEST {
            buffer.clear();
            self.0.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_ones_and_too_many_are_given_back() {
        let mut spares: Spares<Vec<u8>> = Spares::default();
        spares.put(vec![1; LARGEST]);
        spares.put(Vec::with_capacity(LARGEST + 1));
        assert_eq!(spares.0.len(), 1);
        assert_eq!(spares.take(), []);
        (0..=MOST).for_each(|_| spares.put(Vec::new()));
        assert_eq!(spares.0.len(), MOST);
    }
}
