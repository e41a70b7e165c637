//! A list that a service makes as a job.
//!
//! Input: the list and the job as a service takes them. Output: the files of its rows, and an entry for each. The service
//! gets the list as it is, with a key that follows from what is sent (`Idempotency-Key`): so the same command, given again
//! within a day, goes on with the job that it began. When the job has ended, its rows are read, and the files are taken from
//! its ZIP; a transfer that was cut off goes on where it was.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use zip::ZipArchive;

use super::entry::Entry;
use super::interrupt::Interrupt;
use super::progress::{Notes, Progress};
use super::rows::Row;
use super::work;
use crate::cli::service::Service;
use crate::cli::{Failure, atomic_file};
use crate::clock::Clock;
use crate::jobs::{RowState, RowSummary};
use crate::mail_merge::ROW;

/// Interval between two looks at the job.
const LOOK: Duration = Duration::from_secs(1);
/// Looks that may fail in a row, while the service starts again, say.
const MOST_MISSED: u32 = 60;
/// Rows of an answer.
const ROWS_AT_A_TIME: usize = 10_000;
/// The boundary of the parts of a body, which no list has in it by chance.
const BOUNDARY: &str = "longhand-8f14e45fceea167a5a36dedd4bea2543";

/// What is sent.
pub(super) struct List {
    job: String,
    rows: Vec<u8>,
    /// Stands for both.
    digest: String,
    /// The file of the transfer, beside the report.
    archive: PathBuf,
}

impl List {
    /// The rows in a file, and the job for them without its output. `report`: the file of the report.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read(mut job: Value, file: &Path, report: &Path) -> Result<Self, Failure> {
        let rows = fs::read(file).map_err(Failure::io("read", file))?;
        job["output"] = json!({"form": "zip", "name": format!("{{{ROW}}}")});
        let job = job.to_string();
        let digest = hex::encode(Sha256::new().chain_update(&job).chain_update(&rows).finalize());
        let archive = report.with_extension(format!("{}.zip", digest.get(..16).unwrap_or_default()));
        Ok(Self { job, rows, digest, archive })
    }

    /// Whether the files of the job are on their way.
    pub(super) fn has_begun(&self) -> bool {
        self.archive.exists()
    }

    /// The parts of the body, and its type. The service recognises a workbook and CSV by the contents.
    fn body(&self) -> (Vec<u8>, String) {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{}\r\n--{BOUNDARY}\r\n\
             Content-Disposition: form-data; name=\"rows\"; filename=\"rows\"\r\n\r\n",
            self.job
        );
        let tail = format!("\r\n--{BOUNDARY}--\r\n");
        let body = [head.as_bytes(), &self.rows, tail.as_bytes()].concat();
        (body, format!("multipart/form-data; boundary={BOUNDARY}"))
    }
}

/// A service that makes jobs, and where a signal and notes for the user go.
pub(super) struct ServiceJobs<'a> {
    pub(super) service: &'a Service,
    pub(super) interrupt: &'a Interrupt,
    pub(super) notes: &'a Notes,
}

