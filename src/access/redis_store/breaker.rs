//! A circuit breaker: stops requests to a store that does not answer.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Failures in a row that open the breaker.
const FAILURES: u32 = 3;

/// How long an open breaker rejects requests before it lets one try.
const PAUSE: Duration = Duration::from_millis(500);

/// Closed while answers arrive. Open after three failures in a row; then half open every half second, for one trial.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// When the next trial is due; `None` while the breaker is closed.
    retry_at: Option<Instant>,
}

impl Breaker {
    /// Whether to send a request at `now`. An open breaker lets one request per pause pass.
    pub(super) fn lets_pass(&self, now: Instant) -> bool {
        let mut state = self.0.lock();
        match state.retry_at {
            Some(retry_at) if now < retry_at => false,
            Some(_) => {
                state.retry_at = Some(now + PAUSE);
                true
            }
            None => true,
        }
    }

    /// A request was answered.
    pub(super) fn succeeded(&self) {
        *self.0.lock() = State::default();
    }

    /// A request failed at `now`, or was not answered in time.
    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.0.lock();
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.retry_at = Some(now + PAUSE);
        }
    }

    /// Whether requests are rejected.
    pub(super) fn is_open(&self) -> bool {
        self.0.lock().retry_at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::clock::Clock;

    #[test]
    fn three_failures_in_a_row_open_it_and_one_success_closes_it() {
        let clock = Clock::manual(UNIX_EPOCH);
        let breaker = Breaker::default();
        for _ in 0..2 {
            breaker.failed(clock.monotonic());
            breaker.failed(clock.monotonic());
            assert!(breaker.lets_pass(clock.monotonic()));
            breaker.succeeded();
        }
        for _ in 0..3 {
            breaker.failed(clock.monotonic());
        }
        assert!(!breaker.lets_pass(clock.monotonic()) && breaker.is_open());
        breaker.succeeded();
        assert!(breaker.lets_pass(clock.monotonic()) && !breaker.is_open());
    }

    #[test]
    fn open_it_lets_one_try_every_half_second() {
        let clock = Clock::manual(UNIX_EPOCH);
        let breaker = Breaker::default();
        (0..3).for_each(|_| breaker.failed(clock.monotonic()));
        for _ in 0..3 {
            clock.advance(PAUSE);
            assert!(breaker.lets_pass(clock.monotonic()));
            assert!(!breaker.lets_pass(clock.monotonic()), "one at a time");
            breaker.failed(clock.monotonic());
        }
    }
}
