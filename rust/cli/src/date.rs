//! Dates.

/// Returns milliseconds since 1970 as date and time (UTC).
pub(crate) fn date(millis: u64) -> String {
    let (days, minutes) = (millis / 86_400_000, millis / 60_000 % 1440);
    // Years begin in March here, so that the day that some have more is their last; eras are of 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_know_leap_years() {
        let days = [0, 789, 11_016, 20_454].map(|day| date(day * 86_400_000 + 3_660_000));
        let expected =
            ["1970-01-01 01:01", "1972-02-29 01:01", "2000-02-29 01:01", "2026-01-01 01:01"];
        assert_eq!(days, expected);
    }
}
