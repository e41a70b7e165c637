//! The jobs of a fleet.

use redis::cmd;

use super::fields::Fields;
use super::scripts::{ADD_ROWS, CHANGE, CREATE, DELETE, LIST, RUNNING, START, call, part};
use super::{Fleet, damaged};
use crate::access::{KeyId, StoreError};
use crate::clock::Timestamp;
use crate::jobs::announcement::Announcement;
use crate::jobs::database::{JobTable, RunningJob};
use crate::jobs::definition::NewJob;
use crate::jobs::error::JobError;
use crate::jobs::summary::{JobState, JobSummary, PauseReason, time, word};

/// Rows that are added in one script: it holds the store up for a few milliseconds.
const ADDED_TOGETHER: usize = 500;
/// Jobs that are deleted in one look.
const DELETED_TOGETHER: usize = 100;
/// How often a change of state is tried while rows are marked.
const TRIES: usize = 100;

impl Fleet {
    /// The fields of a job; `None` if there is no such job.
    pub(super) fn fields(&self, id: &str) -> Result<Option<Fields>, JobError> {
        let command = cmd("HGETALL").arg(part("job", id)).to_owned();
        let fields = Fields(self.send("read the job", &command)?);
        Ok((!fields.0.is_empty()).then_some(fields))
    }

    /// Changes the state of a job that has one of `states`, with the event of it in the same script.
    fn change(
        &self,
        id: &str,
        states: &[JobState],
        to: JobState,
        reason: Option<PauseReason>,
        now: i64,
    ) -> Result<(), JobError> {
        let action = "change the job";
        let is_end = !matches!(to, JobState::Running | JobState::Paused);
        for _ in 0..TRIES {
            let Some(fields) = self.fields(id)? else { return Ok(()) };
            let job = fields.summary(id).map_err(damaged(action))?;
            if !states.contains(&job.state) {
                return Ok(());
            }
            let (from, made, failed) = (job.state, job.made, job.failed);
            let ended_at = if is_end { Some(time(now)) } else { None };
            let job = JobSummary { state: to, reason, message: reason.map(PauseReason::message), ended_at, ..job };
            let announced = fields.text("notify").and_then(|_| Announcement::of(&job, now));
            let mut script = call(&CHANGE, id);
            script.arg(word(&from)).arg(word(&to)).arg(reason.map(|reason| word(&reason)).unwrap_or_default());
            script.arg(made).arg(failed).arg(is_end);
            let Announcement { id: event, kind, body } = announced.unwrap_or_default();
            script.arg(kind).arg(event).arg(body);
            if self.invoke::<i64>(action, &script)? == 1 {
                if is_end {
                    self.claims.remove_job(id);
                }
                return Ok(());
            }
        }
        Err(StoreError::Away { action, reason: "it changes all the time".into() }.into())
    }

    /// Deletes a job that has ended, and returns its key.
    fn delete_ended(&self, id: &str) -> Result<Option<(String, KeyId)>, JobError> {
        let key: String = self.invoke("delete the job", &call(&DELETE, id))?;
        Ok((!key.is_empty()).then(|| (id.to_owned(), KeyId::from(key.as_str()))))
    }
}

impl JobTable for Fleet {
    fn is_shared(&self) -> bool {
        true
    }

    fn ids(&self) -> Result<Vec<String>, JobError> {
        self.send("read the jobs", &cmd("ZRANGE").arg(format!("{START}all")).arg(0).arg(-1).to_owned())
    }

