//! Events of jobs: that one has completed, failed or paused. They are kept beside the jobs until they are delivered.
//!
//! An event is written in the commit that changes the state of its job, so that neither is without the other. It is sent at
//! once, and again after longer and longer waits for a day, with the same id each time.

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::Jobs;
use super::error::JobError;
use super::webhook::{Message, Sender, Sent};
use crate::access::KeyId;

/// Waits before an event is sent again, in seconds: about a day in all.
const WAITS: [i64; 8] = [5, 60, 300, 1800, 7200, 14_400, 21_600, 36_000];
/// Events that are sent at a time, of all keys and of one; and how many due ones are looked at.
pub(super) const AT_A_TIME: usize = 16;
pub(super) const OF_A_KEY: usize = 2;
pub(super) const LOOKED_AT: usize = 1024;
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
pub(super) struct DueEvent {
    pub(super) id: String,
    /// The key of its job.
    pub(super) key: String,
    pub(super) body: String,
    /// How often it was sent before.
    pub(super) attempts: usize,
    pub(super) url: String,
    pub(super) secret: String,
}

/// What is noted of an attempt to send an event.
pub(super) struct Noted<'a> {
    /// All attempts.
    pub(super) attempts: usize,
    /// When it is sent next, in Unix seconds.
    pub(super) due_at: Option<i64>,
    pub(super) delivered_at: Option<i64>,
    pub(super) problem: Option<&'a str>,
}

impl DueEvent {
    /// What is noted after it was sent at the time `now` (Unix seconds).
    pub(super) fn noted<'a>(&self, sent: &'a Sent, now: i64) -> Noted<'a> {
        let (due_at, delivered_at, problem) = match sent {
            Sent::Delivered => (None, Some(now), None),
            Sent::Unwanted => (None, None, Some("the server wants no more events (410)")),
            Sent::Failed(problem) => (WAITS.get(self.attempts).map(|wait| now + wait), None, Some(problem.as_str())),
        };
        Noted { attempts: self.attempts + 1, due_at, delivered_at, problem }
    }
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
        let mut sending: JoinSet<String> = JoinSet::new();
        let mut under_way: Vec<(String, String)> = Vec::new();
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
            let mut unsent = Vec::new();
            for event in due {
                let is_under_way = under_way.iter().any(|(id, _)| *id == event.id);
                let of_key = under_way.iter().filter(|(_, key)| *key == event.key).count();
                if !is_under_way && of_key < OF_A_KEY && under_way.len() < AT_A_TIME {
                    under_way.push((event.id.clone(), event.key.clone()));
                    let (jobs, sender) = (Arc::clone(&self), Arc::clone(&sender));
                    sending.spawn_blocking(move || {
                        jobs.send_event(&sender, &event);
                        event.id
                    });
                } else if !is_under_way {
                    unsent.push(event);
                }
            }
            if !unsent.is_empty() {
                let jobs = Arc::clone(&self);
                // An event that cannot be put back is sent a little later.
                let _ = spawn_blocking(move || unsent.iter().try_for_each(|event| jobs.database.put_back(event))).await;
            }
            tokio::select! {
                Some(sent) = sending.join_next(), if !sending.is_empty() => match sent {
                    Ok(id) => under_way.retain(|(sent, _)| *sent != id),
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
