//! Reads the body of a new job: JSON with its rows, or a multipart body with the parts `job` (JSON) and `rows` (a CSV
//! file, a workbook, or JSON Lines).

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::Request;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::http::errors::table::{ApiError, LARGEST_JOB};
use crate::http::handlers::blocking::blocking;
use crate::http::handlers::body::{LONGEST_BODY, Pieces, check_json};
use crate::http::handlers::multipart::{Parts, is_in_parts};
use crate::jobs::{
    ArrivingList, GivenRows, JobRequest, Jobs, JobsOptions, NewJob, Table, WorkbookReader, read_table_file,
};
use crate::spec::{RequestError, ViolationKind, read_json, read_json_by_item};

/// The part or member with the rows.
const ROWS: &str = "rows";
/// The part with the job.
const JOB: &str = "job";
/// Endings of the names of files of JSON Lines.
const JSON_LINES: [&str; 2] = [".jsonl", ".ndjson"];

/// Endings of the names of workbooks.
const WORKBOOKS: [&str; 2] = [".xlsx", ".xls"];

/// The body of a new job: `B` are bytes, or [`ArrivingList`] where they wait on the disk.
pub(super) enum JobBody<B = Vec<u8>> {
    Json(B),
    Parts { job: B, rows: B, file_name: String },
}

impl JobBody<ArrivingList> {
    /// Receives the body. Each piece of it must arrive within `patience`.
    pub(super) async fn receive(request: Request, jobs: &Jobs, patience: Duration) -> Result<Self, ApiError> {
        let receiving = async {
            if is_in_parts(&request) {
                Self::receive_parts(Parts::of(request, LARGEST_JOB, patience).await?, jobs).await
            } else {
                let mut pieces = Pieces::of(check_json(request)?, LARGEST_JOB)?;
                let mut body = jobs.arriving_list();
                while let Some(piece) = pieces.next(patience).await? {
                    body = push(body, piece).await?;
                }
                Ok(Self::Json(body))
            }
        };
        timeout(LONGEST_BODY, receiving).await.unwrap_or(Err(ApiError::RequestTimeout))
    }

    async fn receive_parts(mut parts: Parts, jobs: &Jobs) -> Result<Self, ApiError> {
        let (mut job, mut rows) = (None, None);
        while let Some(mut part) = parts.next().await? {
            let mut bytes = jobs.arriving_list();
            if ![JOB, ROWS].contains(&part.name.as_str()) {
                let message = format!("the parts of a job are {JOB} and {ROWS}, not `{}`", part.name);
                return Err(ApiError::refused("body", ViolationKind::ExtraForbidden, message));
            }
            while let Some(piece) = part.next().await? {
                bytes = push(bytes, piece).await?;
            }
            if part.name == JOB {
                job = Some(bytes);
            } else {
                rows = Some((bytes, part.file_name.unwrap_or_default()));
            }
        }
        let missing = |part| ApiError::refused(part, ViolationKind::Missing, "Field required");
        let (rows, file_name) = rows.ok_or_else(|| missing(ROWS))?;
        Ok(Self::Parts { job: job.ok_or_else(|| missing(JOB))?, rows, file_name })
    }

    /// Reads it into memory.
    pub(super) fn read(self) -> Result<JobBody, ApiError> {
        Ok(match self {
            Self::Json(body) => JobBody::Json(body.read()?),
            Self::Parts { job, rows, file_name } => JobBody::Parts { job: job.read()?, rows: rows.read()?, file_name },
        })
    }
}

impl JobBody {
    /// The parts of which the request's fingerprint is made: what a client that sends it again sends as well.
    pub(super) fn parts(&self) -> Vec<&[u8]> {
        match self {
            Self::Json(body) => vec![body],
            Self::Parts { job, rows, file_name } => vec![job, rows, file_name.as_bytes()],
        }
    }

    /// The job and its table, checked. Takes about a second for 100,000 rows.
    pub(super) fn parse(self, options: &JobsOptions) -> Result<NewJob, ApiError> {
        let (job, table) = match self {
            Self::Json(body) => {
                let mut rows = GivenRows::default();
                let mut job = object(read_json_by_item(&body, ROWS, &mut |row| rows.push(row)))?;
                let list = job.remove(ROWS);
                let list = list.ok_or_else(|| ApiError::refused(ROWS, ViolationKind::Missing, "Field required"))?;
                if !list.is_array() {
                    return Err(ApiError::refused(ROWS, ViolationKind::ListType, "Input should be a list"));
                }
                (described(job)?, rows.table().map_err(of_rows)?)
            }
            Self::Parts { job, rows, file_name } => {
                let job = described(object(read_json(&job))?)?;
                let table = table_of(&job, rows, &file_name, &options.workbooks)?;
                (job, table)
            }
        };
        NewJob::new(job, table, &options.notify_hosts)
            .map_err(|(field, message)| ApiError::refused(&field, ViolationKind::ValueError, message))
    }
}

/// Adds a piece to a list.
async fn push(mut list: ArrivingList, piece: Bytes) -> Result<ArrivingList, ApiError> {
    let pushed = blocking(move || list.push(&piece).map(|()| list)).await?;
    Ok(pushed?)
}

/// The table of a file with rows.
fn table_of(job: &JobRequest, rows: Vec<u8>, file_name: &str, workbooks: &WorkbookReader) -> Result<Table, ApiError> {
    if JSON_LINES.iter().any(|ending| file_name.ends_with(ending)) {
        let lines = (1..).zip(rows.split(|byte| *byte == b'\n'));
        let mut rows = GivenRows::default();
        for (number, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
            rows.push(read_json(line).map_err(|_| of_rows(format!("line {number} is no JSON object of its own")))?);
        }
        return rows.table().map_err(of_rows);
    }
    if WORKBOOKS.iter().any(|ending| file_name.ends_with(ending)) && !rows.starts_with(b"PK\x03\x04") {
        return Err(of_rows("the file is no workbook of the kind .xlsx; save it as one, or as CSV UTF-8".to_owned()));
    }
    read_table_file(rows, &job.table, workbooks).map_err(ApiError::of)
}

fn of_rows(message: String) -> ApiError {
    ApiError::refused(ROWS, ViolationKind::ValueError, message)
}

/// The object that JSON should be.
fn object(json: Result<Value, RequestError>) -> Result<Map<String, Value>, ApiError> {
    match json? {
        Value::Object(members) => Ok(members),
        _ => Err(ApiError::refused("body", ViolationKind::ModelType, "Input should be an object")),
    }
}

/// A job without its rows.
fn described(job: Map<String, Value>) -> Result<JobRequest, ApiError> {
    if job.contains_key(ROWS) {
        let message = "in a multipart body, rows are a part of their own";
        return Err(ApiError::refused(ROWS, ViolationKind::ExtraForbidden, message));
    }
    serde_path_to_error::deserialize(Value::Object(job)).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { "body" } else { &path };
        ApiError::refused(field, ViolationKind::ModelType, error.inner().to_string())
    })
}
