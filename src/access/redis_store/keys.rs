//! The keys in the shared store: the format of a record, and the commands that read and change them.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::client::{RedisClient, away};
use super::scripts::{CREATE_KEY, GENERATION, KEYS, RECORDS, REPLACE_KEY, REVOKE_KEY, REVOKED, USAGE, names_of};
use crate::access::api_key::KeyHash;
use crate::access::calendar::Month;
use crate::access::client::{Client, KeyId};
use crate::access::error::StoreError;
use crate::access::key_info::{CreatedKey, KeySettings, KeySummary};
use crate::access::rate_limits::RateLimits;
use crate::access::store::{KeyChange, KeysRead, Usage};
use crate::clock::Timestamp;

/// How often a change begins again.
const MOST_TRIES: u32 = 10;

/// A key as the shared store keeps it, in JSON. Revocations are kept in a set of their own.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    id: String,
    name: String,
    /// In hexadecimal digits.
    key_sha256: String,
    monthly_quota: Option<u64>,
    /// Absent in records of older versions.
    #[serde(default, skip_serializing_if = "RateLimits::is_unset")]
    rate_limits: RateLimits,
    /// Unix microseconds of the store's clock. Lists are ordered by it.
    created_at: i64,
}

/// Reads the active keys if they changed since generation `known`. Damaged records are skipped.
pub(super) async fn read(client: &RedisClient, known: i64) -> Result<KeysRead, StoreError> {
    let mut script = KEYS.key(GENERATION);
    let script = script.key(RECORDS).key(REVOKED).arg(known);
    let (generation, is_changed, records, revoked): (i64, u8, Vec<String>, BTreeSet<String>) =
        client.invoke("read the keys", script).await?;
    let active = |record: &String| {
        let Record { id, name, key_sha256, monthly_quota, rate_limits, .. } = serde_json::from_str(record).ok()?;
        let hash = KeyHash::from_hexadecimal(&key_sha256).filter(|_| !revoked.contains(&id))?;
        Some((hash, Client { key_id: KeyId::from(id.as_str()), name: name.into(), monthly_quota, rate_limits }))
    };
    let keys = (is_changed != 0).then(|| records.iter().filter_map(active).collect());
    Ok(KeysRead { generation, keys })
}

pub(super) async fn create(client: &RedisClient, created: &CreatedKey) -> Result<(), StoreError> {
    let action = "store the new key";
    let record = Record {
        id: created.id.clone(),
        name: created.name.clone(),
        key_sha256: created.key.hash().to_hexadecimal(),
        monthly_quota: created.monthly_quota,
        rate_limits: created.rate_limits,
        created_at: store_time(client, action).await?,
    };
    let record = serde_json::to_string(&record).map_err(|error| away(action, error.to_string()))?;
    let mut script = CREATE_KEY.key(GENERATION);
    client.invoke::<i64>(action, script.key(RECORDS).arg(&created.id).arg(record)).await.map(drop)
}

/// Changes the key `id`. False if there is none to change.
pub(super) async fn change(client: &RedisClient, id: &str, change: KeyChange) -> Result<bool, StoreError> {
    match change {
        KeyChange::Revoked => {
            let mut script = REVOKE_KEY.key(GENERATION);
            let found: i64 = client.invoke("revoke the key", script.key(RECORDS).key(REVOKED).arg(id)).await?;
            Ok(found != 0)
        }
        KeyChange::Settings(KeySettings { monthly_quota, rate_limits }) => {
            let set = |record: &mut Record| {
                record.monthly_quota = monthly_quota.unwrap_or(record.monthly_quota);
                record.rate_limits = rate_limits.unwrap_or(record.rate_limits);
            };
            edit(client, id, set).await
        }
        KeyChange::Secret(hash) => edit(client, id, |record| record.key_sha256 = hash.to_hexadecimal()).await,
    }
}

/// Changes the record of an active key. Begins again if somebody else changes it meanwhile.
async fn edit(client: &RedisClient, id: &str, edit: impl Fn(&mut Record)) -> Result<bool, StoreError> {
    let action = "change the key";
    let damaged = |error: serde_json::Error| away(action, error.to_string());
    for _ in 0..MOST_TRIES {
        let is_revoked: bool = client.send(action, redis::cmd("SISMEMBER").arg(REVOKED).arg(id)).await?;
        let known: Option<String> = client.send(action, redis::cmd("HGET").arg(RECORDS).arg(id)).await?;
        let Some(known) = known.filter(|_| !is_revoked) else { return Ok(false) };
        let mut record = serde_json::from_str(&known).map_err(damaged)?;
        edit(&mut record);
        let record = serde_json::to_string(&record).map_err(damaged)?;
        let mut script = REPLACE_KEY.key(GENERATION);
        let script = script.key(RECORDS).key(REVOKED).arg(id).arg(known).arg(record);
        if client.invoke::<i64>(action, script).await? != 0 {
            return Ok(true);
        }
    }
    Err(away(action, "others change it all the time"))
}

/// Usage of the key `id` in the month of the store's clock.
pub(super) async fn usage(client: &RedisClient, id: &str) -> Result<Usage, StoreError> {
    let (used, month): (u64, i64) = client.invoke("read what was used this month", &USAGE.key(names_of(id))).await?;
    Ok(Usage { used, reset_at: Month(month).next().start() })
}

/// The months whose use is kept: the present one of the store's clock, and a year before it. `charge.lua` keeps a month
/// for 400 days after its last charge, which may be on its first day.
pub(super) async fn months(client: &RedisClient) -> Result<RangeInclusive<Month>, StoreError> {
    let present = Month::containing(timestamp(store_time(client, "read the time").await?));
    Ok(present.a_year_before()..=present)
}

/// All keys, oldest first, with what they used in `month`.
pub(super) async fn list(client: &RedisClient, month: Month) -> Result<Vec<KeySummary>, StoreError> {
    let action = "list the keys";
    let records: HashMap<String, String> = client.send(action, redis::cmd("HGETALL").arg(RECORDS)).await?;
    let revoked: BTreeSet<String> = client.send(action, redis::cmd("SMEMBERS").arg(REVOKED)).await?;
    let mut records: Vec<Record> = records.values().filter_map(|record| serde_json::from_str(record).ok()).collect();
    records.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
    let mut keys = Vec::with_capacity(records.len());
    for Record { id, name, monthly_quota, rate_limits, created_at, .. } in records {
        let used = redis::cmd("GET").arg(format!("{}used:{}", names_of(&id), month.0)).to_owned();
        let used: Option<u64> = client.send(action, &used).await?;
        keys.push(KeySummary {
            active: !revoked.contains(&id),
            id,
            name,
            monthly_quota,
            rate_limits,
            used_this_month: used.unwrap_or_default(),
            created_at: timestamp(created_at).to_string(),
        });
    }
    Ok(keys)
}

/// The time of the store's clock, in Unix microseconds.
async fn store_time(client: &RedisClient, action: &'static str) -> Result<i64, StoreError> {
    let (seconds, micros): (i64, i64) = client.send(action, &redis::cmd("TIME")).await?;
    Ok(seconds * 1_000_000 + micros)
}

/// `micros` in Unix microseconds, to the second.
fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_second(micros / 1_000_000).unwrap_or_default()
}
