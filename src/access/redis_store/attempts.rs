//! Requests with an idempotency key in the shared store.
//!
//! A name has one text: `busy FINGERPRINT TOKEN` while a request is in progress, for the length of its lease, and `done
//! FINGERPRINT ANSWER` for a day after that. Answers arrive with the charges (`forwarder`).
//!
//! A row of a job has a bit that is set by its charge, and is never in progress: the stream of the job gives it to one
//! instance, or to another where that one is silent, and the charge counts once.

use super::LEASE;
use super::client::{RedisClient, away};
use super::scripts::{BEGIN, END, attempt_name, rows_name};
use crate::access::error::StoreError;
use crate::access::idempotency::{Attempted, Done, Known};

/// Begins a request, or says what is known of its name.
pub(super) async fn begin(client: &RedisClient, attempted: &Attempted) -> Result<Known, StoreError> {
    let action = "begin a request with an idempotency key";
    if let Some((job, number)) = attempted.key.row() {
        let command = redis::cmd("GETBIT").arg(rows_name(&attempted.key_id, job)).arg(number).to_owned();
        let is_charged = client.send::<i64>(action, &command).await? == 1;
        return Ok(if is_charged { Known::Done(String::new()) } else { Known::Nothing });
    }
    let mut script = BEGIN.key(attempt_name(attempted));
    let script = script.arg(busy(attempted)).arg(LEASE.as_millis() as u64);
    let known: String = client.invoke(action, script).await?;
    match known.split(' ').collect::<Vec<_>>()[..] {
        [""] => Ok(Known::Nothing),
        ["done", fingerprint, answer] => Ok(attempted.compared(fingerprint, answer)),
        ["busy", fingerprint, _] if fingerprint == attempted.fingerprint.0 => Ok(Known::InProgress),
        ["busy", ..] => Ok(Known::OtherRequest),
        _ => Err(away(action, "an unknown entry")),
    }
}

/// Whether the store knows a request of this name.
pub(super) async fn is_known(client: &RedisClient, attempted: &Attempted) -> Result<bool, StoreError> {
    let command = redis::cmd("EXISTS").arg(attempt_name(attempted)).to_owned();
    client.send::<i64>("look for a request with an idempotency key", &command).await.map(|found| found != 0)
}

/// Ends a request that was not done.
pub(super) async fn end(client: &RedisClient, attempted: &Attempted) -> Result<(), StoreError> {
    if attempted.key.row().is_some() {
        return Ok(());
    }
    let mut script = END.key(attempt_name(attempted));
    client.invoke::<i64>("end a request with an idempotency key", script.arg(busy(attempted))).await.map(drop)
}

/// Keeps the answer of a request that is not charged.
pub(super) async fn keep(client: &RedisClient, done: &Done) -> Result<(), StoreError> {
    let name = attempt_name(&done.attempted);
    let command = redis::cmd("SET")
        .arg(name)
        .arg(kept(done))
        .arg("PX")
        .arg(done.attempted.key.kept().as_millis() as u64)
        .to_owned();
    client.send::<String>("keep the answer of a request", &command).await.map(drop)
}

fn busy(attempted: &Attempted) -> String {
    format!("busy {} {}", attempted.fingerprint.0, attempted.token)
}

/// The text of a request that was done.
pub(super) fn kept(done: &Done) -> String {
    format!("done {} {}", done.attempted.fingerprint.0, done.answer)
}
