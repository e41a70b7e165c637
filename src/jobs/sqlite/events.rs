//! The table of events.

use rusqlite::{Connection, params};

use super::Sqlite;
use crate::jobs::database::EventTable;
use crate::jobs::error::JobError;
use crate::jobs::events::{DueEvent, Event, LOOKED_AT, Noted};
use crate::jobs::summary::time;
use crate::jobs::webhook::Sent;

impl EventTable for Sqlite {
    fn events(&self, job: &str) -> Result<Vec<Event>, JobError> {
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

    fn due_events(&self, now: i64) -> Result<Vec<DueEvent>, JobError> {
        due(&self.runner(), now).map_err(JobError::sqlite("read the events"))
    }

    fn note_attempt(&self, event: &DueEvent, sent: &Sent, now: i64) -> Result<(), JobError> {
        let Noted { attempts, due_at, delivered_at, problem } = event.noted(sent, now);
        let noted = self.runner().execute(
            "UPDATE event SET attempts = ?2, due_at = ?3, delivered_at = ?4, problem = ?5 WHERE id = ?1",
            params![event.id, attempts as i64, due_at, delivered_at, problem],
        );
        noted.map(drop).map_err(JobError::sqlite("note the event"))
    }
}

fn due(connection: &Connection, now: i64) -> rusqlite::Result<Vec<DueEvent>> {
    let sql = "SELECT event.id, event.body, event.attempts, job.notify, job.secret, job.key_id FROM event
               JOIN job ON job.id = event.job WHERE event.due_at <= ?1 ORDER BY event.due_at, event.number LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let events = statement.query_map(params![now, LOOKED_AT], |row| {
        Ok(DueEvent {
            id: row.get(0)?,
            body: row.get(1)?,
            attempts: usize::try_from(row.get::<_, i64>(2)?).unwrap_or_default(),
            url: row.get(3)?,
            secret: row.get(4)?,
            key: row.get(5)?,
        })
    })?;
    events.collect()
}
