//! An instance's copy of the shared keys, at most half a second old.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::address::WhenAway;
use super::keys::Record;
use super::link::Link;
use super::scripts::{GENERATION, RECORDS, REVOKED, Scripts};
use crate::access::api_key::{ApiKey, KeyHash};
use crate::access::caller::Caller;
use crate::access::error::{AuthError, StoreError};
use crate::access::key_registry::ActiveKeys;
use crate::clock::Clock;

/// A key created or revoked elsewhere is honoured after at most this time.
const OLDEST_ANSWER: Duration = Duration::from_millis(500);

/// The active keys, as the shared store had them a moment ago.
#[derive(Debug)]
pub(super) struct Registry {
    clock: Clock,
    current: RwLock<Snapshot>,
    /// Held by the one who reads; the last failure, for those who waited.
    reading: Mutex<Option<(Instant, StoreError)>>,
}

#[derive(Clone, Debug)]
struct Snapshot {
    /// `None` before the first reading.
    read_at: Option<Instant>,
    generation: String,
    keys: Arc<ActiveKeys>,
}

impl Registry {
    pub(super) fn new(clock: Clock) -> Self {
        let empty = Snapshot { read_at: None, generation: String::new(), keys: Arc::new(ActiveKeys::new(Vec::new())) };
        Self { clock, current: RwLock::new(empty), reading: Mutex::default() }
    }

    /// The owner of `key`, without asking, where the copy is young enough to say.
    pub(super) fn find_fresh(&self, key: &ApiKey) -> Option<Caller> {
        let snapshot = self.snapshot();
        let read_at = snapshot.read_at?;
        let is_fresh = self.clock.monotonic().saturating_duration_since(read_at) < OLDEST_ANSWER;
        is_fresh.then(|| snapshot.keys.find(&key.hash()).cloned()).flatten()
    }

    /// The owner of the key with this hash, from a copy that is young enough.
    pub(super) async fn find(
        &self,
        hash: &KeyHash,
        link: &Link,
        scripts: &Scripts,
        when_away: WhenAway,
    ) -> Result<Caller, AuthError> {
        match self.refresh(link, scripts).await {
            Ok(()) => self.snapshot().keys.find(hash).cloned().ok_or(AuthError::Unknown),
            Err(error) => match (when_away, self.snapshot().keys.find(hash)) {
                (WhenAway::FailOpen, Some(caller)) => Ok(caller.clone()),
                _ => Err(error.into()),
            },
        }
    }

    /// Reads the keys if nobody did since this was called.
    pub(super) async fn refresh(&self, link: &Link, scripts: &Scripts) -> Result<(), StoreError> {
        let asked_at = self.clock.monotonic();
        let mut failure = self.reading.lock().await;
        let known = self.snapshot();
        if known.read_at.is_some_and(|read_at| read_at > asked_at) {
            return Ok(());
        }
        if let Some((_, error)) = failure.as_ref().filter(|(failed_at, _)| *failed_at > asked_at) {
            return Err(error.clone());
        }
        let started = self.clock.monotonic();
        let mut read = scripts.keys.key(GENERATION);
        let read = read.key(RECORDS).key(REVOKED).arg(&known.generation);
        match link.invoke::<(String, u8, Vec<String>, BTreeSet<String>)>("read the keys", read).await {
            Ok((generation, changed, records, revoked)) => {
                let keys = if changed == 0 { known.keys } else { Arc::new(active(&records, &revoked)) };
                let snapshot = Snapshot { read_at: Some(started), generation, keys };
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = snapshot;
                *failure = None;
                Ok(())
            }
            Err(error) => {
                *failure = Some((started, error.clone()));
                Err(error)
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn active(records: &[String], revoked: &BTreeSet<String>) -> ActiveKeys {
    let records = records.iter().filter_map(|record| serde_json::from_str::<Record>(record).ok());
    ActiveKeys::new(
        records.filter(|record| !revoked.contains(record.id())).filter_map(|record| record.caller()).collect(),
    )
}
