//! Pictures of clients: `POST /api/v1/artwork` keeps one, `GET` lists those of the key, `DELETE /api/v1/artwork/{id}`
//! deletes one.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::header::CONTENT_TYPE;
use schemars::JsonSchema;
use serde::Serialize;

use super::blocking::{blocking, blocking_while_awaited};
use super::body::read_whole;
use crate::artwork::{Artwork, ArtworkId};
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::uploads::{KeptArtwork, MOST_BYTES, MOST_FILES, UploadError, Uploads};

/// The media types of a body. The file itself tells its kind.
const MEDIA_TYPES: [&str; 5] =
    ["image/png", "image/jpeg", "image/svg+xml", "application/pdf", "application/octet-stream"];
/// How much longer than other bodies a picture may take to arrive.
const PATIENCE: u32 = 6;

/// The pictures of a key.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ArtworkList {
    /// By their ids.
    pub(in crate::http) artwork: Vec<KeptArtwork>,
    /// Most pictures of a key.
    pub(in crate::http) most: usize,
    /// Most bytes of all of them.
    pub(in crate::http) most_bytes: u64,
}

/// Keeps a picture.
pub(in crate::http) async fn upload(admission: Admission, request: Request) -> Result<Json<KeptArtwork>, ApiError> {
    let uploads = uploads_of(&admission)?;
    let mut turn = uploads.turns().admit(&admission.client.key_id).map_err(UploadError::from)?;
    let patience = admission.service.body_timeout * PATIENCE;
    let picture = admission.context.stage("body", read_picture(request, patience)).await?;
    turn.wait().await.map_err(UploadError::from)?;
    let saved = blocking_while_awaited(move |is_awaited| uploads.save(turn, &picture, is_awaited)).await?;
    Ok(Json(saved?))
}

/// The pictures of the key.
pub(in crate::http) async fn list(admission: Admission) -> Result<Json<ArtworkList>, ApiError> {
    let (uploads, key) = (uploads_of(&admission)?, admission.client.key_id.clone());
    let artwork = blocking(move || uploads.list(&key)).await??;
    Ok(Json(ArtworkList { artwork, most: MOST_FILES, most_bytes: MOST_BYTES }))
}

/// Deletes a picture of the key.
pub(in crate::http) async fn delete(
    admission: Admission,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<KeptArtwork>, ApiError> {
    let (uploads, key) = (uploads_of(&admission)?, admission.client.key_id.clone());
    let id = id.ok().and_then(|Path(id)| id.parse::<ArtworkId>().ok()).ok_or(ApiError::NO_SUCH_ARTWORK)?;
    let deleted = blocking(move || uploads.delete(&key, &id)).await??;
    deleted.map(Json).ok_or(ApiError::NO_SUCH_ARTWORK)
}

/// Reads the whole body.
async fn read_picture(request: Request, patience: Duration) -> Result<Bytes, ApiError> {
    let most = usize::try_from(Artwork::LARGEST_FILE).unwrap_or(usize::MAX);
    let declared = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.and_then(|value| value.split(';').next()).map(str::trim).unwrap_or_default();
    if !MEDIA_TYPES.iter().any(|known| essence.eq_ignore_ascii_case(known)) {
        return Err(ApiError::NOT_A_PICTURE);
    }
    read_whole(request, most, patience).await
}

/// The pictures of the service.
fn uploads_of(admission: &Admission) -> Result<Arc<Uploads>, ApiError> {
    admission.service.uploads.clone().ok_or(ApiError::NO_ARTWORK)
}
