//! `GET /api/v1/jobs/{id}/files/{name}` and `GET /api/v1/jobs/{id}/result`: files of a job, with ranges (RFC 9110,
//! section 14), read while they are sent.

use std::path::PathBuf;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tower::ServiceExt as _;
use tower_http::services::ServeFile;

use super::on_jobs;
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::spec::OutputName;

pub(in crate::http) async fn file(
    admission: Admission,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, ApiError> {
    let Path((id, name)) = path.map_err(|_| ApiError::NO_SUCH_JOB_FILE)?;
    let wanted = name.clone();
    let file = on_jobs(&admission, move |jobs, key| jobs.file(key, &id, &wanted)).await?;
    let format = name.rsplit_once('.').and_then(|(_, ending)| OutputName::from_name(ending));
    let media_type = format.map_or("application/octet-stream", |format| format.facts().media_type);
    send(file, &name, media_type, request).await
}

pub(in crate::http) async fn result(
    admission: Admission,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, ApiError> {
    let Path(id) = id.map_err(|_| ApiError::NO_SUCH_JOB)?;
    let wanted = id.clone();
    let file = on_jobs(&admission, move |jobs, key| jobs.result(key, &wanted)).await?;
    let is_pdf = file.extension().is_some_and(|ending| ending == OutputName::Pdf.name());
    let (ending, media_type) =
        if is_pdf { (OutputName::Pdf.name(), OutputName::Pdf.facts().media_type) } else { ("zip", "application/zip") };
    send(file, &format!("{id}.{ending}"), media_type, request).await
}

async fn send(file: PathBuf, name: &str, media_type: &'static str, request: Request) -> Result<Response, ApiError> {
    let Ok(sent) = ServeFile::new(&file).oneshot(request).await;
    let mut answer = sent.map(Body::new);
    match answer.status() {
        // It was deleted meanwhile.
        StatusCode::NOT_FOUND => return Err(ApiError::NO_SUCH_JOB_FILE),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            let file = tokio::fs::metadata(&file).await.map_err(|_| ApiError::NO_SUCH_JOB_FILE)?;
            return Err(ApiError::RangeNotSatisfiable { length: file.len() });
        }
        _ => {}
    }
    let headers = answer.headers_mut();
    if headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // RFC 6266 and RFC 8187: a name in any script.
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || " .-_".contains(c) { c } else { '_' }).collect();
    let encoded = utf8_percent_encode(name, NON_ALPHANUMERIC);
    let disposition = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    if let Ok(disposition) = HeaderValue::try_from(disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    Ok(answer)
}