    fn create(&self, id: &str, key: &KeyId, job: &NewJob, secret: &str, _now: i64) -> Result<(), JobError> {
        let action = "create the job";
        for records in job.records.chunks(ADDED_TOGETHER) {
            let mut script = call(&ADD_ROWS, id);
            for record in records {
                script.arg(record.number).arg(word(&record.cells));
            }
            if self.invoke::<i64>(action, &script)? == 0 {
                // It was created before.
                return Ok(());
            }
        }
        let notify = job.definition().job.notify.as_ref().map(|notify| notify.url.as_str());
        let mut script = call(&CREATE, id);
        script.arg(key.as_str()).arg(word(&JobState::Running)).arg(word(job.definition())).arg(job.records.len());
        script.arg(job.records.last().map_or(0, |record| record.number));
        script.arg(notify.unwrap_or_default()).arg(notify.map_or("", |_| secret));
        self.invoke::<i64>(action, &script).map(drop)
    }

    fn list(&self, key: &KeyId) -> Result<Vec<JobSummary>, JobError> {
        let action = "read the jobs";
        let jobs: Vec<(String, _)> = self.invoke(action, &call(&LIST, key.as_str()))?;
        jobs.into_iter().map(|(id, fields)| Fields(fields).summary(&id).map_err(damaged(action))).collect()
    }

    fn get(&self, key: &KeyId, id: &str) -> Result<Option<JobSummary>, JobError> {
        let fields = self.fields(id)?.filter(|fields| fields.text("key_id") == Some(key.as_str()));
        fields.map(|fields| fields.summary(id).map_err(damaged("read the job"))).transpose()
    }

    fn end(&self, id: &str, state: JobState, now: i64) -> Result<(), JobError> {
        self.change(id, &[JobState::Running, JobState::Paused], state, None, now)
    }

    fn pause(&self, id: &str, reason: PauseReason, now: i64) -> Result<(), JobError> {
        self.change(id, &[JobState::Running], JobState::Paused, Some(reason), now)
    }

    fn resume(&self, id: &str, now: i64) -> Result<(), JobError> {
        self.change(id, &[JobState::Paused], JobState::Running, None, now)
    }

    fn running(&self) -> Result<Vec<RunningJob>, JobError> {
        let action = "read the jobs";
        let running: Vec<(String, String)> = self.invoke(action, &call(&RUNNING, ""))?;
        let mut jobs = Vec::with_capacity(running.len());
        for (id, size) in running {
            let size = serde_json::from_str(&size).map_err(damaged(action))?;
            let known = self.known.lock().get(&id).cloned();
            if let Some(known) = known {
                jobs.push(RunningJob { size, ..known });
                continue;
            }
            let Some(fields) = self.fields(&id)? else { continue };
            let key_id = KeyId::from(fields.text("key_id").unwrap_or_default());
            let created = Timestamp::from_second(fields.number("created_at")).unwrap_or_default();
            let definition = fields.json("definition").map_err(damaged(action))?;
            jobs.push(RunningJob { id, key_id, created, definition, size });
        }
        *self.known.lock() = jobs.iter().map(|job| (job.id.clone(), job.clone())).collect();
        Ok(jobs)
    }

    fn delete_ended_before(&self, time: i64) -> Result<Vec<(String, KeyId)>, JobError> {
        let command = cmd("ZRANGEBYSCORE").arg(format!("{START}ended")).arg("-inf").arg(format!("({time}")).to_owned();
        let ended: Vec<String> = self.send("read the jobs that are over", &command)?;
        let mut deleted = Vec::new();
        for id in ended.iter().take(DELETED_TOGETHER) {
            match self.delete_ended(id) {
                Ok(job) => deleted.extend(job),
                // The files of the jobs deleted so far must go too; the next sweep deletes the others.
                Err(error) if deleted.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(deleted)
    }

    fn delete(&self, id: &str) -> Result<Vec<(String, KeyId)>, JobError> {
        Ok(self.delete_ended(id)?.into_iter().collect())
    }

    fn bytes(&self) -> Result<u64, JobError> {
        let bytes: Option<i64> = self.send("read the jobs", &cmd("GET").arg(format!("{START}bytes")).to_owned())?;
        Ok(bytes.unwrap_or_default().try_into().unwrap_or_default())
    }
}
