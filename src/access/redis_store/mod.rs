//! The store that a fleet of instances shares: Redis or Valkey.
//!
//! Input and output are those of [`Store`], exact over all instances:
//! - `client`: one connection, timeouts, a circuit breaker (`breaker`). `address`: the configured address.
//! - `scripts`: the operations, as atomic Lua scripts. The store's clock is the only one. `keys`: the records of keys.
//! - Rate windows and reserved slots are in the shared store. A slot has a lease, so that it is released if its
//!   instance dies.
//! - `attempts`: requests with an idempotency key.
//! - `outbox` and `forwarder`: a charge is durable on the instance's disk before its client is answered, and sent to
//!   the shared store after that. Each charge counts once. After an outage, or if the store lost its last second,
//!   charges are sent again.
//!
//! While the shared store is away, operations fail or this instance counts in its own memory, as [`OutagePolicy`] says.
//! The module does not log.

mod address;
mod attempts;
mod breaker;
mod client;
mod forwarder;
mod keys;
mod outbox;
mod scripts;

use std::ops::RangeInclusive;
use std::path::Path;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;

pub use self::address::{FleetAddress, OutagePolicy};
pub(crate) use self::client::RedisClient;
use self::forwarder::ChargeForwarder;
pub(crate) use self::scripts::script as store_script;
use self::scripts::{RATE, RESERVE, names_of, rate_name};
use super::calendar::Month;
use super::client::{Client, KeyId};
use super::error::{QuotaError, StoreError};
use super::idempotency::{Attempted, Done, Known};
use super::key_info::{CreatedKey, KeySummary};
use super::quota_counter::QuotaCounter;
use super::rate_limiter::{RateDecision, RateLimiter, RateOutcome, WINDOW};
use super::rate_limits::LimitedEndpoint;
use super::store::{Answer, ChargeError, CountedIn, KeyChange, KeysRead, Slot, Store, StoreStatus, Usage};
use crate::clock::Clock;

/// How long a slot is reserved without being charged or released: longer than any request takes. After an outage of
/// this length, charges that wait for the store can exceed a quota.
const LEASE: Duration = Duration::from_secs(300);

/// Timeout of administration, for a connection and for an answer.
const ADMIN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long an instance that ends tries to send its last charges.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// The address of a shared store and how it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetOptions {
    /// Its address.
    pub address: FleetAddress,
    /// Timeout for a connection, and for an answer.
    pub timeout: Duration,
    /// What happens to requests while it is away.
    pub outage_policy: OutagePolicy,
}

/// One instance's side of the shared store. When it is dropped, charges that wait stay in the outbox for the next
/// start.
#[derive(Debug)]
pub(super) struct RedisStore {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    client: Arc<RedisClient>,
    /// A client with a longer timeout, which connects at its first request.
    admin_client: RedisClient,
    /// `None` in a store for administration, which charges nothing.
    forwarder: Option<Arc<ChargeForwarder>>,
    outage_policy: OutagePolicy,
    clock: Clock,
    /// Used instead of the shared store while it is away, starting from the usage last read there.
    quotas: QuotaCounter,
    rates: RateLimiter,
}

impl RedisStore {
    /// A store to administer keys. Connects at the first call.
    ///
    /// # Errors
    /// The address cannot be used, or the system starts no thread.
    pub(super) fn for_administration(address: &FleetAddress, clock: Clock) -> Result<Self, StoreError> {
        let address = address.clone();
        Self::new(&FleetOptions { address, timeout: ADMIN_TIMEOUT, outage_policy: OutagePolicy::FailClosed }, clock)
    }

    /// A store to serve requests, with its outbox at `outbox`.
    ///
    /// # Errors
    /// As [`for_administration`](Self::for_administration), or the outbox cannot be opened.
    pub(super) fn open(options: &FleetOptions, outbox: &Path, clock: Clock) -> Result<Self, StoreError> {
        let mut store = Self::new(options, clock.clone())?;
        let forwarder = Arc::new(ChargeForwarder::open(outbox, Arc::clone(&store.client), clock)?);
        store.handle.spawn(Arc::clone(&forwarder).run());
        store.forwarder = Some(forwarder);
        Ok(store)
    }

