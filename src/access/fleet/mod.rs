//! Keys, rate windows and quotas that a fleet of instances shares through Redis or Valkey.
//!
//! Input: a key, a client, an endpoint. Output: the same decisions as those of the local store, exact over all
//! instances:
//! - `link`: one connection, a bounded time for an answer, a circuit breaker.
//! - `scripts`: the operations, as atomic Lua scripts. The store's clock is the only one.
//! - `registry`: a copy of the active keys, at most half a second old. `keys` administers the keys.
//! - Rate windows and places in quotas are in the store. A place has a lease, so that it is released if its instance
//!   dies.
//! - `outbox` and `courier`: a charge is durable on the instance before its client is answered, and sent to the store
//!   after that. Each charge counts once. After an outage, or if the store lost its last second, charges are sent
//!   again.
//!
//! While the store is away, requests fail or each instance counts for itself, as [`WhenAway`] says. The module does not
//! log.

mod address;
mod breaker;
mod courier;
mod keys;
mod link;
mod outbox;
mod place;
mod registry;
mod scripts;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

pub use self::address::{FleetAddress, WhenAway};
use self::courier::Courier;
pub use self::keys::FleetKeys;
use self::link::Link;
pub(super) use self::outbox::FILE_NAME as OUTBOX;
use self::outbox::{Charge, Outbox};
pub(super) use self::place::FleetPlace;
use self::place::Held;
use self::registry::Registry;
use self::scripts::{Scripts, names_of};
use super::StoreStanding;
use super::api_key::ApiKey;
use super::calendar::Month;
use super::caller::{Caller, KeyId};
use super::database;
use super::error::{AuthError, QuotaError, StoreError};
use super::quota_ledger::lock_beside;
use super::rate_limiter::{LimitedEndpoint, RateDecision, RateLimiter, RateOutcome, WINDOW, whole_seconds_up};
use crate::clock::Clock;

/// How long a place is held without being charged or given back: longer than any request takes, and as long as the
/// server may be away before charges that wait for it can exceed a quota.
const LEASE: Duration = Duration::from_secs(300);

/// How long the end of an instance waits for the server to take the last charges.
const LAST_DELIVERY: Duration = Duration::from_secs(2);

/// How long the start of an instance waits for the server.
const FIRST_PATIENCE: Duration = Duration::from_secs(5);

/// Where the shared store is and how it is dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetOptions {
    /// Where it is.
    pub address: FleetAddress,
    /// Longest wait for a connection and for an answer, each.
    pub patience: Duration,
    /// What becomes of requests while it is away.
    pub when_away: WhenAway,
}

/// One instance's side of what a fleet shares. Dropped, it leaves what is in the outbox for the next start.
#[derive(Debug)]
pub struct FleetAccess {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    address: FleetAddress,
    /// Held, not read: the lock on it ends with the instance.
    _lock: fs::File,
}

/// What requests share with the courier.
#[derive(Debug)]
pub(super) struct Shared {
    link: Arc<Link>,
    scripts: Arc<Scripts>,
    registry: Registry,
    courier: Arc<Courier>,
    when_away: WhenAway,
    clock: Clock,
    /// Counts while the server does not.
    rates: RateLimiter,
    /// What keys with a quota used in which month, as last heard and as counted here since the server went away.
    used: DashMap<KeyId, (Month, u64)>,
}

