//! Bounds the memory of responses that wait to be sent, for all connections together and per key.
//!
//! The response of a slow client stays in memory. So every larger response takes its size from one budget until it is
//! sent.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::body::Bytes;
use parking_lot::Mutex;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::access::KeyId;
use crate::http::errors::table::ApiError;
use crate::spec::ViolationKind;

/// Bytes of all responses that wait to be sent.
const BUDGET: usize = 256 << 20;
/// The part of the budget that responses larger than [`LARGE`] cannot use.
const KEPT_FOR_OTHERS: usize = 64 << 20;
const LARGE: usize = 1 << 20;
/// Bytes of the responses of one key that wait to be sent, and of one response: half of what large responses may use.
/// So one key that reads slowly does not use up the budget of others.
const SHARE: usize = (BUDGET - KEPT_FOR_OTHERS) / 2;
/// Responses up to this size are not counted: the limit on connections bounds them.
const FREE: usize = 64 << 10;
/// Bytes per permit.
const UNIT: usize = 1 << 10;
/// Longest wait for the budget of a part of a file.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The reason of refusals, in metrics.
const REASON: &str = "answers";

/// The budget. Clones share it.
#[derive(Clone, Debug)]
pub(in crate::http) struct ResponseBudget {
    /// Permits for all responses.
    room: Arc<Semaphore>,
    /// Permits for large responses alone.
    room_for_large: Arc<Semaphore>,
    /// Permits of each key with responses that wait. The permits keep their semaphore.
    shares: Arc<Mutex<HashMap<KeyId, Weak<Semaphore>>>>,
}

impl Default for ResponseBudget {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(BUDGET / UNIT)),
            room_for_large: Arc::new(Semaphore::new((BUDGET - KEPT_FOR_OTHERS) / UNIT)),
            shares: Arc::default(),
        }
    }
}

/// The reason why a response has no budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum NoRoom {
    #[error("too many responses to this key wait for its slow client")]
    OfKey,
    #[error("too many other responses wait for slow clients")]
    OfAll,
    #[error("a part is larger than a response may be")]
    Ever,
}

/// Bytes with their permits.
struct Held {
    bytes: Vec<u8>,
    _places: Vec<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl ResponseBudget {
    /// The bytes of a response to the client with `key`. They count until the last of them is sent.
    ///
    /// # Errors
    /// 503 if too many other responses wait for slow clients, 422 `too_costly` if the response is larger than one may
    /// be.
    pub(in crate::http) fn hold(&self, key: Option<&KeyId>, bytes: Vec<u8>) -> Result<Bytes, ApiError> {
        let acquired = self.rooms(key, bytes.len()).and_then(|rooms| {
            let units = units_of(bytes.len());
            let place = |(permits, error)| Semaphore::try_acquire_many_owned(permits, units).or(Err(error));
            rooms.into_iter().map(place).collect::<Result<Vec<_>, NoRoom>>()
        });
        match acquired {
            Ok(places) => Ok(Self::held(bytes, places)),
            Err(NoRoom::Ever) => Err(too_large(bytes.len())),
            Err(NoRoom::OfKey | NoRoom::OfAll) => Err(ApiError::Overloaded { retry_after_seconds: 1, reason: REASON }),
        }
    }

    /// Like [`hold`](Self::hold), but waits for the budget.
    ///
    /// # Errors
    /// It is not available in time.
    pub(super) async fn hold_soon(&self, key: Option<&KeyId>, bytes: Vec<u8>) -> Result<Bytes, NoRoom> {
        let (rooms, units) = (self.rooms(key, bytes.len())?, units_of(bytes.len()));
        let mut lacking = NoRoom::OfAll;
        let acquired = async {
            let mut places = Vec::new();
            for (permits, error) in rooms {
                lacking = error;
                places.push(permits.acquire_many_owned(units).await.ok()?);
            }
            Some(places)
        };
        let acquired = timeout(LONGEST_WAIT, acquired).await.ok().flatten();
        acquired.map(|places| Self::held(bytes, places)).ok_or(lacking)
    }

    /// The budgets that a response of `size` bytes takes permits from, with the error if they are not available.
    fn rooms(&self, key: Option<&KeyId>, size: usize) -> Result<Vec<(Arc<Semaphore>, NoRoom)>, NoRoom> {
        if size > SHARE {
            return Err(NoRoom::Ever);
        }
        if size <= FREE {
            return Ok(Vec::new());
        }
        let share = key.map(|key| (self.share(key), NoRoom::OfKey));
        let large = (size > LARGE).then(|| (Arc::clone(&self.room_for_large), NoRoom::OfAll));
        Ok(share.into_iter().chain(large).chain([(Arc::clone(&self.room), NoRoom::OfAll)]).collect())
    }

    /// The permits of `key`.
    fn share(&self, key: &KeyId) -> Arc<Semaphore> {
        let mut shares = self.shares.lock();
        if let Some(share) = shares.get(key).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(SHARE / UNIT));
        shares.insert(key.clone(), Arc::downgrade(&share));
        share
    }

