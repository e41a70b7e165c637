//! UTC calendar months.

use crate::clock::{Timestamp, utc_date};

/// A UTC calendar month as one number, `202611` for November 2026. Stores keep this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Month(pub(super) i64);

impl Month {
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

    /// The first instant of the month, `2026-11-01T00:00:00Z`.
    pub(super) fn start(self) -> String {
        format!("{:04}-{:02}-01T00:00:00Z", self.0 / 100, self.0 % 100)
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
}
