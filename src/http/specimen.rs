//! `GET /api/v1/fonts/{id}/specimen.png`: a picture of one font.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::Service;
use super::admission::FontsAdmission;
use super::error::ApiError;
use super::request_context::RequestContext;
use crate::catalogue::FontId;
use crate::pipeline::Rendered;
use crate::spec::{Violation, ViolationKind};

/// Clients may cache a picture for a day. Shared caches may not, as the request needs a key.
const KEEP: HeaderValue = HeaderValue::from_static("private, max-age=86400");
/// Pictures of an operator's fonts for a minute: the operator may replace the font.
const KEEP_SHORTLY: HeaderValue = HeaderValue::from_static("private, max-age=60");

pub(super) async fn specimen(
    State(service): State<Arc<Service>>,
    Extension(context): Extension<RequestContext>,
    _: FontsAdmission,
    id: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    // A path that is not UTF-8 is no number.
    let font = id.ok().and_then(|Path(id)| font_of(&id)).ok_or(ApiError::NO_SUCH_FONT)?;
    let varies = varies(query.as_deref().unwrap_or_default())?;
    let drawn = service.fonts().specimen(font, varies).ok_or(ApiError::NO_SUCH_FONT)?;
    let picture = if let Some(picture) = drawn.get() {
        picture.clone()
    } else {
        let Rendered { outcome, stages } = service.renderer.specimen(font, varies).await;
        context.record_page(stages);
        service.note_device(&outcome);
        let picture = Bytes::from(outcome?);
        // A concurrent request draws the same bytes.
        drawn.get_or_init(|| picture).clone()
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("image/png")),
        (CACHE_CONTROL, if font.is_bundled() { KEEP } else { KEEP_SHORTLY }),
    ];
    Ok((headers, picture).into_response())
}

/// Whether the query asks for writer variation. Other parameters are ignored.
fn varies(query: &str) -> Result<bool, ApiError> {
    let value = query.split('&').filter_map(|pair| pair.strip_prefix("variation=")).next_back();
    match value.unwrap_or("false") {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let message = format!("Input should be true or false, got '{}'", other.escape_default());
            let violation = Violation::of_field("variation", ViolationKind::BoolType, message);
            Err(ApiError::Validation { violations: violation.into() })
        }
    }
}

/// The font of this number, written without sign or leading zeros.
fn font_of(id: &str) -> Option<FontId> {
    let number = id.parse().ok().and_then(FontId::new)?;
    (number.get().to_string() == id).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way_only() {
        assert_eq!(font_of("90"), FontId::new(90));
        for id in ["", "0", "91", "07", "+7", "7.0", " 7", "seven", "300"] {
            assert_eq!(font_of(id), None, "{id:?}");
        }
    }
}
