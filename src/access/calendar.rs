//! UTC calendar months.

use std::time::SystemTime;

use crate::clock::Utc;

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
        let Utc { year, month, .. } = Utc::containing(time);
        Self { year, month }
    }

    /// The month of this [`number`](Self::number).
    pub(super) const fn numbered(number: i64) -> Self {
        Self { year: number / 100, month: (number % 100) as u8 }
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_month_ends_in_its_last_nanosecond() {
        let december = UNIX_EPOCH + Duration::from_secs(1_796_083_200);
        let november = Month::containing(december - Duration::from_nanos(1));
        assert_eq!(november.number(), 202_611);
        assert_eq!(november.next(), Month::containing(december));
        assert_eq!(november.next().start(), "2026-12-01T00:00:00Z");
        assert_eq!(Month::numbered(november.number()), november);
        assert_eq!(november.next().next().start(), "2027-01-01T00:00:00Z");
    }
}
