//! Means, quantiles, and what several seeds say together.

use holdfast_words::count;

/// A value, and how far it is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// If there is none, nothing was drawn, as it comes from a formula, or only once.
    pub spread: Option<Spread>,
}

impl Point {
    /// Returns a value that follows from a formula.
    pub const fn exact(value: f64) -> Self {
        Self { value, spread: None }
    }

    /// Returns the interval, or the value alone.
    pub fn interval(&self) -> (f64, f64) {
        self.spread.map_or((self.value, self.value), |spread| (spread.lo, spread.hi))
    }
}

/// An interval: that in which the values of 95 of 100 seeds lie, of few seeds all; or the 95 % confidence interval of
/// their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
    /// How many seeds were drawn from.
    pub seeds: usize,
    /// The first of them.
    pub seed: u64,
}

/// Returns the arithmetic mean; not a number if there are none.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the quantile `q` of values in ascending order, linear between neighbours; not a number if there are none.
#[expect(clippy::cast_possible_truncation, reason = "a place in the slice")]
pub fn quantile(ascending: &[f64], q: f64) -> f64 {
    let place = q * ascending.len().saturating_sub(1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    match (ascending.get(below), ascending.get(above)) {
        (Some(&low), Some(&high)) => low + (high - low) * (place - place.floor()),
        _ => f64::NAN,
    }
}

/// With fewer seeds not one lies beyond the 2.5th percentile: between the two least values nothing is known.
const ENOUGH: usize = 40;

/// Returns what the seeds from `seed` on say: the median of their values, and the interval in which 95 of 100 lie; of
/// fewer than [`ENOUGH`] the least and the largest.
///
/// The interval makes no assumption about how the values are distributed: those of heavy-tailed runs have no variance.
pub fn over_seeds(mut values: Vec<f64>, seed: u64) -> Point {
    values.sort_unstable_by(f64::total_cmp);
    let at = |q| quantile(&values, q);
    let seeds = values.len();
    let (lo, hi) = if seeds < ENOUGH { (at(0.0), at(1.0)) } else { (at(0.025), at(0.975)) };
    Point { value: at(0.5), spread: Some(Spread { lo, hi, seeds, seed }) }
}

/// Says how far the interval reaches that [`over_seeds`] gives of this many seeds.
pub fn reach(seeds: usize) -> String {
    if seeds < ENOUGH {
        format!("from the least to the largest of {}", count(seeds as u64, "seed"))
    } else {
        "over 95 of 100 seeds".to_owned()
    }
}

/// Estimates an expectation from independent seeds: the mean of their values, and its 95 % confidence interval by
/// Student's distribution. `None` if there are none; no interval with one.
pub fn expected(values: &[f64], seed: u64) -> Option<Point> {
    let n = values.len();
    let value = mean(values);
    let freedom = match n {
        0 => return None,
        1 => return Some(Point::exact(value)),
        n => (n - 1) as f64,
    };
    let squares: f64 = values.iter().map(|x| (x - value) * (x - value)).sum();
    let half = student(freedom) * (squares / freedom / n as f64).sqrt();
    let spread = Spread { lo: value - half, hi: value + half, seeds: n, seed };
    Some(Point { value, spread: Some(spread) })
}

/// Returns the 97.5th percentile of Student's distribution with `freedom` degrees of freedom, a whole number from 1:
/// known for the first three, else by the expansion about the normal distribution's (Abramowitz and Stegun, 26.7.5),
/// off by less than 0.001.
fn student(freedom: f64) -> f64 {
    const FIRST: [f64; 3] = [12.706_205, 4.302_653, 3.182_446];
    const NORMAL: f64 = 1.959_964;
    /// Of 1 / freedom, its square, and so on, at the normal distribution's percentile.
    const TERMS: [f64; 4] = [2.372_271, 2.822_500, 2.555_853, 1.589_537];
    if let Some(known) = (1..).map(f64::from).zip(FIRST).find(|(n, _)| *n == freedom) {
        return known.1;
    }
    NORMAL + TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
}

/// Returns a value with its interval, if it has one.
pub fn said(point: &Point, text: impl Fn(f64) -> String) -> String {
    match point.spread {
        Some(Spread { lo, hi, .. }) => {
            format!("{} ({} to {})", text(point.value), text(lo), text(hi))
        }
        None => text(point.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_by_hand() {
        let five = [1.0, 2.0, 4.0, 8.0, 16.0];
        let quantiles = [0.0, 0.25, 0.5, 0.625, 0.875, 1.0].map(|q| quantile(&five, q));
        assert_eq!(quantiles, [1.0, 2.0, 4.0, 6.0, 12.0, 16.0]);
        assert_eq!(quantile(&[3.0], 0.7), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
        assert_eq!(mean(&five), 6.2);
    }

    #[test]
    fn seeds_are_put_together_in_any_order() {
        // 0 to 40: one step is a fortieth.
        let values = (0..=40).rev().map(f64::from).collect();
        let spread = Spread { lo: 1.0, hi: 39.0, seeds: 41, seed: 9 };
        assert_eq!(over_seeds(values, 9), Point { value: 20.0, spread: Some(spread) });
    }

    /// An interpolated percentile of five would leave out two of them and say that 95 of 100 lie in it.
    #[test]
    fn of_few_seeds_the_least_and_the_largest_are_said() {
        let five = over_seeds(vec![1.3, 1.0, 1.2, 1.1, 1.0], 1);
        assert_eq!((five.value, five.interval()), (1.1, (1.0, 1.3)));
        let of = |seeds: u8| over_seeds((0..seeds).map(f64::from).collect(), 1).interval();
        assert_eq!(of(39), (0.0, 38.0));
        assert!(of(40).0 > 0.0 && of(40).1 < 39.0, "{:?}", of(40));
        let texts = [1, 5, 39, 40].map(reach);
        assert_eq!(
            texts[..2],
            ["from the least to the largest of 1 seed", "from the least to the largest of 5 seeds"]
        );
        assert_eq!(
            texts[2..],
            ["from the least to the largest of 39 seeds", "over 95 of 100 seeds"]
        );
    }

    /// 2, 4, 6: the mean is 4, the deviation 2, the half of the interval 4.302653 x 2 / sqrt(3) = 4.968275.
    #[test]
    fn intervals_by_hand() {
        let Point { value, spread } = expected(&[2.0, 6.0, 4.0], 5).unwrap();
        let spread = spread.unwrap();
        assert_eq!((value, spread.seeds, spread.seed), (4.0, 3, 5));
        let ends = [(spread.lo, 4.0 - 4.968_275), (spread.hi, 4.0 + 4.968_275)];
        assert!(ends.iter().all(|(got, golden)| (got - golden).abs() < 1e-5), "{spread:?}");
        assert_eq!(expected(&[3.5], 5), Some(Point::exact(3.5)));
        assert_eq!(expected(&[], 5), None);
        let same = expected(&[7.0; 4], 1).unwrap().interval();
        assert_eq!(same, (7.0, 7.0));
    }

    #[test]
    fn percentiles_of_student_are_those_of_the_tables() {
        let tables = [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262)];
        let more = [(10, 2.228), (19, 2.093), (29, 2.045), (99, 1.984), (1000, 1.962)];
        for (freedom, golden) in tables.into_iter().chain(more) {
            let got = student(f64::from(freedom));
            assert!((got - golden).abs() < 0.001, "{freedom}: {got}");
        }
    }
}
