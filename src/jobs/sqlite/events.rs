//! The table of events.

use rusqlite::{Connection, params};

use super::Sqlite;
use crate::jobs::database::EventTable;
use crate::jobs::error::JobError;
use crate::jobs::events::{DueEvent, Event, LOOKED_AT, Noted, OF_A_KEY};
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
    let sql = "SELECT id, body, attempts, notify, secret, key_id FROM (
                   SELECT event.id, body, attempts, notify, secret, key_id, due_at, number,
                       row_number() OVER (PARTITION BY key_id ORDER BY due_at, number) AS place
                   FROM event JOIN job ON job.id = event.job WHERE due_at <= ?1
               ) WHERE place <= ?2 ORDER BY due_at, number LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    // The first ones of a key may be under way.
    let events = statement.query_map(params![now, 2 * OF_A_KEY as i64, LOOKED_AT as i64], |row| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_events_of_a_key_do_not_hide_those_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = Sqlite::open(folder.path()).unwrap();
        for (number, key) in (0..2000).map(|number| (number, "a")).chain([(2000, "b")]) {
            let id = format!("{key}{number}");
            let job = "INSERT INTO job (id, key_id, created_at, state, definition, rows, notify, secret)
                       VALUES (?1, ?2, 0, '', '', 1, '', '')";
            jobs.runner().execute(job, params![id, key]).unwrap();
            let event = "INSERT INTO event (id, job, type, created_at, body, due_at) VALUES (?1, ?1, '', 0, '', ?2)";
            jobs.runner().execute(event, params![id, number]).unwrap();
        }
        let due: Vec<String> = jobs.due_events(3000).unwrap().into_iter().map(|event| event.id).collect();
        assert_eq!(due, ["a0", "a1", "a2", "a3", "b2000"]);
        assert_eq!(jobs.due_events(1).unwrap().len(), 2);
    }
}
