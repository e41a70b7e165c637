//! `/api/v1/jobs`: large mailings that are made while nobody waits.
//!
//! `body` reads a new job from JSON or a multipart body, `create` checks it and accepts it, `read` answers what became of
//! it and of its rows, `files` sends files. Jobs belong to keys: a key sees its own alone. What blocks runs on a thread for
//! it.

mod body;
pub(in crate::http) mod create;
pub(in crate::http) mod files;
pub(in crate::http) mod read;

use std::sync::Arc;

use super::blocking::blocking;
use crate::access::KeyId;
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::jobs::{JobError, Jobs};

/// Runs a call on the jobs of the service, on a thread that may block, for the key of the request.
async fn on_jobs<T: Send + 'static>(
    admission: &Admission,
    call: impl FnOnce(&Jobs, &KeyId) -> Result<T, JobError> + Send + 'static,
) -> Result<T, ApiError> {
    let jobs = jobs_of(admission)?;
    let key = admission.client.key_id.clone();
    Ok(blocking(move || call(&jobs, &key)).await??)
}

/// The jobs of the service.
fn jobs_of(admission: &Admission) -> Result<Arc<Jobs>, ApiError> {
    admission.service.jobs.clone().ok_or(ApiError::NO_JOBS)
}
