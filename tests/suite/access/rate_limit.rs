//! The rate limiter against a model that is too simple to be wrong.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use longhand::access::{KeyId, LimitedEndpoint, RateDecision, RateLimiter, RateOutcome};
use longhand::clock::Clock;
use proptest::prelude::*;

const WINDOW: Duration = Duration::from_secs(60);
const ENDPOINTS: [LimitedEndpoint; 4] =
    [LimitedEndpoint::Generate, LimitedEndpoint::Preview, LimitedEndpoint::Fonts, LimitedEndpoint::Usage];
const KEYS: usize = 3;
const STEPS: usize = 20_000;

/// Keeps all accepted requests, and counts those of the last minute each time.
#[derive(Default)]
struct Model {
    accepted: Vec<SystemTime>,
}

impl Model {
    fn check(&mut self, now: SystemTime, limit: usize) -> RateDecision {
        let counted = self.accepted.iter().rev().take(limit).filter(|time| now < **time + WINDOW).count();
        let allowed = counted < limit;
        let counted = counted + usize::from(allowed);
        if allowed {
            self.accepted.push(now);
        }
        let oldest_leaves = self.accepted[self.accepted.len() - counted] + WINDOW;
        let wait = oldest_leaves.duration_since(now).unwrap().as_secs_f64().ceil() as u64;
        RateDecision {
            limit: limit as u32,
            remaining: (limit - counted) as u32,
            reset_unix_seconds: oldest_leaves.duration_since(UNIX_EPOCH).unwrap().as_millis().div_ceil(1000) as u64,
            outcome: if allowed {
                RateOutcome::Allowed
            } else {
                RateOutcome::Refused { retry_after_seconds: wait.max(1) }
            },
        }
    }
}

/// Splitmix64: a case has too many steps to draw each from `proptest`.
pub(crate) fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Up to two minutes, so that windows fill up, roll and become idle.
fn longest_pauses_ms() -> impl Strategy<Value = u64> {
    prop_oneof![1_u64..30, 30_u64..1000, 1000_u64..120_000]
}

proptest! {
    // 50 cases of 20,000 steps: a million.
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn every_decision_is_that_of_the_model(seed: u64, longest_pause_ms in longest_pauses_ms()) {
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_millis(1_795_262_660_250));
        let limiter = RateLimiter::new(clock.clone());
        let ids: [KeyId; KEYS] = ["a", "b", "c"].map(KeyId::from);
        let mut models: [[Model; ENDPOINTS.len()]; KEYS] = Default::default();
        let mut random = seed;
        for step in 0..STEPS {
            let draw = next_random(&mut random);
            // One in four requests arrives together with the previous one. Pauses are whole milliseconds, so that some
            // requests arrive exactly at the edge of the window.
            if draw & 3 != 0 {
                clock.advance(Duration::from_millis((draw >> 8) % longest_pause_ms));
            }
            // Half of the requests go to one window, so that it fills up.
            let any = ((draw >> 40) as usize % KEYS, (draw >> 48) as usize % ENDPOINTS.len());
            let (key, endpoint) = if draw & 4 == 0 { (0, 2) } else { any };
            let limit = ENDPOINTS[endpoint].contract_limit();
            let decision = limiter.check(&ids[key], ENDPOINTS[endpoint], limit);
            let limit = limit as usize;
            prop_assert_eq!(decision, models[key][endpoint].check(clock.now(), limit), "step {}", step);
        }
        for (endpoint, model) in models.iter().flat_map(|of_key| ENDPOINTS.iter().zip(of_key)) {
            let limit = endpoint.contract_limit() as usize;
            for (first, one_too_many) in model.accepted.iter().zip(model.accepted.iter().skip(limit)) {
                prop_assert!(one_too_many.duration_since(*first).unwrap() >= WINDOW);
            }
        }
    }
}
