//! Time as an argument. Only this module reads the system's clocks.
//!
//! Input: nothing, or a start time for tests. Output: a [`Clock`] with wall-clock and monotonic time, and [`Utc`], a
//! point in time as date and time of day. Parts: this file (clocks), `utc` (the calendar). The module knows no time
//! zones and never waits.

mod utc;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

pub use utc::{Utc, unix_seconds};

/// A source of wall-clock and monotonic time, cheap to clone and shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Manual(Arc<std::sync::Mutex<(SystemTime, Instant)>>),
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start` until [`advance`](Self::advance) moves it.
    #[must_use]
    pub fn manual(start: SystemTime) -> Self {
        Self(Source::Manual(Arc::new(std::sync::Mutex::new((start, system_monotonic())))))
    }

    /// Wall-clock time.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.read().0
    }

    /// Time that never goes backwards, for durations and windows.
    #[must_use]
    pub fn monotonic(&self) -> Instant {
        self.read().1
    }

    /// Moves a manual clock forward; the machine's clock is not ours to move.
    pub fn advance(&self, by: Duration) {
        if let Source::Manual(time) = &self.0 {
            let mut time = time.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            time.0 += by;
            time.1 += by;
        }
    }

    fn read(&self) -> (SystemTime, Instant) {
        match &self.0 {
            Source::System => (system_wall_clock(), system_monotonic()),
            Source::Manual(time) => *time.lock().unwrap_or_else(std::sync::PoisonError::into_inner),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock the lint points to")]
fn system_wall_clock() -> SystemTime {
    SystemTime::now()
}

#[expect(clippy::disallowed_methods, reason = "this is the clock the lint points to")]
fn system_monotonic() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told() {
        let clock = Clock::manual(SystemTime::UNIX_EPOCH);
        let twin = clock.clone();
        assert_eq!(clock.now(), twin.now());
        clock.advance(Duration::from_secs(60));
        assert_eq!(twin.now(), SystemTime::UNIX_EPOCH + Duration::from_secs(60));
    }
}