impl FleetAccess {
    /// Connects to the server and opens the outbox in `data_dir`, creating both directory and outbox where they are
    /// missing. Tries for some seconds to reach the server.
    ///
    /// # Errors
    /// The server does not answer, the outbox cannot be opened, or another instance has this directory.
    pub fn open(options: FleetOptions, data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        let FleetOptions { address, patience, when_away } = options;
        database::create_data_dir(data_dir)?;
        let path = data_dir.join(outbox::FILE_NAME);
        let lock = lock_beside(&path)?;
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).max_blocking_threads(4).thread_name("longhand-fleet").enable_all();
        let runtime = runtime.build();
        let runtime = runtime.map_err(|error| StoreError::Thread { source: error.into() })?;
        let shared = Arc::new(Shared {
            link: Arc::new(Link::new(&address, patience, clock.clone())?),
            scripts: Arc::new(Scripts::new()),
            registry: Registry::new(clock.clone()),
            courier: Arc::new(Courier::new(Outbox::open(&path)?, clock.clone())),
            when_away,
            rates: RateLimiter::new(clock.clone()),
            used: DashMap::new(),
            clock,
        });
        runtime.block_on(shared.first_keys())?;
        let (link, scripts) = (Arc::clone(&shared.link), Arc::clone(&shared.scripts));
        runtime.spawn(Arc::clone(&shared.courier).run(link, scripts));
        Ok(Self { runtime: Some(runtime), shared, address, _lock: lock })
    }

    /// The owner of `key`.
    pub(super) async fn authenticate(&self, key: &ApiKey) -> Result<Caller, AuthError> {
        if let Some(caller) = self.shared.registry.find_fresh(key) {
            return Ok(caller);
        }
        let hash = key.hash();
        let find = async move |shared: Arc<Shared>| {
            shared.registry.find(&hash, &shared.link, &shared.scripts, shared.when_away).await
        };
        self.run(find).await?
    }

    /// Holds a place in this month's quota of the caller, who need not have one.
    pub(super) async fn reserve(&self, caller: &Caller) -> Result<FleetPlace, QuotaError> {
        let runtime = self.runtime.as_ref().ok_or(StoreError::Closed)?.handle().clone();
        let id = uuid::Uuid::new_v4().to_string();
        let month = Month::containing(self.shared.clock.now());
        let charge = Charge { id, key_id: caller.key_id.clone(), month: month.number() };
        let Some(limit) = caller.monthly_quota else {
            return Ok(FleetPlace::new(Arc::clone(&self.shared), runtime, charge, Held::Nowhere));
        };
        // The place is made where the answer comes, so that a caller who went away meanwhile gives it back.
        let reserve = async move |shared: Arc<Shared>| match shared.reserve(&charge, limit).await {
            Ok(month) => {
                Ok(FleetPlace::new(shared, runtime, Charge { month: month.number(), ..charge }, Held::ByServer))
            }
            Err(QuotaError::Store(error)) => {
                // Held all the same, if only the answer was lost.
                shared.courier.give_back(charge.clone());
                match shared.when_away {
                    WhenAway::FailClosed => Err(error.into()),
                    WhenAway::FailOpen => {
                        shared.reserve_alone(&charge.key_id, month, limit)?;
                        Ok(FleetPlace::new(shared, runtime, charge, Held::Here))
                    }
                }
            }
            Err(exhausted) => Err(exhausted),
        };
        self.run(reserve).await?
    }

    /// Counts a request of `key_id` to `endpoint` if the limit allows it.
    pub(super) async fn check_rate(
        &self,
        key_id: &KeyId,
        endpoint: LimitedEndpoint,
    ) -> Result<RateDecision, StoreError> {
        let key_id = key_id.clone();
        self.run(async move |shared| match shared.check_rate(&key_id, endpoint).await {
            Err(_) if shared.when_away == WhenAway::FailOpen => Ok(shared.rates.check(&key_id, endpoint)),
            decision => decision,
        })
        .await?
    }

    /// Whether charges can be kept, and, unless the instance goes on without it, whether the server answers. Blocks.
    pub(super) fn check_store(&self) -> Result<(), StoreError> {
        let runtime = self.runtime.as_ref().ok_or(StoreError::Closed)?;
        self.shared.courier.outbox.check_writable()?;
        let pinged = runtime.handle().block_on(self.shared.link.send::<String>("reach it", &redis::cmd("PING")));
        match self.shared.when_away {
            WhenAway::FailOpen => Ok(()),
            WhenAway::FailClosed => pinged.map(drop),
        }
    }

    /// Whether the server answers, as far as is known, and how many charges it may not have.
    pub(super) fn standing(&self) -> StoreStanding {
        let waiting_charges = self.shared.courier.outbox.depth().unwrap_or_default();
        StoreStanding { is_up: self.shared.link.is_up(), waiting_charges }
    }

    /// Creates, lists and revokes the keys of the fleet.
    pub(super) fn keys(&self) -> Result<FleetKeys, StoreError> {
        FleetKeys::open(&self.address, self.shared.clock.clone())
    }

    /// Takes the last charges to the server, for two seconds at most; what is left waits in the outbox.
    pub(super) fn shutdown(&self) {
        if let Some(runtime) = &self.runtime {
            let Shared { courier, link, scripts, .. } = &*self.shared;
            let delivery = async { timeout(LAST_DELIVERY, courier.deliver(link, scripts)).await };
            // Nothing is lost by a failure.
            let _ = runtime.block_on(delivery);
        }
    }

    /// Runs `work` where the connection lives; needs nothing of the caller's executor.
    async fn run<T: Send + 'static, F>(&self, work: impl FnOnce(Arc<Shared>) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let runtime = self.runtime.as_ref().ok_or(StoreError::Closed)?;
        runtime.spawn(work(Arc::clone(&self.shared))).await.map_err(|_| StoreError::Closed)
    }
}

