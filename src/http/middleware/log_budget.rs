//! Limits the log lines about requests without a rate limit.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Log lines per second of requests without a valid key.
pub(super) const MOST_LINES: u32 = 20;

const SECOND: Duration = Duration::from_secs(1);

/// Limits the log lines of requests without a valid key, so that a flood of them does not fill the disk.
#[derive(Debug, Default)]
pub(in crate::http) struct LogBudget(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    /// Start of the current second.
    since: Option<Instant>,
    written: u32,
    left_out: u64,
}

impl LogBudget {
    /// `None` if the request that ends `now` is not logged. Otherwise the number of requests left out since the last
    /// log line.
    pub(in crate::http) fn take(&self, now: Instant) -> Option<u64> {
        let mut lines = self.0.lock();
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
    fn lines_per_second_are_limited_and_the_next_second_counts_those_left_out() {
        let (budget, start) = (LogBudget::default(), Clock::system().monotonic());
        assert!((0..MOST_LINES).all(|_| budget.take(start) == Some(0)));
        assert!((0..1000).all(|_| budget.take(start + SECOND / 2).is_none()));
        assert_eq!(budget.take(start + SECOND), Some(1000));
        assert_eq!(budget.take(start + SECOND), Some(0));
    }
}
