//! The rows that this instance is at work on, and the ends of jobs.
//!
//! Input: rows that were taken. Output: the shared store knows that this instance is alive, until they are tried or given
//! back. A process that is killed says nothing more, and others take its rows over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use redis::ScriptInvocation;
use tokio::time::sleep;

use super::scripts::{KEEP, call};
use crate::access::{RedisClient, StoreError};

/// Silence after which rows are taken over.
pub(super) const SILENCE: Duration = Duration::from_secs(10);
/// Interval between two signs of life.
const INTERVAL: Duration = Duration::from_secs(2);
/// The silence of rows that are given back: as long as a day, so that they are taken over at once.
const GIVEN_BACK: Duration = Duration::from_secs(24 * 3600);
/// The end of a job, in place of the number of a row.
const END: u64 = 0;

/// Claims of this instance.
pub(super) struct Claims {
    client: Arc<RedisClient>,
    /// The name of this instance among the consumers of the streams.
    instance: String,
    rows: Mutex<BTreeMap<String, BTreeSet<u64>>>,
}

impl Claims {
    pub(super) fn new(client: Arc<RedisClient>) -> Self {
        Self { client, instance: uuid::Uuid::new_v4().to_string(), rows: Mutex::default() }
    }

    /// The name of this instance.
    pub(super) fn instance(&self) -> &str {
        &self.instance
    }

    /// Rows of a job were taken.
    pub(super) fn add(&self, job: &str, numbers: impl IntoIterator<Item = u64>) {
        self.rows.lock().entry(job.to_owned()).or_default().extend(numbers);
    }

    /// The end of a job was taken.
    pub(super) fn add_end(&self, job: &str) {
        self.add(job, [END]);
    }

    /// Rows of a job are no longer this instance's.
    pub(super) fn remove(&self, job: &str, numbers: impl IntoIterator<Item = u64>) {
        let mut rows = self.rows.lock();
        if let Some(of_job) = rows.get_mut(job) {
            for number in numbers {
                of_job.remove(&number);
            }
            if of_job.is_empty() {
                rows.remove(job);
            }
        }
    }

    /// A job has ended.
    pub(super) fn remove_job(&self, job: &str) {
        self.rows.lock().remove(job);
    }

    /// Says until it is dropped that this instance is at work.
    pub(super) async fn keep(self: Arc<Self>) {
        loop {
            sleep(INTERVAL).await;
            let rows = self.rows.lock().clone();
            for (job, numbers) in rows {
                let kept =
                    self.client.invoke::<i64>("keep rows of a job", &self.call(&job, Duration::ZERO, numbers)).await;
                if let Err(error) = kept {
                    tracing::debug!(job, %error, "rows in progress cannot be kept at present");
                }
            }
        }
    }

    /// Gives rows back that were not tried.
    pub(super) async fn give_back(&self, job: &str, numbers: &[u64]) -> Result<(), StoreError> {
        self.remove(job, numbers.iter().copied());
        let call = self.call(job, GIVEN_BACK, numbers.iter().copied());
        self.client.invoke::<i64>("give rows of a job back", &call).await.map(drop)
    }

    fn call(&self, job: &str, silence: Duration, numbers: impl IntoIterator<Item = u64>) -> ScriptInvocation<'static> {
        let mut call = call(&KEEP, job);
        call.arg(&self.instance).arg(silence.as_millis() as u64).arg(SILENCE.as_millis() as u64);
        for number in numbers {
            call.arg(number);
        }
        call
    }
}
