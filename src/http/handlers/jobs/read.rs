//! `GET /api/v1/jobs`, `GET`, `DELETE` and `POST …/resume` of one job, and its rows as JSON Lines.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_TYPE, LINK};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::on_jobs;
use crate::http::errors::table::ApiError;
use crate::http::handlers::query;
use crate::http::routes::admission::Admission;
use crate::jobs::{Event, JobSummary, Jobs, RowKind, WantedRows};
use crate::spec::ViolationKind;

/// Rows of an answer if the client names no number.
pub(in crate::http) const USUAL_ROWS: usize = 1000;
/// Most rows of an answer.
pub(in crate::http) const MOST_ROWS: usize = 10_000;

/// Largest number that may be given for a row: the store counts with signs.
pub(in crate::http) const MOST_AFTER: u64 = i64::MAX as u64;

/// The jobs of a key.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct JobList {
    /// The latest first.
    pub(in crate::http) jobs: Vec<JobSummary>,
}

type Id = Result<Path<String>, PathRejection>;

pub(in crate::http) async fn list(admission: Admission) -> Result<Json<JobList>, ApiError> {
    let jobs = on_jobs(&admission, Jobs::list).await?;
    Ok(Json(JobList { jobs }))
}

pub(in crate::http) async fn get(admission: Admission, id: Id) -> Result<Json<JobSummary>, ApiError> {
    let id = number(id)?;
    on_jobs(&admission, move |jobs, key| jobs.get(key, &id)).await.map(Json)
}

pub(in crate::http) async fn cancel(admission: Admission, id: Id) -> Result<Json<JobSummary>, ApiError> {
    let id = number(id)?;
    on_jobs(&admission, move |jobs, key| jobs.cancel(key, &id)).await.map(Json)
}

pub(in crate::http) async fn resume(admission: Admission, id: Id) -> Result<Json<JobSummary>, ApiError> {
    let id = number(id)?;
    on_jobs(&admission, move |jobs, key| jobs.resume(key, &id)).await.map(Json)
}

/// The events of a job.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "JobEventList")]
pub(in crate::http) struct EventList {
    /// In their order.
    pub(in crate::http) events: Vec<Event>,
}

pub(in crate::http) async fn events(admission: Admission, id: Id) -> Result<Json<EventList>, ApiError> {
    let id = number(id)?;
    let events = on_jobs(&admission, move |jobs, key| jobs.events(key, &id)).await?;
    Ok(Json(EventList { events }))
}

pub(in crate::http) async fn rows(
    admission: Admission,
    id: Id,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let id = number(id)?;
    let wanted = read_wanted(query.as_deref().unwrap_or_default())?;
    let of_job = id.clone();
    let rows = on_jobs(&admission, move |jobs, key| jobs.rows(key, &of_job, wanted)).await?;
    // Plain rows always serialise.
    let line = |row| serde_json::to_string(row).unwrap_or_default() + "\n";
    let lines: String = rows.iter().map(line).collect();
    let mut answer = ([(CONTENT_TYPE, "application/jsonl")], lines).into_response();
    // There may be more (RFC 8288).
    let WantedRows { kind, limit, with_cells, .. } = wanted;
    if let Some(last) = rows.last().filter(|_| rows.len() == limit) {
        let kind = kind.map(|kind| format!("state={}&", kind.name())).unwrap_or_default();
        let cells = if with_cells { "cells=true&" } else { "" };
        let next = format!("</api/v1/jobs/{id}/rows?{kind}{cells}after={}&limit={limit}>; rel=\"next\"", last.row);
        if let Ok(next) = HeaderValue::try_from(next) {
            answer.headers_mut().insert(LINK, next);
        }
    }
    Ok(answer)
}

/// The number of a job in the path. One that is no UTF-8 is no number.
fn number(id: Id) -> Result<String, ApiError> {
    id.map(|Path(id)| id).map_err(|_| ApiError::NO_SUCH_JOB)
}

/// The rows that a client asks for.
fn read_wanted(query: &str) -> Result<WantedRows, ApiError> {
    let mut wanted = WantedRows { kind: None, after: 0, limit: USUAL_ROWS, with_cells: false };
    for (name, value) in query::pairs(query) {
        let refused = |message: &str| ApiError::refused(name, ViolationKind::ValueError, message);
        match name {
            "state" => {
                let kind = RowKind::ALL.into_iter().find(|kind| kind.name() == value);
                wanted.kind = Some(kind.ok_or_else(|| refused("Input should be waiting, made, failed or warned"))?);
            }
            "after" => {
                let after = value.parse().ok().filter(|after| *after <= MOST_AFTER);
                wanted.after = after.ok_or_else(|| refused("Input should be the number of a row"))?;
            }
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=MOST_ROWS).contains(limit));
                wanted.limit = limit.ok_or_else(|| refused("Input should be from 1 to 10000"))?;
            }
            "cells" => {
                wanted.with_cells = value.parse().map_err(|_| refused("Input should be true or false"))?;
            }
            _ => return Err(query::unknown(name)),
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::RowState;

    #[test]
    fn a_query_names_state_start_and_number_of_rows() {
        let wanted = read_wanted("state=failed&after=7&limit=5&cells=true").unwrap();
        let kind = Some(RowKind::In(RowState::Failed));
        assert_eq!(wanted, WantedRows { kind, after: 7, limit: 5, with_cells: true });
        assert_eq!(read_wanted("state=warned").unwrap().kind, Some(RowKind::Warned));
        assert_eq!(read_wanted("").unwrap().limit, USUAL_ROWS);
        for query in [
            "state=done",
            "state=\"",
            "after=-1",
            "after=9223372036854775808",
            "limit=0",
            "limit=10001",
            "cells=1",
            "rows=5",
        ] {
            assert!(matches!(read_wanted(query), Err(ApiError::Validation(_))), "{query}");
        }
    }
}
