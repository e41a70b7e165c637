//! Sends charges from the outbox to the shared store, and releases unused slots there.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

use super::attempts::kept;
use super::client::RedisClient;
use super::outbox::{KEPT, Outbox};
use super::scripts::{CHARGE, names_of};
use crate::access::error::StoreError;
use crate::access::idempotency::Done;
use crate::access::store::Slot;
use crate::clock::Clock;

/// Interval between deliveries without a wake-up, and the pause after a failure.
const INTERVAL: Duration = Duration::from_millis(250);

/// Most slots to release that are remembered; others are released when their lease ends.
const MAX_RELEASES: usize = 10_000;

/// Work for the shared store that requests leave behind.
#[derive(Debug)]
pub(super) struct ChargeForwarder {
    client: Arc<RedisClient>,
    pub(super) outbox: Outbox,
    releases: Mutex<Vec<Slot>>,
    wake: Notify,
    clock: Clock,
}

impl ChargeForwarder {
    /// A forwarder of the outbox at `path`, which is created if it does not exist.
    pub(super) fn open(path: &Path, client: Arc<RedisClient>, clock: Clock) -> Result<Self, StoreError> {
        let outbox = Outbox::open(path)?;
        Ok(Self { client, outbox, releases: Mutex::default(), wake: Notify::new(), clock })
    }

    /// Delivers soon instead of at the next interval.
    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Releases a slot soon.
    pub(super) fn release(&self, slot: Slot) {
        let mut releases = self.releases.lock();
        if releases.len() < MAX_RELEASES {
            releases.push(slot);
        }
        drop(releases);
        self.wake();
    }

    /// Delivers until the task is dropped. After each new connection it sends applied charges again: the previous
    /// connection may have ended because the store was killed.
    pub(super) async fn run(self: Arc<Self>) {
        let mut connection = 0;
        let mut forgot_at = self.clock.monotonic();
        loop {
            // It delivers whether it was woken or not.
            let _ = timeout(INTERVAL, self.wake.notified()).await;
            let opened = self.client.opened();
            if opened != connection && block_in_place(|| self.outbox.doubt_applied()).is_ok() {
                connection = opened;
            }
            if self.deliver().await.is_err() {
                sleep(INTERVAL).await;
            }
            let now = self.clock.monotonic();
            if now.saturating_duration_since(forgot_at) > KEPT / 6 {
                forgot_at = now;
                // If this fails, the next time deletes them too.
                let _ = block_in_place(|| self.outbox.forget_applied(self.now_millis()));
            }
        }
    }

    /// Sends all releases and charges.
    ///
    /// # Errors
    /// The shared store is away, or the outbox cannot be read. The rest is sent by a later call.
    pub(super) async fn deliver(&self) -> Result<(), StoreError> {
        self.deliver_releases().await?;
        loop {
            let charges = block_in_place(|| self.outbox.unapplied())?;
            if charges.is_empty() {
                return Ok(());
            }
            for account in charges.chunk_by(|one, other| (&one.key_id, one.month) == (&other.key_id, other.month)) {
                charge(&self.client, account).await?;
                block_in_place(|| self.outbox.mark_applied(account, self.now_millis()))?;
            }
        }
    }

    async fn deliver_releases(&self) -> Result<(), StoreError> {
        loop {
            let last = self.releases.lock().pop();
            let Some(slot) = last else { return Ok(()) };
            let reserved = format!("{}held:{}", names_of(slot.key_id.as_str()), slot.month.0);
            let command = redis::cmd("ZREM").arg(reserved).arg(&slot.id).to_owned();
            if let Err(error) = self.client.send::<i64>("release a reserved request", &command).await {
                self.releases.lock().push(slot);
                return Err(error);
            }
        }
    }

    fn now_millis(&self) -> i64 {
        let since = self.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

/// Charges slots of one key and month in the shared store. A slot that was charged before is not charged again.
pub(super) async fn charge(client: &RedisClient, account: &[Slot]) -> Result<(), StoreError> {
    let Some(Slot { key_id, month, .. }) = account.first() else { return Ok(()) };
    let mut script = CHARGE.key(names_of(key_id.as_str()));
    script.arg(month.0);
    for Slot { id, done, .. } in account {
        let answer = |done: &Done| {
            let key = &done.attempted.key;
            (key.0.clone(), kept(done), key.kept().as_millis() as u64)
        };
        let (key, answer, milliseconds) = done.as_ref().map(answer).unwrap_or_default();
        script.arg(id).arg(key).arg(answer).arg(milliseconds);
    }
    client.invoke::<i64>("charge the request", &script).await.map(drop)
}
