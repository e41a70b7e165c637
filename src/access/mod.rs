//! Access control: API keys, rate limits and monthly quotas.
//!
//! Input: a client's key and the endpoint. Output: a [`Client`], a [`Reservation`], a [`RateDecision`]. For `/generate`
//! the checks run in this order:
//! 1. [`ApiKey::parse`]: is the key well-formed? Needs no store.
//! 2. [`Access::authenticate`]: who owns the key, and is it active? (`key_cache`)
//! 3. [`Access::reserve`]: is there a request left in this month's quota? The request is reserved while it is
//!    processed, charged durably when the answer is ready (`charge_queue`), and released if there is none.
//! 4. [`Access::check_rate`]: is the client below its limit in the last 60 seconds?
//!
//! [`Access`] runs one algorithm over the trait `Store` (`store`), which has two implementations. `sqlite_store`, for a
//! single server: keys and charges are in one `SQLite` file of the data directory; reservations and rate windows are in
//! memory. `redis_store`, for a fleet: everything is in Redis or Valkey. [`Keys`] creates, lists, changes and revokes
//! keys in either, from any process, while servers run. A request with an idempotency key is carried out once
//! (`idempotency`).
//!
//! The module knows nothing of HTTP or rendering. It does not log: it returns every failure.

mod api_key;
mod begun;
mod calendar;
mod charge_queue;
mod charge_tally;
mod client;
mod data_dir;
mod database;
mod error;
mod idempotency;
mod key_cache;
mod key_info;
mod keys;
mod quota_counter;
mod rate_limiter;
mod rate_limits;
mod redis_store;
mod reservation;
mod signature;
mod sqlite_store;
mod store;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use api_key::KeyHash;
pub use api_key::{ApiKey, InvalidKeyFormat};
pub use begun::Begun;
pub use calendar::Month;
use charge_queue::ChargeQueue;
pub use charge_tally::Charges;
pub use client::{Client, KeyId};
pub(crate) use data_dir::create as create_data_dir;
use data_dir::{OUTBOX_FILE, STORE_FILE};
pub(crate) use database::{Formats, connect_as as connect_database};
pub use error::{AuthError, QuotaError, StoreError};
use idempotency::{Attempted, Known};
pub use idempotency::{Fingerprint, IdempotencyKey, LONGEST_IDEMPOTENCY_KEY};
use key_cache::KeyCache;
pub use key_info::{CreatedKey, KeySettings, KeySummary, KeyUse, UsageReport};
pub use keys::Keys;
pub use rate_limiter::{RateDecision, RateLimiter, RateOutcome};
pub use rate_limits::{HIGHEST_RATE, LimitedEndpoint, RateLimits};
use redis_store::RedisStore;
pub use redis_store::{FleetAddress, FleetOptions, OutagePolicy};
pub(crate) use redis_store::{RedisClient, store_script};
pub use reservation::Reservation;
pub use signature::SIGNATURE_LENGTH;
use sqlite_store::SqliteStore;
pub use store::{Attempt, StoreStatus, Usage};
use store::{CountedIn, HeldSlot, Slot, Store};
use tokio::time::sleep;

use crate::clock::Clock;

/// How long an instance that starts waits for the shared store.
const START_TIMEOUT: Duration = Duration::from_secs(5);
/// The same under [`OutagePolicy::FailOpen`]: the instance starts without the store.
const FAIL_OPEN_START_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause between two attempts to reach the shared store at the start.
const START_PAUSE: Duration = Duration::from_millis(250);

/// Authenticates clients, and enforces quotas and rate limits, over either store.
///
/// There is one per data directory: a second one is refused with [`StoreError::InUse`], because two could not both
/// count exactly. Quotas and rate windows are exact under any concurrency, within a server or over a fleet.
#[derive(Debug)]
pub struct Access {
    shared: Arc<Shared>,
    /// The limits of keys that have none of their own.
    rate_limits: RateLimits,
    /// Held, not read: the lock on it ends with the process or with this.
    _lock: File,
}

