//! Where an axis has its ticks.

use crate::drawing::panel::{Axis, Scale};

/// From there on an axis counts by powers of ten.
const WIDE: f64 = 6.0;
/// The most steps on a linear axis.
const MOST: f64 = 7.0;

/// Returns an axis that covers these positive numbers: from at most `least` to at least `most`.
pub fn axis(label: &'static str, least: f64, most: f64) -> Axis {
    let least = least.max(1e-9);
    let most = most.max(least * 1.01);
    if most / least > WIDE {
        Axis { label, ticks: decades(least, most), scale: Scale::Log }
    } else {
        Axis { label, ticks: steps(least, most), scale: Scale::Linear }
    }
}

/// Returns an axis of shares from nothing to all.
pub fn shares(label: &'static str, scale: Scale) -> Axis {
    Axis { label, ticks: vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0], scale }
}

/// Returns an axis from nothing to at least `most`.
pub fn from_nothing(label: &'static str, most: f64) -> Axis {
    Axis { label, ticks: steps(0.0, most.max(0.01)), scale: Scale::Linear }
}

/// 1, 2 and 5 times powers of ten; powers of ten only if that would be many.
fn decades(least: f64, most: f64) -> Vec<f64> {
    let factors: &[f64] = if most / least > 500.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let all: Vec<f64> = (-9..=12)
        .flat_map(|power| {
            factors.iter().map(move |factor| round(factor * libm::pow(10.0, f64::from(power))))
        })
        .collect();
    let from = all.iter().rposition(|&tick| tick <= least).unwrap_or(0);
    let to = all.iter().position(|&tick| tick >= most).unwrap_or(all.len() - 1);
    all[from..=to].to_vec()
}

/// Equal steps of 1, 2 or 5 times a power of ten.
fn steps(least: f64, most: f64) -> Vec<f64> {
    let rough = (most - least) / MOST;
    // The standard library asks the platform for these, and platforms differ in the last digit.
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|&step| step >= rough).unwrap_or(10.0 * power);
    let mut tick = (least / step + 1e-9).floor();
    let mut ticks = vec![round(tick * step)];
    while tick * step < most - step * 1e-9 {
        tick += 1.0;
        ticks.push(round(tick * step));
    }
    ticks
}

/// Without the last digits of products: ticks are written as they are.
fn round(tick: f64) -> f64 {
    format!("{tick:.9}").parse().unwrap_or(tick)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_what_is_drawn() {
        let ticks = |least, most| axis("", least, most).ticks;
        assert_eq!(ticks(1.0, 1.42), [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]);
        assert_eq!(ticks(0.97, 5.3), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(ticks(1.0, 13.0), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(ticks(3.0, 40_000.0), [1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0]);
        assert_eq!(ticks(2.0, 2.0).first(), Some(&2.0), "one number is an axis, too");
        assert_eq!(
            from_nothing("", 0.034).ticks,
            [0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035]
        );
    }
}
