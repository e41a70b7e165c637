//! Creates, lists and revokes keys in the shared store, and defines the record of a key.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};

use super::address::FleetAddress;
use super::link::Link;
use super::scripts::{GENERATION, RECORDS, REVOKED, Scripts, names_of};
use crate::access::api_key::KeyHash;
use crate::access::calendar::Month;
use crate::access::caller::{Caller, KeyId};
use crate::access::error::StoreError;
use crate::access::key_store::{CreatedKey, KeySummary};
use crate::clock::{Clock, Utc};

/// People have more time than requests.
const PATIENCE: Duration = Duration::from_secs(5);

/// A key as the shared store keeps it, as JSON. Never changes: that a key was revoked stands elsewhere.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    id: String,
    name: String,
    /// In hexadecimal digits.
    key_sha256: String,
    monthly_quota: Option<u64>,
    /// Unix microseconds of the store's clock, by which keys are listed.
    created_at: i64,
}

impl Record {
    /// Whose key it is, by the key's hash; `None` where the record is damaged.
    pub(super) fn caller(&self) -> Option<(KeyHash, Caller)> {
        let key_id = KeyId::from(self.id.as_str());
        let hash = KeyHash::from_hexadecimal(&self.key_sha256)?;
        Some((hash, Caller { key_id, monthly_quota: self.monthly_quota }))
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

/// The keys of a fleet and what they used, for those who administer them. Calls block for some round trips.
#[derive(Debug)]
pub struct FleetKeys {
    runtime: Runtime,
    link: Link,
    scripts: Scripts,
}

impl FleetKeys {
    /// The keys in the store at `address`; connects when they are asked for.
    ///
    /// # Errors
    /// The address is none that can be connected to, or the system gives no runtime.
    pub fn open(address: &FleetAddress, clock: Clock) -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Thread { source: error.into() })?;
        Ok(Self { runtime, link: Link::new(address, PATIENCE, clock)?, scripts: Scripts::new() })
    }

    /// Creates an active key. Only a hash of it is kept.
    ///
    /// # Errors
    /// As [`KeyStore::create`](crate::access::KeyStore::create).
    pub fn create(&self, name: &str, monthly_quota: Option<u64>) -> Result<CreatedKey, StoreError> {
        let created = CreatedKey::new(name, monthly_quota)?;
        let action = "store the new key";
        self.runtime.block_on(async {
            let record = Record {
                id: created.id.clone(),
                name: created.name.clone(),
                key_sha256: created.key.hash().to_hexadecimal(),
                monthly_quota,
                created_at: self.store_time(action).await?,
            };
            let record = serde_json::to_string(&record)
                .map_err(|error| StoreError::Away { action, reason: error.to_string().into() })?;
            let mut create = self.scripts.create_key.key(GENERATION);
            let _: i64 = self.link.invoke(action, create.key(RECORDS).arg(&created.id).arg(record)).await?;
            Ok(created)
        })
    }

    /// All keys, revoked ones included, oldest first.
    ///
    /// # Errors
    /// If the store does not answer.
    pub fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        let action = "list the keys";
        self.runtime.block_on(async {
            let records: HashMap<String, String> = self.link.send(action, redis::cmd("HGETALL").arg(RECORDS)).await?;
            let revoked: BTreeSet<String> = self.link.send(action, redis::cmd("SMEMBERS").arg(REVOKED)).await?;
            let now = Duration::from_micros(self.store_time(action).await?.unsigned_abs());
            let month = Month::containing(UNIX_EPOCH + now).number();
            let mut records: Vec<Record> =
                records.values().filter_map(|record| serde_json::from_str(record).ok()).collect();
            records.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
            let mut keys = Vec::with_capacity(records.len());
            for Record { id, name, monthly_quota, created_at, .. } in records {
                let used = redis::cmd("GET").arg(format!("{}used:{month}", names_of(&id))).to_owned();
                let used: Option<u64> = self.link.send(action, &used).await?;
                keys.push(KeySummary {
                    active: !revoked.contains(&id),
                    id,
                    name,
                    monthly_quota,
                    used_this_month: used.unwrap_or_default(),
                    created_at: Utc::from_unix_seconds(created_at / 1_000_000).to_string(),
                });
            }
            Ok(keys)
        })
    }

    /// Revokes the key `id` for good; running instances refuse it within a second.
    ///
    /// # Errors
    /// As [`KeyStore::revoke`](crate::access::KeyStore::revoke).
    pub fn revoke(&self, id: &str) -> Result<(), StoreError> {
        let mut revoke = self.scripts.revoke_key.key(GENERATION);
        let found: i64 =
            self.runtime.block_on(self.link.invoke("revoke the key", revoke.key(RECORDS).key(REVOKED).arg(id)))?;
        if found == 0 { Err(StoreError::UnknownId { id: id.to_owned() }) } else { Ok(()) }
    }

    /// The store's clock, Unix microseconds.
    async fn store_time(&self, action: &'static str) -> Result<i64, StoreError> {
        let (seconds, micros): (i64, i64) = self.link.send(action, &redis::cmd("TIME")).await?;
        Ok(seconds * 1_000_000 + micros)
    }
}
