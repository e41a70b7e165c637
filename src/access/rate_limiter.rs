//! Limits the requests in any 60 seconds, per key and endpoint, in memory.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use dashmap::DashMap;

use super::client::KeyId;
use super::rate_limits::LimitedEndpoint;
use crate::clock::Clock;

/// How long an accepted request counts.
pub(super) const WINDOW: Duration = Duration::from_secs(60);

/// [`WINDOW`] in nanoseconds. All times below are nanoseconds of the monotonic clock since the limiter was created.
const WINDOW_NANOS: u64 = WINDOW.as_nanos() as u64;

/// A decision, and the values of its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateDecision {
    /// Requests accepted in any 60 seconds.
    pub limit: u32,
    /// Further requests that would be accepted now.
    pub remaining: u32,
    /// The Unix second, rounded up, at which the oldest counted request leaves the window.
    pub reset_unix_seconds: u64,
    /// Whether this request is accepted.
    pub outcome: RateOutcome,
}

/// Whether a request is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateOutcome {
    /// It is accepted, and was counted.
    Allowed,
    /// It is refused, and was not counted.
    Refused {
        /// Whole seconds, at least 1, after which a request is accepted if no other comes first.
        retry_after_seconds: u64,
    },
}

impl RateOutcome {
    /// The outcome for a request; if it is refused, the window has room for one in this time.
    pub(super) fn of(is_allowed: bool, free_in: Duration) -> Self {
        let retry_after_seconds = whole_seconds_up(free_in).max(1);
        if is_allowed { Self::Allowed } else { Self::Refused { retry_after_seconds } }
    }
}

/// Counts accepted requests per key and endpoint over an exact rolling window of 60 seconds.
///
/// The window is half open: a request accepted at *t* counts before *t* + 60 s and not at *t* + 60 s, so that no 60
/// seconds contain more than the limit. Takes 8 bytes per request of the limit, key and endpoint. Windows that are idle for two minutes
/// are deleted when another is used. Does not block.
#[derive(Debug)]
pub struct RateLimiter {
    clock: Clock,
    started: Instant,
    /// Times of the counted requests, oldest first.
    windows: DashMap<(KeyId, LimitedEndpoint), VecDeque<u64>>,
    next_sweep: AtomicU64,
}

impl RateLimiter {
    /// A limiter that has counted nothing.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let started = clock.monotonic();
        Self { clock, started, windows: DashMap::new(), next_sweep: AtomicU64::new(WINDOW_NANOS) }
    }

    /// Counts a request of `key_id` to `endpoint` if `limit` allows it. The limit of a key may change at any time.
    pub fn check(&self, key_id: &KeyId, endpoint: LimitedEndpoint, limit: u32) -> RateDecision {
        let mut window = self.windows.entry((key_id.clone(), endpoint)).or_default();
        // Read under the window's lock, so that the times in it ascend.
        let now = self.nanoseconds();
        let wall_clock = self.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        while window.front().is_some_and(|oldest| !counts_at(*oldest, now)) {
            window.pop_front();
        }
        let allowed = window.len() < limit as usize;
        if allowed {
            window.push_back(now);
        }
        let remaining = limit.saturating_sub(window.len() as u32);
        let leaves_in = |accepted: Option<&u64>| {
            let accepted = accepted.copied().unwrap_or(now);
            Duration::from_nanos(accepted.saturating_add(WINDOW_NANOS).saturating_sub(now))
        };
        let oldest_leaves_in = leaves_in(window.front());
        // More than one request has to leave a window whose limit was lowered.
        let free_in = leaves_in(window.get(window.len().saturating_sub(limit as usize)));
        drop(window);
        self.sweep_when_due(now);

        let outcome = RateOutcome::of(allowed, free_in);
        RateDecision { limit, remaining, reset_unix_seconds: whole_seconds_up(wall_clock + oldest_leaves_in), outcome }
    }

    fn nanoseconds(&self) -> u64 {
        let since = self.clock.monotonic().saturating_duration_since(self.started);
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Deletes idle windows, once per minute. Must not be called while a window is locked.
    fn sweep_when_due(&self, now: u64) {
        let due = self.next_sweep.load(Ordering::Relaxed);
        let next = now.saturating_add(WINDOW_NANOS);
        let mine =
            now >= due && self.next_sweep.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if mine {
            self.windows.retain(|_, window| window.back().is_some_and(|newest| counts_at(*newest, now)));
        }
    }
}

