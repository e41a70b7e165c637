//! `POST /api/v1/jobs`: accepts a job. What no row could be made with is refused at once.

use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use super::body::JobBody;
use super::{jobs_of, on_jobs};
use crate::http::errors::table::ApiError;
use crate::http::handlers::blocking::blocking;
use crate::http::handlers::idempotency::{Repeatable, Start, begin, mark_replayed};
use crate::http::routes::admission::{Admission, api_key, idempotency_key};
use crate::jobs::NewJob;
use crate::spec::{Endpoint, Violation, ViolationKind, Violations, parse_value_for};
use crate::turns::{Busy, RETRY_SECONDS};

pub(in crate::http) async fn create(admission: Admission, request: Request) -> Result<Response, ApiError> {
    let jobs = jobs_of(&admission)?;
    let key = idempotency_key(request.headers())?;
    let secret = api_key(request.headers())?.webhook_secret();
    let busy = |Busy| ApiError::Overloaded { retry_after_seconds: RETRY_SECONDS, reason: "jobs" };
    // Held until the job is created, also where the client hangs up: what is read of a list stays in memory until then.
    let mut turn = jobs.turns().admit(&admission.client.key_id).map_err(busy)?;
    let receiving = JobBody::receive(request, &jobs, admission.service.body_timeout);
    let body = admission.context.stage("body", receiving).await?;
    turn.wait().await.map_err(busy)?;
    let (path, of_jobs) = (admission.path(), Arc::clone(&jobs));
    let (turn, repeatable, job) = blocking(move || {
        let body = body.read()?;
        let repeatable = Repeatable::of(key, path, &body.parts());
        Ok::<_, ApiError>((turn, repeatable, body.parse(of_jobs.options())?))
    })
    .await??;
    check_first_row(&admission, &job).await?;
    let fresh = uuid::Uuid::new_v4().to_string();
    let (id, is_replayed) = match begin(&admission, repeatable).await? {
        // Whether or not the first request came as far as to create it.
        Start::Again(id) => (id, true),
        Start::First(attempt) => {
            if let Some(attempt) = attempt {
                let id = fresh.clone();
                blocking(move || attempt.finish(&id)).await??;
            }
            (fresh, false)
        }
    };
    let (owner, created) = (admission.client.key_id.clone(), id.clone());
    blocking(move || {
        let outcome = jobs.create(&created, &owner, &job, &secret);
        drop(turn);
        outcome
    })
    .await??;
    let summary = on_jobs(&admission, move |jobs, key| jobs.get(key, &id)).await?;
    let location = format!("/api/v1/jobs/{}", summary.id);
    let mut answer = (StatusCode::ACCEPTED, [(LOCATION, location)], Json(summary)).into_response();
    if is_replayed {
        mark_replayed(&mut answer);
    }
    Ok(answer)
}

/// Lays the first row out that has a request, and looks whether its pages have room on their sheets.
async fn check_first_row(admission: &Admission, job: &NewJob) -> Result<(), ApiError> {
    let Some(request) = job.first_request() else { return Ok(()) };
    let spec =
        parse_value_for(admission.service.known_to(&admission.client.key_id), &request, Endpoint::Generate, || 0);
    let spec = spec.map_err(of_request)?;
    let page = spec.page.mm();
    job.output()
        .check_sheets([page.width.get(), page.height.get()])
        .map_err(|(field, message)| ApiError::refused(&field, ViolationKind::ValueError, message))?;
    let laid_out = admission.rendered(admission.service.renderer.lay_out(spec, admission.tenant())).await;
    match laid_out.map_err(ApiError::from) {
        Ok(_) => Ok(()),
        Err(ApiError::Validation(violations)) => Err(of_request(violations)),
        Err(error) => Err(error),
    }
}

/// Violations of the generation request in a job.
fn of_request(violations: Violations) -> ApiError {
    let within = |violation: &Violation| {
        let field = format!("request.{}", violation.field());
        Violation::of_field(&field, violation.kind, violation.message.clone())
    };
    let within = Violations::from_list(violations.iter().map(within).collect());
    within.map_or_else(|| ApiError::Validation(violations), ApiError::Validation)
}

/// The type and the message of a violation, for a row that failed.
pub(in crate::http) fn first_problem(error: &ApiError) -> (String, String) {
    let extra = serde_json::to_value(error.extra()).unwrap_or_default();
    let kind = extra.pointer("/details/0/type").and_then(Value::as_str).unwrap_or("row");
    (kind.to_owned(), error.to_string())
}
