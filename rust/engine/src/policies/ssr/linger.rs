//! Linger: how long does a workflow without a running job keep its holds?

use crate::api::config::Config;

/// Returns nanoseconds, from the largest gap seen (0: none yet). It adapts upwards only: one short gap
/// must not make the next, longer one lose everything.
///
/// `wait`: how long it takes to get a slot back; 0 for a workflow that knows its gaps. Until then this is the ski
/// rental of `look_ahead.rs`.
pub(super) fn linger(config: &Config, largest_gap: u64, wait: u64) -> u64 {
    let first = config.linger_first_ns;
    let learned = largest_gap.saturating_mul(u64::from(config.linger_factor));
    first.max(learned).max(wait).min(longest(config)).min(config.hold_max_ns)
}

/// The longest linger that gaps teach; what lies further apart is no gap.
pub(crate) fn longest(config: &Config) -> u64 {
    config.linger_max_ns.max(config.linger_first_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapts_between_first_and_max() {
        let config = Config {
            linger_first_ns: 1_000,
            linger_factor: 4,
            linger_max_ns: 5_000,
            ..Config::default()
        };
        assert_eq!(linger(&config, 0, 0), 1_000);
        assert_eq!(linger(&config, 100, 0), 1_000);
        assert_eq!(linger(&config, 400, 0), 1_600);
        assert_eq!(linger(&config, 4_000, 0), 5_000);
        let capped = Config { hold_max_ns: 700, ..config };
        assert_eq!(linger(&capped, 4_000, 0), 700);
    }

    #[test]
    fn lasts_as_long_as_a_slot_takes_to_come_back_between_first_and_max() {
        let config = Config { linger_first_ns: 1_000, linger_max_ns: 5_000, ..Config::default() };
        assert_eq!(linger(&config, 0, 200), 1_000);
        assert_eq!(linger(&config, 0, 3_000), 3_000);
        assert_eq!(linger(&config, 10, 3_000), 3_000, "a short gap of this run says little");
        assert_eq!(linger(&config, 1_000, 3_000), 4_000, "a long one counts");
        assert_eq!(linger(&config, 0, 9_000), 5_000);
        let capped = Config { hold_max_ns: 700, ..config };
        assert_eq!(linger(&capped, 0, 9_000), 700);
    }
}
