//! The database of a fleet: jobs and rows in the Redis or Valkey that its instances share.
//!
//! Input and output are those of `JobTable` (`jobs`), `RowTable` (`rows`) and `EventTable` (`events`). `fields` reads what is
//! kept of a job, `scripts` has the operations.
//!
//! - A job is a hash, and its rows are a stream with one consumer group. An entry has the number of its row. An instance reads
//!   a few rows at a time, and says every two seconds that it is at work on them (`claims`). Rows of an instance that was
//!   silent for ten seconds are taken over by the others.
//! - What became of a row is written in the script that acknowledges its entry, once: a row that two instances made has the
//!   same file twice, and is counted and charged once (`access`).
//! - While a size is sought that all rows share, each round reads the stream again from its start.
//! - The end of a job, and an event that is due, are claimed by one instance for a while.
//!
//! The clock of the store is the only one, except for times that clients are shown. Calls block for a round trip.

mod claims;
mod events;
mod fields;
mod jobs;
mod rows;
mod scripts;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use redis::{Cmd, FromRedisValue, ScriptInvocation};
use tokio::runtime::{Builder, Handle, Runtime};

use self::claims::Claims;
use super::database::RunningJob;
use super::error::JobError;
use crate::access::{FleetAddress, RedisClient, StoreError};
use crate::clock::Clock;

/// How long the store may take to answer. Nobody waits for it in a request of a page.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Jobs, rows and events in the shared store, as one instance reaches them.
pub(super) struct Fleet {
    client: Arc<RedisClient>,
    claims: Arc<Claims>,
    /// Jobs that were running when they were last read, as they do not change but for their size.
    known: Mutex<HashMap<String, RunningJob>>,
    handle: Handle,
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl Fleet {
    /// The jobs in the store at this address. Connects at the first call.
    ///
    /// # Errors
    /// The address cannot be used, or the system starts no thread.
    pub(super) fn open(address: &FleetAddress, clock: Clock) -> Result<Self, JobError> {
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).thread_name("longhand-jobs").enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Thread { source: Arc::new(error) })?;
        let client = Arc::new(RedisClient::new(address, TIMEOUT, clock)?);
        let claims = Arc::new(Claims::new(Arc::clone(&client)));
        runtime.spawn(Arc::clone(&claims).keep());
        let handle = runtime.handle().clone();
        Ok(Self { client, claims, known: Mutex::default(), handle, runtime: Some(runtime) })
    }

    /// Runs a script. `action` says in errors what was tried.
    fn invoke<T: FromRedisValue>(&self, action: &'static str, call: &ScriptInvocation<'_>) -> Result<T, JobError> {
        Ok(self.handle.block_on(self.client.invoke(action, call))?)
    }

    /// Sends a command.
    fn send<T: FromRedisValue>(&self, action: &'static str, command: &Cmd) -> Result<T, JobError> {
        Ok(self.handle.block_on(self.client.send(action, command))?)
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The thread that drops it may be one that must not block.
            runtime.shutdown_background();
        }
    }
}

/// What is kept cannot be read: a newer version wrote it, or nobody of us.
fn damaged(action: &'static str) -> impl Fn(serde_json::Error) -> JobError {
    move |error| JobError::Store(StoreError::Away { action, reason: error.to_string().into() })
}
