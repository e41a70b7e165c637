//! `GET /api/v1/jobs/{id}/files/{name}` and `GET /api/v1/jobs/{id}/result`: files of a job, with ranges (RFC 9110,
//! section 14), read while they are sent.

use std::future::{Ready, ready};
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_RANGE, CONTENT_TYPE, RANGE};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tower::ServiceExt as _;
use tower_http::services::fs::{Backend, File, Metadata};
use tower_http::services::{ServeDir, ServeFile};

use super::on_jobs;
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::jobs::{ObjectFacts, ObjectReader, StoredFile, StoredObject};
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
    let (file, ending) = on_jobs(&admission, move |jobs, key| jobs.result(key, &wanted)).await?;
    let is_pdf = ending == OutputName::Pdf.name();
    let media_type = if is_pdf { OutputName::Pdf.facts().media_type } else { "application/zip" };
    send(file, &format!("{id}.{ending}"), media_type, request).await
}

async fn send(
    file: StoredFile,
    name: &str,
    media_type: &'static str,
    mut request: Request,
) -> Result<Response, ApiError> {
    // A unit that is not known is ignored (RFC 9110, section 14.2).
    let is_of_bytes = |range: &HeaderValue| range.as_bytes().to_ascii_lowercase().starts_with(b"bytes=");
    if request.headers().get(RANGE).is_some_and(|range| !is_of_bytes(range)) {
        request.headers_mut().remove(RANGE);
    }
    let mut answer = match file {
        StoredFile::Path(path) => {
            let Ok(sent) = ServeFile::new(path).oneshot(request).await;
            sent.map(Body::new)
        }
        StoredFile::Object(object) => send_object(object, request).await?,
    };
    match answer.status() {
        // It was deleted meanwhile.
        StatusCode::NOT_FOUND => return Err(ApiError::NO_SUCH_JOB_FILE),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            // The header is `bytes */LENGTH`.
            let length = answer.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok()?.rsplit('/').next());
            let length = length.and_then(|length| length.parse().ok()).unwrap_or_default();
            return Err(ApiError::RangeNotSatisfiable { length });
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

/// Sends a file of a bucket in the same way as one of a folder.
async fn send_object(object: StoredObject, mut request: Request) -> Result<Response, ApiError> {
    let facts = object.facts().await.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ApiError::NO_SUCH_JOB_FILE,
        _ => ApiError::StoreUnavailable(format!("a file of a job cannot be read: {error}")),
    })?;
    // There is one file, whatever its path.
    *request.uri_mut() = Uri::from_static("/file");
    let served = ServeDir::with_backend("", OneObject { object, facts }).append_index_html_on_directories(false);
    let Ok(sent) = served.oneshot(request).await;
    Ok(sent.map(Body::new))
}

/// A file of a bucket, as the only one of a file system.
#[derive(Clone)]
struct OneObject {
    object: StoredObject,
    facts: ObjectFacts,
}

impl Backend for OneObject {
    type File = ObjectReader;
    type Metadata = ObjectFacts;
    type OpenFuture = Ready<io::Result<ObjectReader>>;
    type MetadataFuture = Ready<io::Result<ObjectFacts>>;

    fn open(&self, _: PathBuf) -> Self::OpenFuture {
        ready(Ok(self.object.reader(&self.facts)))
    }

    fn metadata(&self, _: PathBuf) -> Self::MetadataFuture {
        ready(Ok(self.facts.clone()))
    }
}

impl File for ObjectReader {
    type Metadata = ObjectFacts;
    type MetadataFuture<'a> = Ready<io::Result<ObjectFacts>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.facts().clone()))
    }
}

impl Metadata for ObjectFacts {
    fn is_dir(&self) -> bool {
        false
    }

    fn modified(&self) -> io::Result<SystemTime> {
        Ok(self.modified())
    }

    fn len(&self) -> u64 {
        self.size()
    }
}