    fn new(options: &FleetOptions, clock: Clock) -> Result<Self, StoreError> {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).max_blocking_threads(4).thread_name("longhand-fleet").enable_all();
        let runtime = runtime.build().map_err(|error| StoreError::Thread { source: error.into() })?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
            client: Arc::new(RedisClient::new(&options.address, options.timeout, clock.clone())?),
            admin_client: RedisClient::new(&options.address, ADMIN_TIMEOUT, clock.clone())?,
            forwarder: None,
            outage_policy: options.outage_policy,
            quotas: QuotaCounter::default(),
            rates: RateLimiter::new(clock.clone()),
            clock,
        })
    }

    /// Runs `work` on the store's runtime. Blocks.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.handle.block_on(work)
    }

    /// Reserves `slot` in the month of the store's clock.
    async fn reserve_in_shared_store(&self, slot: &mut Slot, limit: u64) -> Result<(), QuotaError> {
        let mut script = RESERVE.key(names_of(slot.key_id.as_str()));
        let script = script.arg(&slot.id).arg(limit).arg(LEASE.as_micros() as u64);
        let (is_reserved, used, month, in_progress): (u8, u64, i64, u64) =
            self.client.invoke("read what was used this month", script).await?;
        slot.month = Month(month);
        if is_reserved == 0 {
            return Err(QuotaError::Exhausted { limit, used, in_progress, reset_at: slot.month.next().start() });
        }
        if self.outage_policy == OutagePolicy::FailOpen {
            self.quotas.learn(&slot.key_id, slot.month, used);
        }
        Ok(())
    }

    async fn check_shared_rate(
        &self,
        key_id: &KeyId,
        endpoint: LimitedEndpoint,
        limit: u32,
    ) -> Result<RateDecision, StoreError> {
        let mut script = RATE.key(rate_name(key_id.as_str(), endpoint));
        let script = script.arg(limit).arg(WINDOW.as_micros() as u64);
        let (is_counted, remaining, free_in, reset_unix_seconds): (u8, u32, u64, u64) =
            self.client.invoke("count the request", script).await?;
        let outcome = RateOutcome::of(is_counted == 1, Duration::from_micros(free_in));
        Ok(RateDecision { limit, remaining, reset_unix_seconds, outcome })
    }

    fn ping(&self) -> Result<(), StoreError> {
        self.block_on(self.client.send::<String>("reach it", &redis::cmd("PING"))).map(drop)
    }

    /// Charges without the outbox, slot by slot.
    fn charge_in_shared_store(&self, slots: &[&Slot]) -> Result<(), ChargeError> {
        if slots.is_empty() {
            return self.ping().map_err(|cause| ChargeError { cause, charged: Vec::new() });
        }
        let charge = |slot: &&Slot| self.block_on(forwarder::charge(&self.client, slice::from_ref(*slot)));
        let outcomes: Vec<_> = slots.iter().map(charge).collect();
        let charged = outcomes.iter().map(Result::is_ok).collect();
        let failure = outcomes.into_iter().find_map(Result::err);
        failure.map_or(Ok(()), |cause| Err(ChargeError { cause, charged }))
    }
}