impl ServiceJobs<'_> {
    /// Has the list made, and calls `done` with what became of each of `rows`, whose files are then written. Returns whether
    /// the service makes jobs.
    ///
    /// # Errors
    /// The service refuses the job or is away, the job has paused or was cancelled, a signal arrived, or a file cannot be
    /// written.
    pub(super) fn make(
        &self,
        list: &List,
        rows: &[&Row],
        mut done: impl FnMut(Entry) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let Some(path) = self.create(list)? else { return Ok(false) };
        self.wait(&path, rows.len())?;
        let rows: BTreeMap<usize, &Row> = rows.iter().map(|row| (row.number, *row)).collect();
        let mut made: Vec<(&Row, RowSummary)> = Vec::new();
        for said in self.rows(&path)? {
            match rows.get(&(said.row as usize)) {
                Some(row) if said.state == RowState::Made && row.request.is_ok() => made.push((*row, said)),
                Some(row) => done(failed(row, said))?,
                None => {}
            }
        }
        if made.is_empty() {
            return Ok(true);
        }
        let archive = &list.archive;
        self.fetch(&path, archive)?;
        let unreadable = |error: &dyn std::fmt::Display| Failure::Io(format!("{}: {error}", archive.display()));
        let mut zip = ZipArchive::new(File::open(archive).map_err(|error| unreadable(&error))?)
            .map_err(|error| unreadable(&error))?;
        for (row, said) in made {
            let mut bytes = Vec::new();
            let mut file = zip.by_name(said.name.as_deref().unwrap_or_default()).map_err(|error| unreadable(&error))?;
            file.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
            if said.outcome.sha256.as_deref() != Some(hex::encode(Sha256::digest(&bytes)).as_str()) {
                return Err(unreadable(&format!("the file of row {} is not the one that was made", row.number)));
            }
            work::write(&row.file, &bytes)?;
            done(self::made(row, said))?;
        }
        fs::remove_file(archive).map_err(Failure::io("delete", archive))?;
        Ok(true)
    }

    /// Creates the job, or finds the one that was created before; returns its path, if the service makes jobs.
    fn create(&self, list: &List) -> Result<Option<String>, Failure> {
        // Whether the key is right and there are jobs is known before a large list is sent.
        if self.service.get_if_there("/jobs")?.is_none() {
            return Ok(None);
        }
        let (body, kind) = list.body();
        let key = format!("batch-{}", list.digest);
        let headers = [("Content-Type", kind.as_str()), ("Idempotency-Key", &key)];
        let answer = self.service.post_body("/jobs", &headers, &body)?;
        let id = answer.get("id").and_then(Value::as_str).and_then(|id| uuid::Uuid::parse_str(id).ok());
        let id = id.ok_or_else(|| Failure::Unavailable("the service names no job".to_owned()))?;
        Ok(Some(format!("/jobs/{id}")))
    }

    /// Waits until the job has ended. One that had paused is resumed.
    fn wait(&self, path: &str, total: usize) -> Result<(), Failure> {
        let mut progress = Progress::of(total, Clock::system(), self.notes);
        let id = path.rsplit('/').next().unwrap_or_default();
        let (mut is_first, mut missed) = (true, 0);
        let ended = loop {
            match self.service.get(path) {
                Ok(job) => {
                    missed = 0;
                    let count = |name: &str| job.get(name).and_then(Value::as_u64).unwrap_or_default() as usize;
                    progress.set(count("made") + count("failed"), count("failed"));
                    match job.get("state").and_then(Value::as_str).unwrap_or_default() {
                        "completed" | "failed" => break Ok(()),
                        "paused" if is_first => self.service.post(&format!("{path}/resume")).map(drop)?,
                        "paused" => {
                            let why = job.get("message").and_then(Value::as_str).unwrap_or_default();
                            let message = format!("job {id} has paused: {why}; the same command goes on with it");
                            break Err(Failure::Unavailable(message));
                        }
                        "cancelled" => {
                            let message = format!(
                                "job {id} was cancelled; `longhand jobs cancel {id}` deletes it, and frees the list"
                            );
                            break Err(Failure::BadData(message));
                        }
                        _ => {}
                    }
                    is_first = false;
                }
                Err(Failure::Unavailable(message)) if missed < MOST_MISSED => {
                    missed += 1;
                    if missed == 1 {
                        self.notes.say(&format!("{message}; trying again"));
                    }
                }
                Err(failure) => break Err(failure),
            }
            if !self.interrupt.wait(LOOK) {
                let message = format!(
                    "the service goes on with job {id}; the same command fetches its files, and `longhand jobs cancel {id}` \
                     stops it"
                );
                break Err(Failure::Interrupted(message));
            }
        };
        progress.finish();
        ended
    }

    /// What became of all rows.
    fn rows(&self, path: &str) -> Result<Vec<RowSummary>, Failure> {
        let mut rows: Vec<RowSummary> = Vec::new();
        loop {
            let after = rows.last().map_or(0, |row| row.row);
            let lines = self.service.text(&format!("{path}/rows?after={after}&limit={ROWS_AT_A_TIME}"))?;
            let read: Result<Vec<RowSummary>, _> = lines.lines().map(serde_json::from_str).collect();
            let read = read.map_err(|error| Failure::Unavailable(format!("the service lists no rows: {error}")))?;
            let is_last = read.len() < ROWS_AT_A_TIME;
            rows.extend(read);
            if is_last {
                return Ok(rows);
            }
        }
    }

    /// Writes the ZIP of the job; what is there of it already stays.
    fn fetch(&self, path: &str, archive: &Path) -> Result<(), Failure> {
        atomic_file::make_folder_of(archive)?;
        let opened = OpenOptions::new().create(true).append(true).open(archive);
        let mut file = opened.map_err(Failure::io("write", archive))?;
        let start = file.metadata().map_err(Failure::io("read", archive))?.len();
        self.service.download(&format!("{path}/result"), start, &mut file)
    }
}

/// The entry of a row whose file is written.
fn made(row: &Row, said: RowSummary) -> Entry {
    let outcome = said.outcome;
    Entry { bytes: outcome.bytes, seed: outcome.seed, ..Entry::of(row) }
        .sized(outcome.calculated_font_size)
        .warned(outcome.warnings)
}

/// The entry of a row that has no file.
fn failed(row: &Row, said: RowSummary) -> Entry {
    let error = match (&row.request, said.outcome.error) {
        (Err(error), _) => error.clone(),
        (Ok(_), Some(error)) => error.message,
        (Ok(_), None) => "the service did not make it".to_owned(),
    };
    Entry { error: Some(error.replace('\n', "; ")), ..Entry::of(row) }.warned(said.outcome.warnings)
}
