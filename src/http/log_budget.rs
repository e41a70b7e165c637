//! Bounds log lines about requests that no rate limit bounds.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Exchanges without an accepted key that are logged per second.
pub(super) const MOST_LINES: u32 = 20;

const SECOND: Duration = Duration::from_secs(1);

/// Counts the logged exchanges without an accepted key, so that a flood of them does not fill the disk.
#[derive(Debug, Default)]
pub(super) struct LogBudget(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    /// Start of the present second.
    since: Option<Instant>,
    written: u32,
    left_out: u64,
}

impl LogBudget {
    /// Whether the exchange that ends `now` is logged: `None` if not, otherwise how many were left out since the last
    /// logged one.
    pub(super) fn take(&self, now: Instant) -> Option<u64> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.since.is_none_or(|since| now.saturating_duration_since(since) >= SECOND) {
            (lines.since, lines.written) = (Some(now), 0);
        }
        if lines.written == MOST_LINES {
            lines.left_out += 1;
            return None;
        }
        lines.written += 1;
        Some(std::mem::take(&mut lines.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn a_second_has_so_many_lines_and_the_next_tells_how_many_were_left_out() {
        let (budget, start) = (LogBudget::default(), Clock::system().monotonic());
        assert!((0..MOST_LINES).all(|_| budget.take(start) == Some(0)));
        assert!((0..1000).all(|_| budget.take(start + SECOND / 2).is_none()));
        assert_eq!(budget.take(start + SECOND), Some(1000));
        assert_eq!(budget.take(start + SECOND), Some(0));
    }
}