impl Drop for FleetAccess {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // May happen where blocking is not allowed.
            runtime.shutdown_background();
        }
    }
}

impl Shared {
    /// Reads the keys for the first time: a fleet may start together with its store.
    async fn first_keys(&self) -> Result<(), StoreError> {
        let started = self.clock.monotonic();
        loop {
            match self.registry.refresh(&self.link, &self.scripts).await {
                Err(_) if self.clock.monotonic().duration_since(started) < FIRST_PATIENCE => {
                    tokio::time::sleep(FIRST_PATIENCE / 20).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// Holds a place in the server, and tells the month that it is of.
    async fn reserve(&self, charge: &Charge, limit: u64) -> Result<Month, QuotaError> {
        let mut reserve = self.scripts.reserve.key(names_of(charge.key_id.as_str()));
        let reserve = reserve.arg(&charge.id).arg(limit).arg(LEASE.as_micros() as u64);
        let (held, used, month, in_progress): (u8, u64, i64, u64) =
            self.link.invoke("read what was used this month", reserve).await?;
        let month = Month::numbered(month);
        if held == 0 {
            return Err(QuotaError::Exhausted { limit, used, in_progress, reset_at: month.next().start() });
        }
        if self.when_away == WhenAway::FailOpen {
            self.used.insert(charge.key_id.clone(), (month, used));
        }
        Ok(month)
    }

    /// Counts a place as this instance alone knows of them.
    fn reserve_alone(&self, key_id: &KeyId, month: Month, limit: u64) -> Result<(), QuotaError> {
        let mut known = self.used.entry(key_id.clone()).or_insert((month, 0));
        if known.0 != month {
            *known = (month, 0);
        }
        if known.1 >= limit {
            // How many of them are in progress is not known here.
            let (used, reset_at) = (known.1, month.next().start());
            return Err(QuotaError::Exhausted { limit, used, in_progress: 0, reset_at });
        }
        known.1 += 1;
        Ok(())
    }

    async fn check_rate(&self, key_id: &KeyId, endpoint: LimitedEndpoint) -> Result<RateDecision, StoreError> {
        let limit = endpoint.limit();
        let window = format!("{}rate{}", names_of(key_id.as_str()), endpoint.path_tail());
        let mut check = self.scripts.rate.key(window);
        let check = check.arg(limit).arg(WINDOW.as_micros() as u64);
        let (counted, remaining, leaves_in, reset_unix_seconds): (u8, u32, u64, u64) =
            self.link.invoke("count the request", check).await?;
        let outcome = if counted == 1 {
            RateOutcome::Allowed
        } else {
            RateOutcome::Refused { retry_after_seconds: whole_seconds_up(Duration::from_micros(leaves_in)).max(1) }
        };
        Ok(RateDecision { limit, remaining, reset_unix_seconds, outcome })
    }
}
