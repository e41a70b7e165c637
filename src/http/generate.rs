//! `POST /api/v1/generate`: one page at full quality.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};

use super::Service;
use super::admission::GenerateAdmission;
use super::body;
use super::error::ApiError;
use super::layers::Exchange;
use super::page_response::{Kind, PageResponse};
use crate::spec::Endpoint;

/// Body, specification, page, charge: a failure on the way, or a caller who hangs up, drops the reservation and so
/// gives it back.
pub(super) async fn generate(
    State(service): State<Arc<Service>>,
    Extension(exchange): Extension<Exchange>,
    GenerateAdmission { reservation }: GenerateAdmission,
    request: Request,
) -> Result<PageResponse, ApiError> {
    let spec = body::read_spec(request, Endpoint::Generate, service.body_timeout).await?;
    let characters = spec.text.chars().count();
    let artifact = service.renderer.generate(spec).await;
    service.note_device(&artifact);
    let kind = Kind::Page { characters_processed: characters };
    let page = PageResponse::of(&artifact?, &exchange.id, kind, || service.elapsed(&exchange));
    reservation.charge().await?;
    Ok(page)
}
