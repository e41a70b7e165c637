//! Events of jobs: that one has completed, failed or paused. They are kept beside the jobs until they are delivered.
//!
//! An event is written in the commit that changes the state of its job, so that neither is without the other. It is sent at
//! once, and again after longer and longer waits for a day, with the same id each time.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::Jobs;
use super::columns::time;
use super::database::Database;
use super::error::JobError;
use super::webhook::{Message, Sender, Sent};
use crate::access::KeyId;

/// Waits before an event is sent again, in seconds: about a day in all.
const WAITS: [i64; 8] = [5, 60, 300, 1800, 7200, 14_400, 21_600, 36_000];
/// Events that are sent at a time, of all keys and of one; and how many due ones are looked at.
const AT_A_TIME: usize = 16;
const OF_A_KEY: usize = 2;
const LOOKED_AT: i64 = 256;
/// Longest time between two looks for events that are due.
const TICK: Duration = Duration::from_secs(2);

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "JobEvent")]
pub struct Event {
    /// Its number: the `webhook-id`.
    pub id: String,
    /// `job.completed`, `job.failed` or `job.paused`.
    pub r#type: String,
    /// Time of the event, ISO 8601 in UTC.
    pub created_at: String,
    /// How often it was sent.
    pub attempts: u64,
    /// When it is sent next; null once it is delivered or given up.
    pub next_attempt_at: Option<String>,
    /// When it was delivered.
    pub delivered_at: Option<String>,
    /// Why the last attempt failed.
    pub problem: Option<String>,
}

/// An event that is to be sent now.
struct DueEvent {
    number: i64,
    key: String,
    id: String,
    body: String,
    attempts: usize,
    url: String,
    secret: String,
}

impl Database {
    /// The events of a job, in order.
    pub(super) fn events(&self, job: &str) -> Result<Vec<Event>, JobError> {
        let connection = self.clients();
        let read = || {
            let sql = "SELECT id, type, created_at, attempts, due_at, delivered_at, problem FROM event WHERE job = ?1
                       ORDER BY number";
            let mut statement = connection.prepare_cached(sql)?;
            let events = statement.query_map([job], |row| {
                let at = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(time));
                Ok(Event {
                    id: row.get(0)?,
                    r#type: row.get(1)?,
                    created_at: time(row.get(2)?),
                    attempts: row.get::<_, i64>(3)?.cast_unsigned(),
                    next_attempt_at: at(4)?,
                    delivered_at: at(5)?,
                    problem: row.get(6)?,
                })
            })?;
            events.collect::<rusqlite::Result<_>>()
        };
        read().map_err(JobError::sqlite("read the events"))
    }

    /// Events that are due, the longest due first.
    fn due_events(&self, now: i64) -> Result<Vec<DueEvent>, JobError> {
        due(&self.runner(), now).map_err(JobError::sqlite("read the events"))
    }

    /// Notes what became of an attempt to send an event.
    fn note_attempt(&self, event: &DueEvent, sent: &Sent, now: i64) -> Result<(), JobError> {
        let attempts = event.attempts + 1;
        let wait = WAITS.get(event.attempts).copied();
        let (due_at, delivered_at, problem) = match sent {
            Sent::Delivered => (None, Some(now), None),
            Sent::Unwanted => (None, None, Some("the server wants no more events (410)")),
            Sent::Failed(problem) => (wait.map(|wait| now + wait), None, Some(problem.as_str())),
        };
        let noted = self.runner().execute(
            "UPDATE event SET attempts = ?2, due_at = ?3, delivered_at = ?4, problem = ?5 WHERE number = ?1",
            params![event.number, attempts as i64, due_at, delivered_at, problem],
        );
        noted.map(drop).map_err(JobError::sqlite("note the event"))
    }
}

fn due(connection: &Connection, now: i64) -> rusqlite::Result<Vec<DueEvent>> {
    let sql = "SELECT event.number, event.id, event.body, event.attempts, job.notify, job.secret, job.key_id
               FROM event
               JOIN job ON job.id = event.job WHERE event.due_at <= ?1 ORDER BY event.due_at, event.number LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let events = statement.query_map(params![now, LOOKED_AT], |row| {
        Ok(DueEvent {
            number: row.get(0)?,
            id: row.get(1)?,
            body: row.get(2)?,
            attempts: usize::try_from(row.get::<_, i64>(3)?).unwrap_or_default(),
            url: row.get(4)?,
            secret: row.get(5)?,
            key: row.get(6)?,
        })
    })?;
    events.collect()
}

impl Jobs {
    /// The events of a job of this key.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn events(&self, key: &KeyId, id: &str) -> Result<Vec<Event>, JobError> {
        self.get(key, id)?;
        self.database.events(id)
    }

    /// Sends events when they are due, until it is dropped. A server that answers slowly delays the events of its key alone.
    pub(crate) async fn send_events(self: Arc<Self>) {
        let sender = Arc::new(Sender::new());
        let mut sending: JoinSet<i64> = JoinSet::new();
        let mut under_way: Vec<(i64, String)> = Vec::new();
        loop {
            let jobs = Arc::clone(&self);
            let due = match spawn_blocking(move || jobs.database.due_events(jobs.now())).await {
                Ok(Ok(due)) => due,
                Ok(Err(error)) => {
                    tracing::warn!(%error, "events cannot be read at present");
                    Vec::new()
                }
                Err(_) => return,
            };
            for event in due {
                let is_under_way = under_way.iter().any(|(number, _)| *number == event.number);
                let of_key = under_way.iter().filter(|(_, key)| *key == event.key).count();
                if !is_under_way && of_key < OF_A_KEY && under_way.len() < AT_A_TIME {
                    under_way.push((event.number, event.key.clone()));
                    let (jobs, sender) = (Arc::clone(&self), Arc::clone(&sender));
                    sending.spawn_blocking(move || {
                        jobs.send_event(&sender, &event);
                        event.number
                    });
                }
            }
            tokio::select! {
                Some(sent) = sending.join_next(), if !sending.is_empty() => match sent {
                    Ok(number) => under_way.retain(|(sent, _)| *sent != number),
                    Err(error) => {
                        tracing::error!(%error, "an event was not sent");
                        under_way.clear();
                    }
                },
                () = self.wake_events.notified() => {}
                () = sleep(TICK) => {}
            }
        }
    }

    fn send_event(&self, sender: &Sender, event: &DueEvent) {
        let DueEvent { id, body, url, secret, .. } = event;
        let sent = sender.send(&Message { id, body, url, secret }, self.now());
        if let Sent::Failed(problem) = &sent {
            tracing::info!(event = id, problem, "an event was not delivered");
        }
        if let Err(error) = self.database.note_attempt(event, &sent, self.now()) {
            // It is sent again, with the same id.
            tracing::warn!(event = id, %error, "the delivery of an event cannot be noted");
        }
    }
}
