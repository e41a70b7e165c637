//! UTC calendar months and ISO 8601 timestamps, from seconds since 1970.
//!
//! Knows the proleptic Gregorian calendar only: no time zones, no leap seconds (Unix time has none).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: i64 = 86_400;

/// A UTC calendar month, ordered in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Month {
    year: i64,
    /// 1 to 12.
    month: u8,
}

impl Month {
    /// The month in which `time` lies.
    pub(super) fn containing(time: SystemTime) -> Self {
        let (year, month, _) = civil_from_days(unix_seconds(time).div_euclid(SECONDS_A_DAY));
        Self { year, month }
    }

    /// The month after this one.
    pub(super) const fn next(self) -> Self {
        if self.month == 12 {
            Self { year: self.year + 1, month: 1 }
        } else {
            Self { year: self.year, month: self.month + 1 }
        }
    }

    /// The month as one number, `202611` for November 2026: how the store keeps it.
    pub(super) fn number(self) -> i64 {
        self.year * 100 + i64::from(self.month)
    }

    /// The first instant of the month, `2026-11-01T00:00:00Z`.
    pub(super) fn start(self) -> String {
        format!("{:04}-{:02}-01T00:00:00Z", self.year, self.month)
    }
}

/// Whole seconds from 1970-01-01T00:00:00Z to `time`, rounded down; negative before.
pub(super) fn unix_seconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs().cast_signed(),
        Err(before) => {
            let until = before.duration();
            let partial = i64::from(until > Duration::from_secs(until.as_secs()));
            -until.as_secs().cast_signed() - partial
        }
    }
}

/// `unix_seconds` as ISO 8601 in UTC, `2026-11-21T12:04:20Z`.
pub(super) fn iso_8601(unix_seconds: i64) -> String {
    let (year, month, day) = civil_from_days(unix_seconds.div_euclid(SECONDS_A_DAY));
    let second = unix_seconds.rem_euclid(SECONDS_A_DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month (1–12) and day (1–31) of the day `days` after 1970-01-01.
///
/// `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013: years are counted from
/// March, so that the leap day comes last, in eras of 400 years, which all have 146,097 days.
fn civil_from_days(days: i64) -> (i64, u8, u8) {
    let from_march_of_year_0 = days + 719_468;
    let era = from_march_of_year_0.div_euclid(146_097);
    let day_of_era = from_march_of_year_0.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Expected values from GNU `date -u -d @SECONDS`.
    #[rstest]
    #[case(0, "1970-01-01T00:00:00Z")]
    #[case(-1, "1969-12-31T23:59:59Z")]
    #[case(951_782_400, "2000-02-29T00:00:00Z")]
    #[case(1_709_251_199, "2024-02-29T23:59:59Z")]
    #[case(1_709_251_200, "2024-03-01T00:00:00Z")]
    #[case(1_796_083_199, "2026-11-30T23:59:59Z")]
    #[case(1_796_083_200, "2026-12-01T00:00:00Z")]
    #[case(4_107_542_400, "2100-03-01T00:00:00Z")]
    #[case(-2_203_891_200, "1900-03-01T00:00:00Z")]
    fn known_instants_have_their_known_dates(#[case] seconds: i64, #[case] expected: &str) {
        assert_eq!(iso_8601(seconds), expected);
    }

    #[test]
    fn a_month_ends_in_its_last_nanosecond() {
        let december = UNIX_EPOCH + Duration::from_secs(1_796_083_200);
        let november = Month::containing(december - Duration::from_nanos(1));
        assert_eq!(november.number(), 202_611);
        assert_eq!(november.next(), Month::containing(december));
        assert_eq!(november.next().start(), "2026-12-01T00:00:00Z");
        assert_eq!(november.next().next().start(), "2027-01-01T00:00:00Z");
    }

    #[test]
    fn seconds_before_1970_are_rounded_down() {
        assert_eq!(unix_seconds(UNIX_EPOCH - Duration::from_millis(1)), -1);
        assert_eq!(unix_seconds(UNIX_EPOCH - Duration::from_secs(1)), -1);
        assert_eq!(unix_seconds(UNIX_EPOCH - Duration::from_millis(1001)), -2);
    }

    #[test]
    fn days_follow_each_other_without_gap_for_eight_centuries() {
        let (mut year, mut month, mut day) = (1600, 1, 1);
        let first = -135_140;
        assert_eq!(civil_from_days(first), (year, month, day));
        for days in first + 1..first + 2 * 146_097 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u8::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (year, month, day) = match (month, day) {
                (12, 31) => (year + 1, 1, 1),
                _ if day == length => (year, month + 1, 1),
                _ => (year, month, day + 1),
            };
            assert_eq!(civil_from_days(days), (year, month, day));
        }
    }
}
