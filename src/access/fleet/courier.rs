//! Sends charges from the outbox to the shared store, and releases unused places.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use tokio::sync::Notify;
use tokio::task::block_in_place;
use tokio::time::{sleep, timeout};

use super::link::Link;
use super::outbox::{Charge, KEPT, Outbox};
use super::scripts::{Scripts, names_of};
use crate::access::error::StoreError;
use crate::clock::Clock;

/// How long it rests where nobody calls it, and after a failure.
const REST: Duration = Duration::from_millis(250);

/// Most places to give back that are remembered; beyond that they come free when their lease ends.
const MOST_RETURNS: usize = 10_000;

/// The courier's bag, shared with those who fill it.
#[derive(Debug)]
pub(super) struct Courier {
    pub(super) outbox: Outbox,
    returns: Mutex<Vec<Charge>>,
    called: Notify,
    clock: Clock,
}

impl Courier {
    pub(super) fn new(outbox: Outbox, clock: Clock) -> Self {
        Self { outbox, returns: Mutex::default(), called: Notify::new(), clock }
    }

    /// There is something to take.
    pub(super) fn call(&self) {
        self.called.notify_one();
    }

    /// A place is to be given back.
    pub(super) fn give_back(&self, place: Charge) {
        let mut returns = self.returns.lock().unwrap_or_else(PoisonError::into_inner);
        if returns.len() < MOST_RETURNS {
            returns.push(place);
        }
        drop(returns);
        self.call();
    }

    /// Goes back and forth until it is dropped. After each new connection it takes again what the store may have
    /// forgotten: the connection may have ended because the store was killed.
    pub(super) async fn run(self: Arc<Self>, link: Arc<Link>, scripts: Arc<Scripts>) {
        let mut connection = 0;
        let mut forgot_at = self.clock.monotonic();
        loop {
            // Whether or not somebody called in time.
            let _ = timeout(REST, self.called.notified()).await;
            let opened = link.opened();
            if opened != connection && block_in_place(|| self.outbox.doubt_applied()).is_ok() {
                connection = opened;
            }
            if self.deliver(&link, &scripts).await.is_err() {
                sleep(REST).await;
            }
            let now = self.clock.monotonic();
            if now.saturating_duration_since(forgot_at) > KEPT / 6 {
                forgot_at = now;
                // What is not forgotten now is forgotten the next time.
                let _ = block_in_place(|| self.outbox.forget_applied(self.now_millis()));
            }
        }
    }

    /// Takes everything there is to take.
    ///
    /// # Errors
    /// The shared store is away, or the outbox cannot be read; what is left is taken another time.
    pub(super) async fn deliver(&self, link: &Link, scripts: &Scripts) -> Result<(), StoreError> {
        self.deliver_returns(link).await?;
        loop {
            let charges = block_in_place(|| self.outbox.unapplied())?;
            if charges.is_empty() {
                return Ok(());
            }
            for account in charges.chunk_by(|one, other| (&one.key_id, one.month) == (&other.key_id, other.month)) {
                let Some(Charge { key_id, month, .. }) = account.first() else { continue };
                let mut charge = scripts.charge.key(names_of(key_id.as_str()));
                let charge =
                    charge.arg(*month).arg(account.iter().map(|charge| charge.id.as_str()).collect::<Vec<_>>());
                let _: i64 = link.invoke("charge the request", charge).await?;
                block_in_place(|| self.outbox.mark_applied(account, self.now_millis()))?;
            }
        }
    }

    async fn deliver_returns(&self, link: &Link) -> Result<(), StoreError> {
        loop {
            let last = self.returns.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(place) = last else { return Ok(()) };
            let held = format!("{}held:{}", names_of(place.key_id.as_str()), place.month);
            let returned = link.send::<i64>("give a place back", redis::cmd("ZREM").arg(held).arg(&place.id)).await;
            if let Err(error) = returned {
                self.returns.lock().unwrap_or_else(PoisonError::into_inner).push(place);
                return Err(error);
            }
        }
    }

    fn now_millis(&self) -> i64 {
        let since = self.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}