const fn counts_at(accepted: u64, now: u64) -> bool {
    now < accepted.saturating_add(WINDOW_NANOS)
}

/// `duration` in seconds, rounded up.
fn whole_seconds_up(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(limiter: &RateLimiter, key: &KeyId, endpoint: LimitedEndpoint) -> RateDecision {
        limiter.check(key, endpoint, endpoint.contract_limit())
    }

    const START: Duration = Duration::from_millis(1_795_262_660_250);

    fn limiter() -> (Clock, RateLimiter) {
        let clock = Clock::manual(UNIX_EPOCH + START);
        (clock.clone(), RateLimiter::new(clock))
    }

    fn key(name: &str) -> KeyId {
        KeyId::from(name)
    }

    fn use_up(limiter: &RateLimiter, key: &KeyId, endpoint: LimitedEndpoint) {
        for used in 1..=endpoint.contract_limit() {
            let decision = check(limiter, key, endpoint);
            assert_eq!(
                (decision.outcome, decision.remaining),
                (RateOutcome::Allowed, endpoint.contract_limit() - used)
            );
        }
    }

    #[test]
    fn each_endpoint_allows_its_limit_and_not_one_more() {
        let (_clock, limiter) = limiter();
        for endpoint in [LimitedEndpoint::Generate, LimitedEndpoint::Preview, LimitedEndpoint::Fonts] {
            use_up(&limiter, &key("a"), endpoint);
            let decision = check(&limiter, &key("a"), endpoint);
            assert_eq!(decision.outcome, RateOutcome::Refused { retry_after_seconds: 60 });
            assert_eq!((decision.limit, decision.remaining), (endpoint.contract_limit(), 0));
        }
    }

    #[test]
    fn keys_are_counted_apart() {
        let (_clock, limiter) = limiter();
        use_up(&limiter, &key("a"), LimitedEndpoint::Fonts);
        assert_eq!(check(&limiter, &key("b"), LimitedEndpoint::Fonts).remaining, 99);
    }

    #[test]
    fn reset_is_the_second_rounded_up_at_which_the_oldest_request_leaves() {
        let (clock, limiter) = limiter();
        let first = check(&limiter, &key("a"), LimitedEndpoint::Fonts);
        assert_eq!(first.reset_unix_seconds, 1_795_262_721, "…660.25 s and 60 s, rounded up");
        clock.advance(Duration::from_secs(20));
        assert_eq!(check(&limiter, &key("a"), LimitedEndpoint::Fonts).reset_unix_seconds, 1_795_262_721);
        clock.advance(Duration::from_secs(40));
        assert_eq!(check(&limiter, &key("a"), LimitedEndpoint::Fonts).reset_unix_seconds, 1_795_262_741);
    }

    #[test]
    fn a_full_window_opens_exactly_sixty_seconds_after_its_oldest_request() {
        let (clock, limiter) = limiter();
        use_up(&limiter, &key("a"), LimitedEndpoint::Fonts);
        clock.advance(Duration::from_nanos(59_999_999_999));
        let refused = check(&limiter, &key("a"), LimitedEndpoint::Fonts);
        assert_eq!(refused.outcome, RateOutcome::Refused { retry_after_seconds: 1 });
        clock.advance(Duration::from_nanos(1));
        let allowed = check(&limiter, &key("a"), LimitedEndpoint::Fonts);
        assert_eq!((allowed.outcome, allowed.remaining), (RateOutcome::Allowed, 99));
    }

    #[test]
    fn waiting_as_long_as_told_is_enough() {
        let (clock, limiter) = limiter();
        use_up(&limiter, &key("a"), LimitedEndpoint::Fonts);
        clock.advance(Duration::from_millis(17_300));
        let RateOutcome::Refused { retry_after_seconds } = check(&limiter, &key("a"), LimitedEndpoint::Fonts).outcome
        else {
            panic!("the window is full");
        };
        clock.advance(Duration::from_secs(retry_after_seconds));
        assert_eq!(check(&limiter, &key("a"), LimitedEndpoint::Fonts).outcome, RateOutcome::Allowed);
    }

    #[test]
    fn a_limit_that_is_lowered_or_raised_holds_from_the_next_request() {
        let (clock, limiter) = limiter();
        for _ in 0..5 {
            limiter.check(&key("a"), LimitedEndpoint::Fonts, 5);
            clock.advance(Duration::from_secs(10));
        }
        let lowered = limiter.check(&key("a"), LimitedEndpoint::Fonts, 2);
        // Requests at 0, 10, 20, 30 and 40 s; at 50 s the fourth has to leave, at 90 s.
        assert_eq!(lowered.outcome, RateOutcome::Refused { retry_after_seconds: 40 });
        assert_eq!((lowered.limit, lowered.remaining), (2, 0));
        let raised = limiter.check(&key("a"), LimitedEndpoint::Fonts, 7);
        assert_eq!((raised.outcome, raised.remaining), (RateOutcome::Allowed, 1));
        clock.advance(Duration::from_secs(50));
        assert_eq!(limiter.check(&key("a"), LimitedEndpoint::Fonts, 2).outcome, RateOutcome::Allowed);
    }

    #[test]
    fn refused_requests_do_not_count() {
        let (clock, limiter) = limiter();
        use_up(&limiter, &key("a"), LimitedEndpoint::Fonts);
        for _ in 0..59 {
            clock.advance(Duration::from_secs(1));
            assert!(matches!(check(&limiter, &key("a"), LimitedEndpoint::Fonts).outcome, RateOutcome::Refused { .. }));
        }
        clock.advance(Duration::from_secs(1));
        use_up(&limiter, &key("a"), LimitedEndpoint::Fonts);
    }

    #[test]
    fn many_threads_together_get_the_limit() {
        let (_clock, limiter) = limiter();
        let allowed = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        if check(&limiter, &key("a"), LimitedEndpoint::Generate).outcome == RateOutcome::Allowed {
                            allowed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!(allowed.into_inner(), 500);
    }

    #[test]
    fn idle_windows_are_forgotten_and_busy_ones_kept() {
        let (clock, limiter) = limiter();
        for minute in 0..10 {
            for visitor in 0..1000 {
                check(&limiter, &key(&format!("{minute}/{visitor}")), LimitedEndpoint::Preview);
            }
            check(&limiter, &key("regular"), LimitedEndpoint::Preview);
            assert!(limiter.windows.len() <= 2002, "{} windows in minute {minute}", limiter.windows.len());
            clock.advance(Duration::from_secs(30));
            check(&limiter, &key("regular"), LimitedEndpoint::Preview);
            clock.advance(Duration::from_secs(30));
        }
        assert_eq!(check(&limiter, &key("regular"), LimitedEndpoint::Preview).remaining, 298);
        assert_eq!(limiter.windows.len(), 1);
    }

    #[test]
    fn a_full_window_takes_the_memory_it_says() {
        let (clock, limiter) = limiter();
        for _ in 0..100_000 {
            check(&limiter, &key("a"), LimitedEndpoint::Generate);
            clock.advance(Duration::from_millis(7));
        }
        let window = limiter.windows.get(&(key("a"), LimitedEndpoint::Generate)).unwrap();
        assert!(window.capacity() * size_of::<u64>() <= 4096, "capacity {}", window.capacity());
    }
}
