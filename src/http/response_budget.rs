//! Bounds the memory of responses that wait to be sent, for all connections together.
//!
//! The response of a slow client stays in memory. So every larger response takes its size from one budget until it is
//! sent.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;

/// Bytes of all responses that wait to be sent.
const BUDGET: usize = 256 << 20;
/// The part of the budget that responses larger than [`LARGE`] cannot use.
const KEPT_FOR_OTHERS: usize = 64 << 20;
const LARGE: usize = 1 << 20;
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
pub(super) struct ResponseBudget {
    /// Permits for all responses.
    room: Arc<Semaphore>,
    /// Permits for large responses alone.
    room_for_large: Arc<Semaphore>,
}

impl Default for ResponseBudget {
    fn default() -> Self {
        Self {
            room: Arc::new(Semaphore::new(BUDGET / UNIT)),
            room_for_large: Arc::new(Semaphore::new((BUDGET - KEPT_FOR_OTHERS) / UNIT)),
        }
    }
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
    /// The bytes of a response. They count until the last of them is sent.
    ///
    /// # Errors
    /// 503 if too many other responses wait for slow clients.
    pub(super) fn hold(&self, bytes: Vec<u8>) -> Result<Bytes, ApiError> {
        let full = |_| ApiError::Overloaded { retry_after_seconds: 1, reason: REASON };
        let places = self.rooms(bytes.len()).map(|(room, units)| room.try_acquire_many_owned(units));
        Ok(Self::held(bytes, places.collect::<Result<_, _>>().map_err(full)?))
    }

    /// Like [`hold`](Self::hold), but waits for the budget. `None` if it is not available in time.
    pub(super) async fn hold_soon(&self, bytes: Vec<u8>) -> Option<Bytes> {
        let acquired = async {
            let mut places = Vec::new();
            for (room, units) in self.rooms(bytes.len()) {
                places.push(room.acquire_many_owned(units).await.ok()?);
            }
            Some(places)
        };
        let places = tokio::time::timeout(LONGEST_WAIT, acquired).await.ok()??;
        Some(Self::held(bytes, places))
    }

    /// The semaphores that a response of `size` bytes takes permits from, and the number of permits.
    fn rooms(&self, size: usize) -> impl Iterator<Item = (Arc<Semaphore>, u32)> {
        let units = size.div_ceil(UNIT) as u32;
        let large = (size > LARGE).then(|| (Arc::clone(&self.room_for_large), units));
        let all = (size > FREE).then(|| (Arc::clone(&self.room), units));
        large.into_iter().chain(all)
    }

    fn held(bytes: Vec<u8>, places: Vec<OwnedSemaphorePermit>) -> Bytes {
        if places.is_empty() { bytes.into() } else { Bytes::from_owner(Held { bytes, _places: places }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_answers_leave_room_for_others_and_give_theirs_back_when_they_are_sent() {
        let budget = ResponseBudget::default();
        let large = 48 << 20;
        let held: Vec<Bytes> = (0..4).map(|_| budget.hold(vec![0; large]).unwrap()).collect();
        assert!(matches!(budget.hold(vec![0; large]), Err(ApiError::Overloaded { reason: REASON, .. })));
        let small: Vec<Bytes> = (0..60).map(|_| budget.hold(vec![0; 1 << 20]).unwrap()).collect();
        drop(small);
        let slice = held[0].slice(5..9);
        drop(held);
        assert!(budget.hold(vec![0; BUDGET - KEPT_FOR_OTHERS]).is_err(), "a slice keeps its whole answer");
        drop(slice);
        assert!(budget.hold(vec![0; BUDGET - KEPT_FOR_OTHERS]).is_ok());
    }

    #[test]
    fn what_is_small_is_always_answered() {
        let budget = ResponseBudget::default();
        let _all: Vec<Bytes> = (0..256).map(|_| budget.hold(vec![0; 1 << 20]).unwrap()).collect();
        assert!(budget.hold(vec![0; FREE + 1]).is_err());
        assert!(budget.hold(vec![0; FREE]).is_ok());
    }

    #[tokio::test]
    async fn a_part_waits_for_room_for_a_while() {
        let budget = ResponseBudget::default();
        let held = budget.hold(vec![0; BUDGET - KEPT_FOR_OTHERS]).unwrap();
        assert!(budget.hold_soon(vec![0; 2 << 20]).await.is_none());
        let (waiting, ()) = tokio::join!(budget.hold_soon(vec![0; 2 << 20]), async { drop(held) });
        assert_eq!(waiting.unwrap().len(), 2 << 20);
    }
}
