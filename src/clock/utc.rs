//! A point in time as date and time of day in UTC.
//!
//! Knows only the proleptic Gregorian calendar: no time zones and no leap seconds (Unix time has none).

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_A_DAY: i64 = 86_400;

/// A second of UTC. Shown as ISO 8601, `2026-11-21T12:04:20Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Utc {
    /// Astronomical year.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

impl Utc {
    /// The second in which `time` lies.
    #[must_use]
    pub fn containing(time: SystemTime) -> Self {
        Self::from_unix_seconds(unix_seconds(time))
    }

    /// `seconds` after 1970-01-01T00:00:00Z, or before where negative.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Self {
        let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_A_DAY));
        let second = seconds.rem_euclid(SECONDS_A_DAY);
        let (hour, minute, second) = ((second / 3600) as u8, (second / 60 % 60) as u8, (second % 60) as u8);
        Self { year, month, day, hour, minute, second }
    }
}

impl fmt::Display for Utc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second } = self;
        write!(formatter, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Whole seconds from 1970-01-01T00:00:00Z to `time`, rounded down; negative before.
#[must_use]
pub fn unix_seconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_secs().cast_signed(),
        Err(before) => {
            let until = before.duration();
            let partial = i64::from(until > Duration::from_secs(until.as_secs()));
            -until.as_secs().cast_signed() - partial
        }
    }
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
        assert_eq!(Utc::from_unix_seconds(seconds).to_string(), expected);
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
