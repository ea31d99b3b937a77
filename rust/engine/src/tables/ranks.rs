//! A set of small numbers, of which the n-th is found by counting bits.

/// Numbers below a bound that is set when it is filled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    words: Vec<u64>,
    len: u32,
}

impl Ranks {
    /// Makes it all numbers below `bound`.
    pub fn fill(&mut self, bound: u32) {
        self.words.clear();
        let (whole, rest) = (bound / u64::BITS, bound % u64::BITS);
        self.words.resize(whole as usize, u64::MAX);
        if rest > 0 {
            self.words.push((1 << rest) - 1);
        }
        self.len = bound;
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn contains(&self, number: u32) -> bool {
        self.words[(number / u64::BITS) as usize] >> (number % u64::BITS) & 1 == 1
    }

    /// Puts a number below the bound in, or takes it out.
    pub fn set(&mut self, number: u32, there: bool) {
        let (word, bit) = ((number / u64::BITS) as usize, 1 << (number % u64::BITS));
        let was = self.words[word] & bit != 0;
        if was != there {
            self.words[word] ^= bit;
            self.len = if there { self.len + 1 } else { self.len - 1 };
        }
    }

    /// Returns how many are less than `number`, which may be the bound.
    pub fn below(&self, number: u32) -> u32 {
        let (word, rest) = ((number / u64::BITS) as usize, number % u64::BITS);
        let whole: u32 = self.words[..word].iter().map(|word| word.count_ones()).sum();
        let last = self.words.get(word).map_or(0, |word| word & ((1 << rest) - 1));
        whole + last.count_ones()
    }

    /// Returns the one that `n` others are less than.
    pub fn nth(&self, mut n: u32) -> Option<u32> {
        for (place, &word) in (0..).zip(&self.words) {
            let ones = word.count_ones();
            if n < ones {
                let rest = (0..n).fold(word, |word, _| word & (word - 1));
                return Some(place * u64::BITS + rest.trailing_zeros());
            }
            n -= ones;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_as_a_sorted_list_does() {
        for bound in [0_u32, 1, 63, 64, 65, 200] {
            let mut ranks = Ranks::default();
            ranks.fill(bound);
            let mut all: Vec<u32> = (0..bound).collect();
            for i in 0..2 * bound {
                let number = i * 7_919 % bound;
                ranks.set(number, i % 3 == 0);
                all.retain(|&other| other != number);
                if i % 3 == 0 {
                    all.push(number);
                }
                all.sort_unstable();
                assert_eq!(ranks.len() as usize, all.len());
                assert_eq!(ranks.contains(number), i % 3 == 0);
                let below = all.iter().filter(|&&other| other < number).count();
                assert_eq!(ranks.below(number) as usize, below);
            }
            assert_eq!(ranks.below(bound), ranks.len());
            for n in 0..=bound {
                assert_eq!(ranks.nth(n), all.get(n as usize).copied());
            }
        }
    }
}
