//! A circuit breaker: stops asking a store that does not answer.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row after which nothing is asked for a while.
const FAILURES: u32 = 3;

/// How long nothing is asked; then one may try.
const PAUSE: Duration = Duration::from_millis(500);

/// A circuit breaker: closed while answers come, open after three failures in a row, and then half open, for one trial,
/// every half second.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    closed_until: Option<Instant>,
}

impl Breaker {
    /// Whether to ask at `now`. While it is open one caller a pause is let through, to try.
    pub(super) fn lets_pass(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.closed_until {
            Some(until) if now < until => false,
            Some(_) => {
                state.closed_until = Some(now + PAUSE);
                true
            }
            None => true,
        }
    }

    /// What was asked answered.
    pub(super) fn succeeded(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// What was asked at `now` failed or did not answer in time.
    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.closed_until = Some(now + PAUSE);
        }
    }

    /// Whether callers are turned away.
    pub(super) fn is_open(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).closed_until.is_some()
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