    fn held(bytes: Vec<u8>, places: Vec<OwnedSemaphorePermit>) -> Bytes {
        if places.is_empty() { bytes.into() } else { Bytes::from_owner(Held { bytes, _places: places }) }
    }
}

/// The permits for `size` bytes.
const fn units_of(size: usize) -> u32 {
    size.div_ceil(UNIT) as u32
}

fn too_large(size: usize) -> ApiError {
    let [size, most] = [size, SHARE].map(|bytes| bytes.div_ceil(1 << 20));
    let message = format!(
        "the answer would have {size} MiB, one may have {most} MiB; use a shorter text, a smaller page or dpi 300"
    );
    ApiError::refused("text", ViolationKind::TooCostly, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_overloaded(outcome: &Result<Bytes, ApiError>) -> bool {
        matches!(outcome, Err(ApiError::Overloaded { reason: REASON, .. }))
    }

    #[test]
    fn large_answers_leave_room_for_others_and_give_theirs_back_when_they_are_sent() {
        let budget = ResponseBudget::default();
        let large = 48 << 20;
        let held: Vec<Bytes> = (0..4).map(|_| budget.hold(None, vec![0; large]).unwrap()).collect();
        assert!(is_overloaded(&budget.hold(None, vec![0; large])));
        let small: Vec<Bytes> = (0..60).map(|_| budget.hold(None, vec![0; 1 << 20]).unwrap()).collect();
        drop(small);
        let slice = held[0].slice(5..9);
        drop(held);
        let half = || budget.hold(None, vec![0; SHARE]);
        let first = half().unwrap();
        assert!(half().is_err(), "a slice keeps its whole answer");
        drop(slice);
        assert!(half().is_ok());
        drop(first);
    }

    #[test]
    fn what_is_small_is_always_answered() {
        let budget = ResponseBudget::default();
        let _all: Vec<Bytes> = (0..256).map(|_| budget.hold(None, vec![0; 1 << 20]).unwrap()).collect();
        assert!(budget.hold(None, vec![0; FREE + 1]).is_err());
        assert!(budget.hold(None, vec![0; FREE]).is_ok());
    }

    #[test]
    fn one_key_with_slow_clients_leaves_room_for_the_large_answers_of_another() {
        for size in [48 << 20, 2 << 20, 1 << 20, FREE + UNIT] {
            let budget = ResponseBudget::default();
            let [slow, other] = ["slow", "other"].map(KeyId::from);
            let held: Vec<Bytes> =
                std::iter::from_fn(|| budget.hold(Some(&slow), vec![0; size]).ok()).take(BUDGET / UNIT).collect();
            assert!(held.len() * size <= SHARE, "{} of {size}", held.len());
            assert!(is_overloaded(&budget.hold(Some(&slow), vec![0; size])));
            assert!(budget.hold(Some(&other), vec![0; 2 << 20]).is_ok(), "beside {size}");
            assert!(budget.hold(Some(&other), vec![0; SHARE]).is_ok(), "beside {size}");
            drop(held);
            assert!(budget.hold(Some(&slow), vec![0; SHARE]).is_ok());
        }
    }

    #[test]
    fn keys_without_waiting_answers_are_forgotten() {
        let budget = ResponseBudget::default();
        for number in 0..100 {
            budget.hold(Some(&KeyId::from(number.to_string().as_str())), vec![0; LARGE]).unwrap();
        }
        assert_eq!(budget.shares.lock().len(), 1);
    }

    #[test]
    fn an_answer_that_can_never_be_held_is_refused_without_an_invitation_to_retry() {
        let budget = ResponseBudget::default();
        let key = KeyId::from("key");
        for key in [None, Some(&key)] {
            let refused = budget.hold(key, vec![0; SHARE + 1]).unwrap_err();
            assert_eq!(refused.row().status, 422);
            assert!(refused.to_string().contains("text: the answer would have 97 MiB"), "{refused}");
            assert!(refused.header().is_none());
            assert!(budget.hold(key, vec![0; SHARE]).is_ok());
        }
    }

    #[tokio::test]
    async fn a_part_waits_for_room_for_a_while() {
        let budget = ResponseBudget::default();
        let part = || vec![0; 2 << 20];
        let [slow, other] = ["slow", "other"].map(KeyId::from);
        let of_slow = budget.hold(Some(&slow), vec![0; SHARE]).unwrap();
        let held = budget.hold(None, vec![0; SHARE]).unwrap();
        let refused = tokio::join!(budget.hold_soon(Some(&slow), part()), budget.hold_soon(Some(&other), part()));
        assert_eq!((refused.0.unwrap_err(), refused.1.unwrap_err()), (NoRoom::OfKey, NoRoom::OfAll));
        assert_eq!(budget.hold_soon(Some(&other), vec![0; SHARE + 1]).await.unwrap_err(), NoRoom::Ever);
        let (waiting, ()) = tokio::join!(budget.hold_soon(Some(&other), part()), async { drop(held) });
        assert_eq!(waiting.unwrap().len(), 2 << 20);
        drop(of_slow);
    }
}
