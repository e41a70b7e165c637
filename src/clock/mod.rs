//! Time as an argument. Only this module reads the system's clocks.
//!
//! Input: nothing, or a start time for tests. Output: a [`Clock`] with wall-clock and monotonic time, and the date of a
//! [`Timestamp`]. Shown as text, a [`Timestamp`] is ISO 8601 in UTC, such as `2026-11-21T12:04:20Z`.
//!
//! The module knows no time zones and never waits.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

pub use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use parking_lot::Mutex;

/// A source of wall-clock and monotonic time, cheap to clone and shared between threads: the times of a manual clock, or
/// the machine's clock.
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<Mutex<(SystemTime, Instant)>>>);

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self(None)
    }

    /// A clock that shows `start` until [`advance`](Self::advance) moves it.
    #[must_use]
    pub fn manual(start: SystemTime) -> Self {
        Self(Some(Arc::new(Mutex::new((start, Self::system().monotonic())))))
    }

    /// Wall-clock time.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.read().0
    }

    /// Wall-clock time as a timestamp. A time beyond the year 9999 becomes 1970.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        Timestamp::try_from(self.now()).unwrap_or_default()
    }

    /// Time that never goes backwards, for durations and windows.
    #[must_use]
    pub fn monotonic(&self) -> Instant {
        self.read().1
    }

    /// Moves a manual clock forward. Does nothing to the machine's clock.
    pub fn advance(&self, by: Duration) {
        if let Some(time) = &self.0 {
            let mut time = time.lock();
            time.0 += by;
            time.1 += by;
        }
    }

    fn read(&self) -> (SystemTime, Instant) {
        self.0.as_ref().map_or_else(system_times, |time| *time.lock())
    }
}

/// The UTC date of `time`.
#[must_use]
pub fn utc_date(time: Timestamp) -> Date {
    Offset::UTC.to_datetime(time).date()
}

#[expect(clippy::disallowed_methods, reason = "this is the clock the lint points to")]
fn system_times() -> (SystemTime, Instant) {
    (SystemTime::now(), Instant::now())
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
        let time = Timestamp::from_second(seconds).unwrap();
        assert_eq!(time.to_string(), expected);
        assert_eq!(utc_date(time).to_string(), expected[..10]);
    }

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = Clock::manual(SystemTime::UNIX_EPOCH);
        let twin = clock.clone();
        assert_eq!(clock.now(), twin.now());
        clock.advance(Duration::from_secs(60));
        assert_eq!(twin.now(), SystemTime::UNIX_EPOCH + Duration::from_secs(60));
    }
}