/// The part that operations in progress keep alive.
#[derive(Debug)]
struct Shared {
    store: Arc<dyn Store>,
    keys: KeyCache,
    charges: Arc<ChargeQueue>,
    outage_policy: OutagePolicy,
    clock: Clock,
}

impl Access {
    /// Access to a single server, with the store in `data_dir`. Creates the directory and the store if they do not
    /// exist.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another server uses this directory; or the store cannot be created, opened or read.
    pub fn open_local(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        let store = Arc::new(SqliteStore::open_in(data_dir, clock.clone())?);
        let lock = data_dir::lock_beside(&data_dir.join(STORE_FILE))?;
        Self::over(store, lock, OutagePolicy::FailClosed, clock)
    }

    /// Access to one instance of a fleet. Charges that the shared store has not received wait in `data_dir`, which is
    /// created if it does not exist. Tries for five seconds to reach the shared store, and blocks meanwhile. Under
    /// [`OutagePolicy::FailOpen`] it tries for one second, and opens without the store; [`unread_keys`](Self::unread_keys)
    /// says so.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another instance uses this directory; [`StoreError::Away`] if the shared store does not
    /// answer, except under [`OutagePolicy::FailOpen`]; or the directory or its files cannot be created or opened.
    pub fn open_fleet(options: &FleetOptions, data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        data_dir::create(data_dir)?;
        let outbox = data_dir.join(OUTBOX_FILE);
        let lock = data_dir::lock_beside(&outbox)?;
        let store = Arc::new(RedisStore::open(options, &outbox, clock.clone())?);
        let access = Self::over(Arc::clone(&store) as _, lock, options.outage_policy, clock)?;
        match store.block_on(access.shared.read_first_keys()) {
            Err(StoreError::Away { .. }) if options.outage_policy == OutagePolicy::FailOpen => {}
            outcome => outcome?,
        }
        Ok(access)
    }

    /// The same access with limits of the operator, for keys that have none of their own.
    #[must_use]
    pub fn with_rate_limits(mut self, rate_limits: RateLimits) -> Self {
        self.rate_limits = rate_limits;
        self
    }

    /// Why the keys were never read; `None` if they were. Until then no key is known.
    #[must_use]
    pub fn unread_keys(&self) -> Option<StoreError> {
        self.shared.keys.first_failure()
    }

    fn over(store: Arc<dyn Store>, lock: File, outage_policy: OutagePolicy, clock: Clock) -> Result<Self, StoreError> {
        let charges = Arc::new(ChargeQueue::start(Arc::clone(&store))?);
        let keys = KeyCache::new(clock.clone());
        let shared = Arc::new(Shared { store, keys, charges, outage_policy, clock });
        Ok(Self { shared, rate_limits: RateLimits::default(), _lock: lock })
    }

    /// The owner of `key`.
    ///
    /// Takes about a microsecond; every half second, and for unknown keys, a request to the store.
    ///
    /// # Errors
    /// [`AuthError::Unknown`] for a key that was never created or is revoked; [`AuthError::Store`] if the store cannot
    /// be read, except for known keys under [`OutagePolicy::FailOpen`].
    pub async fn authenticate(&self, key: &ApiKey) -> Result<Client, AuthError> {
        let (keys, hash) = (&self.shared.keys, key.hash());
        if let Some(client) = keys.find_fresh(&hash) {
            return Ok(client);
        }
        let refreshed = self.run(async move |shared| shared.keys.refresh(&*shared.store).await).await?;
        match (refreshed, keys.find(&hash)) {
            (Ok(()), client) => client.ok_or(AuthError::Unknown),
            (Err(_), Some(client)) if self.shared.outage_policy == OutagePolicy::FailOpen => Ok(client),
            (Err(error), _) => Err(error.into()),
        }
    }

