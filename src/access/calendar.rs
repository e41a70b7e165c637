//! UTC calendar months.

use std::fmt;
use std::str::FromStr;

use crate::clock::{Timestamp, utc_date};

/// A UTC calendar month as one number, `202611` for November 2026. Stores keep this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Month(pub(super) i64);

impl Month {
    /// Before every month that is counted.
    pub(super) const FIRST: Self = Self(0);

    /// The month in which `time` lies.
    pub(super) fn containing(time: Timestamp) -> Self {
        let date = utc_date(time);
        Self(i64::from(date.year()) * 100 + i64::from(date.month()))
    }

    /// The month after this one.
    pub(super) const fn next(self) -> Self {
        // From December to January of the next year: 202612 + 89 = 202701.
        Self(if self.0 % 100 == 12 { self.0 + 89 } else { self.0 + 1 })
    }

    /// The same month of the year before.
    pub(super) const fn a_year_before(self) -> Self {
        Self(self.0 - 100)
    }

    /// The first instant of the month, `2026-11-01T00:00:00Z`.
    pub(super) fn start(self) -> String {
        format!("{:04}-{:02}-01T00:00:00Z", self.0 / 100, self.0 % 100)
    }
}

impl FromStr for Month {
    type Err = &'static str;

    /// Reads `2026-11`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_shaped = text.len() == 7
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        let number = |part: &str| part.parse::<i64>().ok();
        let parts = text.split_once('-').filter(|_| is_shaped);
        let (year, month) = parts.and_then(|(year, month)| number(year).zip(number(month))).ok_or(EXPECTED)?;
        if (1..=12).contains(&month) { Ok(Self(year * 100 + month)) } else { Err(EXPECTED) }
    }
}

const EXPECTED: &str = "a month such as 2026-11";

impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_ends_in_its_last_nanosecond() {
        let december = Timestamp::constant(1_796_083_200, 0);
        let november = Month::containing(Timestamp::constant(1_796_083_199, 999_999_999));
        assert_eq!(november.0, 202_611);
        assert_eq!(november.next(), Month::containing(december));
        assert_eq!(november.next().start(), "2026-12-01T00:00:00Z");
        assert_eq!(november.next().next().start(), "2027-01-01T00:00:00Z");
    }

    #[test]
    fn a_month_is_read_as_it_is_written_and_nothing_else_is() {
        assert_eq!("2026-02".parse::<Month>().unwrap().to_string(), "2026-02");
        for wrong in ["2026-00", "2026-13", "2026-2", "202602", "2026/02", "+026-02", "2026-02-01", "", "२०२६-०२"]
        {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
    }
}
