//! The events of a fleet's jobs. An event that is due is claimed by one instance, and sent by another if that one dies.

use std::time::Duration;

use redis::cmd;

use super::Fleet;
use super::fields::Fields;
use super::scripts::{DUE, EVENTS, NOTE, START, call};
use crate::jobs::database::EventTable;
use crate::jobs::error::JobError;
use crate::jobs::events::{AT_A_TIME, DueEvent, Event, LOOKED_AT, Noted, OF_A_KEY};
use crate::jobs::summary::time;
use crate::jobs::webhook::Sent;

/// How long an instance has for an event: longer than a server may take to answer.
const CLAIM: Duration = Duration::from_secs(60);

impl EventTable for Fleet {
    fn events(&self, job: &str) -> Result<Vec<Event>, JobError> {
        let events: Vec<(String, _)> = self.invoke("read the events", &call(&EVENTS, job))?;
        let event = |(id, fields)| {
            let fields = Fields(fields);
            let at = |name: &str| fields.text(name).map(|_| time(fields.number(name)));
            Event {
                id,
                r#type: fields.text("type").unwrap_or_default().to_owned(),
                created_at: time(fields.number("created_at")),
                attempts: fields.number("attempts"),
                next_attempt_at: at("due_at"),
                delivered_at: at("delivered_at"),
                problem: fields.text("problem").map(str::to_owned),
            }
        };
        Ok(events.into_iter().map(event).collect())
    }

    fn due_events(&self, _now: i64) -> Result<Vec<DueEvent>, JobError> {
        let mut script = call(&DUE, &AT_A_TIME.to_string());
        script.arg(CLAIM.as_secs()).arg(OF_A_KEY).arg(LOOKED_AT);
        let due: Vec<(String, String, String, usize, String, String)> = self.invoke("read the events", &script)?;
        let event = |(id, key, body, attempts, url, secret)| DueEvent { id, key, body, attempts, url, secret };
        Ok(due.into_iter().map(event).collect())
    }

    fn put_back(&self, event: &DueEvent) -> Result<(), JobError> {
        // Due from the time of the claim, and so behind those of other keys. One that is deleted by now is dropped later.
        let back = -(CLAIM.as_secs() as i64);
        let command = cmd("ZINCRBY").arg(format!("{START}due")).arg(back).arg(&event.id).to_owned();
        self.send::<f64>("put the event back", &command).map(drop)
    }

    fn note_attempt(&self, event: &DueEvent, sent: &Sent, _now: i64) -> Result<(), JobError> {
        // Times count from the clock of the store.
        let Noted { attempts, due_at, delivered_at, problem } = event.noted(sent, 0);
        let mut script = call(&NOTE, &event.id);
        script.arg(attempts).arg(due_at.map_or_else(String::new, |seconds| seconds.to_string()));
        script.arg(delivered_at.is_some()).arg(problem.unwrap_or_default());
        self.invoke::<i64>("note the event", &script).map(drop)
    }
}
