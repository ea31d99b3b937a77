//! What the mean phase time of SSR-11 tends to over ever more runs: a check on what was drawn.

/// Returns a mean phase time without copies, in durations of the shortest possible task: that of the longest of N
/// Pareto tasks, N! G(1 - 1/alpha) / G(N + 1 - 1/alpha) with G the gamma function. `alpha` above 1.
pub(super) fn without(tasks: u32, alpha: f64) -> f64 {
    let n = f64::from(tasks);
    let logs = libm::lgamma(n + 1.0) + libm::lgamma(1.0 - 1.0 / alpha)
        - libm::lgamma(n + 1.0 - 1.0 / alpha);
    libm::exp(logs)
}

/// Returns the same with copies, by quadrature to five digits; `tasks` of 4 and more.
///
/// Given that half of the tasks have ended at time x, each of the others goes on for more than s with probability
/// (x / (x + s))^alpha, and its copy with min(1, s^-alpha); all are independent. The share of tasks shorter than x
/// follows a beta distribution.
pub(super) fn with(tasks: u32, alpha: f64) -> f64 {
    let half = tasks.div_ceil(2);
    let (n, early, late) = (f64::from(tasks), f64::from(half), f64::from(tasks - half));
    let constant = libm::lgamma(n + 1.0) - libm::lgamma(early) - libm::lgamma(late + 1.0);
    let density =
        |v: f64| libm::exp(constant + (early - 1.0) * libm::log(v) + late * libm::log1p(-v));
    let mean = early / (n + 1.0);
    let deviation = (mean * (1.0 - mean) / (n + 2.0)).sqrt();
    let (from, to) = ((mean - 9.0 * deviation).max(0.0), (mean + 9.0 * deviation).min(1.0));
    integral(from, to, 60, |v| {
        if v <= 0.0 || v >= 1.0 {
            return 0.0;
        }
        let x = libm::pow(1.0 - v, -1.0 / alpha);
        density(v) * (x + rest(x, late, alpha))
    })
}

/// Returns the mean of the longest of `late` remaining times, each the shorter one of task and copy.
fn rest(x: f64, late: f64, alpha: f64) -> f64 {
    let any_goes_on = |s: f64| {
        let one = libm::pow(x / (x + s) * (1.0 / s).min(1.0), alpha);
        -libm::expm1(late * libm::log1p(-one))
    };
    // Beyond 1 by the logarithm of s; what is cut off there is below e^-45 of the beginning.
    let tail = |y: f64| libm::exp(y) * any_goes_on(libm::exp(y));
    integral(0.0, 1.0, 64, any_goes_on) + integral(0.0, 45.0 / (2.0 * alpha - 1.0), 400, tail)
}

/// Simpson's rule with an even number of steps.
fn integral(from: f64, to: f64, steps: u32, f: impl Fn(f64) -> f64) -> f64 {
    let step = (to - from) / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|i| {
            let weight = if i == 0 || i == steps { 1.0 } else { f64::from(2 + i % 2 * 2) };
            weight * f(from + f64::from(i) * step)
        })
        .sum();
    sum * step / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, golden: f64) {
        assert!((value / golden - 1.0).abs() < 1e-5, "{value} is not {golden}");
    }

    #[test]
    fn the_longest_task_by_hand() {
        close(without(1, 1.6), 1.6 / 0.6);
        // 2! G(1/2) / G(5/2), and G(5/2) = 3/4 G(1/2).
        close(without(2, 2.0), 8.0 / 3.0);
    }

    /// The golden numbers come from another quadrature (double exponential) in another language.
    #[test]
    fn ssr_11_by_another_quadrature() {
        close(without(20, 1.6), 15.506_784_8);
        close(without(200, 1.6), 65.046_890_1);
        close(with(20, 1.6), 4.246_056_3);
        close(with(20, 3.0), 2.574_985_6);
        close(with(200, 1.6), 7.728_557_0);
    }
}