    /// The owner of the active key with this identifier, for work that goes on after a request.
    ///
    /// # Errors
    /// As [`authenticate`](Self::authenticate).
    pub async fn client(&self, key_id: &KeyId) -> Result<Client, AuthError> {
        self.active_key(key_id).await.map(|(_, client)| client)
    }

    /// The active key with this identifier: its hash and its owner.
    async fn active_key(&self, key_id: &KeyId) -> Result<(KeyHash, Client), AuthError> {
        let keys = &self.shared.keys;
        if let Some(key) = keys.find_fresh_by_id(key_id) {
            return Ok(key);
        }
        let refreshed = self.run(async move |shared| shared.keys.refresh(&*shared.store).await).await?;
        refreshed?;
        // The copy counts from when the store was asked, and an answer may take longer than a copy stays fresh.
        keys.find_by_id(key_id).ok_or(AuthError::Unknown)
    }

    /// Forgets what was kept of the rows of a job that is deleted. Blocks for a commit.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn forget_rows(&self, key_id: &KeyId, job: &str) -> Result<(), StoreError> {
        self.shared.store.forget_rows(key_id, job)
    }

    /// Reserves one request in this month's quota of `client`. Clients without a quota are never refused.
    ///
    /// # Errors
    /// For clients with a quota: [`QuotaError::Exhausted`] if no request is left; [`QuotaError::Store`] if the usage
    /// cannot be read, or the store accepts no charges at present.
    pub async fn reserve(&self, client: &Client) -> Result<Reservation, QuotaError> {
        let (key_id, name) = (client.key_id.clone(), Arc::clone(&client.name));
        let Some(limit) = client.monthly_quota else {
            let month = Month::containing(self.shared.clock.timestamp());
            return Ok(self.shared.reservation(Slot::new(&key_id, month, CountedIn::Nothing), name));
        };
        if let Some(failure) = self.shared.charges.failure() {
            return Err(failure.into());
        }
        // The reservation is made where the store answers. If the client is gone by then, it is dropped and so
        // released.
        let reserve = async move |shared: Arc<Shared>| {
            let slot = shared.store.reserve(&key_id, limit).await?;
            Ok(shared.reservation(slot, name))
        };
        self.run(reserve).await?
    }

    /// Usage of `client` in this month.
    ///
    /// # Errors
    /// The usage cannot be read.
    pub async fn usage(&self, client: &Client) -> Result<Usage, StoreError> {
        let client = client.clone();
        self.run(async move |shared| shared.store.usage(&client).await).await?
    }

    /// The limits of `client`, for all endpoints.
    #[must_use]
    pub fn rate_limits(&self, client: &Client) -> RateLimits {
        client.rate_limits.or(self.rate_limits).or(RateLimits::of_contract())
    }

    /// Counts a request of `client` to `endpoint` if its rate limit allows it.
    ///
    /// # Errors
    /// [`StoreError::Away`] if the shared store does not answer, except under [`OutagePolicy::FailOpen`].
    pub async fn check_rate(&self, client: &Client, endpoint: LimitedEndpoint) -> Result<RateDecision, StoreError> {
        let (key_id, limit) = (client.key_id.clone(), self.rate_limits(client).of(endpoint));
        self.run(async move |shared| shared.store.check_rate(&key_id, endpoint, limit).await).await?
    }

    /// Whether a request of `client` with this idempotency key is in progress or done, so that nothing needs to be
    /// reserved for it.
    ///
    /// # Errors
    /// The store cannot be read. Without it no request can be told from its repetition, whatever the outage policy.
    pub async fn knows_attempt(&self, client: &Client, key: &IdempotencyKey) -> Result<bool, StoreError> {
        // The name alone matters.
        let attempted = Attempted::new(client.key_id.clone(), key.clone(), Fingerprint::of("", &[]));
        self.run(async move |shared| shared.store.knows_attempt(&attempted).await).await?
    }

    /// Begins a request of `client` with this idempotency key, or says what became of an earlier one.
    ///
    /// # Errors
    /// As [`knows_attempt`](Self::knows_attempt).
    pub async fn begin(
        &self,
        client: &Client,
        key: IdempotencyKey,
        fingerprint: Fingerprint,
    ) -> Result<Begun, StoreError> {
        let attempted = Attempted::new(client.key_id.clone(), key, fingerprint);
        // The attempt is made where the store answers. If the client is gone by then, it is dropped and so ended.
        let begin = async move |shared: Arc<Shared>| {
            let known = shared.store.begin(&attempted).await?;
            Ok(match known {
                Known::Nothing => Begun::First(Attempt { attempted, store: Arc::clone(&shared.store), is_done: false }),
                Known::Done(answer) => Begun::Done(answer),
                Known::InProgress => Begun::InProgress,
                Known::OtherRequest => Begun::OtherRequest,
            })
        };
        self.run(begin).await?
    }

    /// The keys of the store, for administration.
    #[must_use]
    pub fn keys(&self) -> Keys {
        Keys(Arc::clone(&self.shared.store))
    }

    /// What was charged since the start.
    #[must_use]
    pub fn charges(&self) -> Charges {
        self.shared.charges.tally.charges()
    }

    /// The state of the store, as far as it is known without a request to it.
    #[must_use]
    pub fn status(&self) -> StoreStatus {
        let status = self.shared.store.status();
        StoreStatus { is_up: status.is_up && self.shared.charges.failure().is_none(), ..status }
    }

    /// Tests whether the store can be read and written. Changes nothing in it. Reads the keys of a shared store that
    /// was away at the start. Blocks for up to five seconds: do not call it on a tokio worker.
    ///
    /// # Errors
    /// The reason, such as a full disk; [`StoreError::Closed`] after [`shutdown`](Self::shutdown).
    pub fn check_store(&self) -> Result<(), StoreError> {
        if self.shared.charges.is_closed() {
            return Err(StoreError::Closed);
        }
        self.shared.store.check()?;
        match self.shared.store.runtime() {
            // Without keys an instance accepts no request.
            Some(runtime) if !self.shared.keys.was_read() => {
                runtime.block_on(self.shared.keys.refresh(&*self.shared.store))
            }
            _ => Ok(()),
        }
    }

    /// Makes the waiting charges durable and accepts no more: a later [`Reservation::charge`] fails with
    /// [`StoreError::Closed`]. In a fleet, sends charges to the shared store. Blocks for some seconds at most.
    pub fn shutdown(&self) {
        self.shared.charges.close();
        self.shared.store.shutdown();
    }

    /// Runs `work` on the store's runtime, if it has one, and otherwise on the current executor.
    async fn run<T: Send + 'static, F>(&self, work: impl FnOnce(Arc<Shared>) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let work = work(Arc::clone(&self.shared));
        match self.shared.store.runtime() {
            Some(runtime) => runtime.spawn(work).await.map_err(|_| StoreError::Closed),
            None => Ok(work.await),
        }
    }
}

impl Drop for Access {
    /// Reservations may outlive this; their charges fail.
    fn drop(&mut self) {
        self.shared.charges.close();
    }
}

impl Shared {
    /// Reads the keys for the first time. Waits for the shared store: a fleet may start together with it.
    async fn read_first_keys(&self) -> Result<(), StoreError> {
        let started = self.clock.monotonic();
        let patience = match self.outage_policy {
            OutagePolicy::FailClosed => START_TIMEOUT,
            OutagePolicy::FailOpen => FAIL_OPEN_START_TIMEOUT,
        };
        loop {
            match self.keys.refresh(&*self.store).await {
                Err(_) if self.clock.monotonic().duration_since(started) < patience => sleep(START_PAUSE).await,
                outcome => return outcome,
            }
        }
    }

    fn reservation(&self, slot: Slot, key_name: Arc<str>) -> Reservation {
        let held = HeldSlot { slot, key_name, store: Arc::clone(&self.store), is_charged: false, attempt: None };
        Reservation { held, charges: Arc::clone(&self.charges) }
    }
}

#[cfg(test)]
mod tests;
