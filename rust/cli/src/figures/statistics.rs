//! Means, quantiles, and what several seeds say together.

use super::figure::{Point, Spread};

/// The arithmetic mean; not a number if there are none.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The quantile `q` of values in ascending order, linear between neighbours; not a number if there are none.
#[expect(clippy::cast_possible_truncation, reason = "a place in the slice")]
pub(super) fn quantile(ascending: &[f64], q: f64) -> f64 {
    let place = q * ascending.len().saturating_sub(1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    match (ascending.get(below), ascending.get(above)) {
        (Some(&low), Some(&high)) => low + (high - low) * (place - place.floor()),
        _ => f64::NAN,
    }
}

/// What the seeds from `seed` on say: the median of their values, and the interval in which 95 of 100 lie.
///
/// The interval makes no assumption about how the values are distributed: those of heavy-tailed runs have no variance.
pub(super) fn over_seeds(mut values: Vec<f64>, seed: u64) -> Point {
    values.sort_unstable_by(f64::total_cmp);
    let at = |q| quantile(&values, q);
    Point {
        value: at(0.5),
        spread: Some(Spread { lo: at(0.025), hi: at(0.975), seeds: values.len(), seed }),
    }
}

/// A value with its interval, if it has one.
pub(super) fn said(point: &Point, text: impl Fn(f64) -> String) -> String {
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
}