impl Store for RedisStore {
    fn keys(&self, known: i64) -> Answer<'_, KeysRead> {
        Box::pin(keys::read(&self.client, known))
    }

    fn create(&self, created: &CreatedKey) -> Result<(), StoreError> {
        self.block_on(keys::create(&self.admin_client, created))
    }

    fn months(&self) -> Result<RangeInclusive<Month>, StoreError> {
        self.block_on(keys::months(&self.admin_client))
    }

    fn list(&self, month: Month) -> Result<Vec<KeySummary>, StoreError> {
        self.block_on(keys::list(&self.admin_client, month))
    }

    fn change(&self, id: &str, change: KeyChange) -> Result<bool, StoreError> {
        self.block_on(keys::change(&self.admin_client, id, change))
    }

    fn usage<'a>(&'a self, client: &'a Client) -> Answer<'a, Usage> {
        Box::pin(keys::usage(&self.client, client.key_id.as_str()))
    }

    fn reserve<'a>(&'a self, key_id: &'a KeyId, limit: u64) -> Answer<'a, Slot, QuotaError> {
        Box::pin(async move {
            let mut slot = Slot::new(key_id, Month::containing(self.clock.timestamp()), CountedIn::SharedStore);
            match self.reserve_in_shared_store(&mut slot, limit).await {
                Err(QuotaError::Store(error)) => {
                    // The shared store counts the slot if only its answer was lost.
                    self.settle(&slot, false);
                    if self.outage_policy == OutagePolicy::FailClosed {
                        return Err(error.into());
                    }
                    self.quotas.reserve(key_id, slot.month, limit, || Ok(0))?;
                    Ok(Slot { counted_in: CountedIn::Memory, ..slot })
                }
                outcome => outcome.map(|()| slot),
            }
        })
    }

    fn settle(&self, slot: &Slot, is_charged: bool) {
        match (slot.counted_in, &self.forwarder) {
            (CountedIn::Memory, _) => self.quotas.settle(slot, is_charged),
            (CountedIn::SharedStore, Some(forwarder)) if !is_charged => forwarder.release(slot.clone()),
            _ => {}
        }
    }

    /// Writes the charges to the outbox. If it accepts none, they go to the shared store at once.
    fn charge(&self, slots: &[&Slot]) -> Result<(), ChargeError> {
        let Some(forwarder) = &self.forwarder else { return self.charge_in_shared_store(slots) };
        if slots.is_empty() && forwarder.outbox.check_writable().is_ok() {
            return Ok(());
        }
        if slots.is_empty() || forwarder.outbox.write(slots).is_err() {
            return self.charge_in_shared_store(slots);
        }
        forwarder.wake();
        Ok(())
    }

    fn check_rate<'a>(&'a self, key_id: &'a KeyId, endpoint: LimitedEndpoint, limit: u32) -> Answer<'a, RateDecision> {
        Box::pin(async move {
            match self.check_shared_rate(key_id, endpoint, limit).await {
                Err(_) if self.outage_policy == OutagePolicy::FailOpen => Ok(self.rates.check(key_id, endpoint, limit)),
                decision => decision,
            }
        })
    }

    fn knows_attempt<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, bool> {
        Box::pin(attempts::is_known(&self.client, attempted))
    }

    fn begin<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, Known> {
        Box::pin(attempts::begin(&self.client, attempted))
    }

    /// The charge of a request that is done takes its answer to the shared store.
    fn end_attempt(&self, attempted: &Attempted, is_done: bool) {
        let (client, attempted) = (Arc::clone(&self.client), attempted.clone());
        if !is_done {
            // If the store is away, the lease ends it.
            self.handle.spawn(async move { attempts::end(&client, &attempted).await });
        }
    }

    fn keep_answer(&self, done: &Done) -> Result<(), StoreError> {
        self.block_on(attempts::keep(&self.client, done))
    }

    /// Their bits are few, and are forgotten when their time is over: another instance may still have a charge to tell.
    fn forget_rows(&self, _key_id: &KeyId, _job: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// Tests whether the outbox can be written and, under [`OutagePolicy::FailClosed`], whether the shared store
    /// answers.
    fn check(&self) -> Result<(), StoreError> {
        if let Some(forwarder) = &self.forwarder {
            forwarder.outbox.check_writable()?;
        }
        let answer = self.ping();
        if self.outage_policy == OutagePolicy::FailOpen { Ok(()) } else { answer }
    }

    fn status(&self) -> StoreStatus {
        let depth = self.forwarder.as_ref().map(|forwarder| forwarder.outbox.depth().unwrap_or_default());
        StoreStatus { is_up: self.client.is_up(), waiting_charges: depth.unwrap_or_default() }
    }

    fn runtime(&self) -> Option<&Handle> {
        Some(&self.handle)
    }

    /// Sends the last charges, for two seconds at most. The rest waits in the outbox.
    fn shutdown(&self) {
        if let Some(forwarder) = &self.forwarder {
            let delivery = async { timeout(SHUTDOWN_TIMEOUT, forwarder.deliver()).await };
            // A failure loses nothing.
            let _ = self.block_on(delivery);
        }
    }
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The thread that drops the store may be one that must not block.
            runtime.shutdown_background();
        }
    }
}
