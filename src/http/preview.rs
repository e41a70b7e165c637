//! `POST /api/v1/preview`: the page 1200 px wide, watermarked and free.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;

use super::Service;
use super::admission::PreviewAdmission;
use super::body;
use super::error::ApiError;
use super::exchange::Exchange;
use super::page_response::{PageResponse, PreviewMembers};
use crate::pipeline::Rendered;
use crate::spec::Endpoint;

/// Body, specification, preview.
pub(super) async fn preview(
    State(service): State<Arc<Service>>,
    Extension(exchange): Extension<Exchange>,
    PreviewAdmission { tenant }: PreviewAdmission,
    request: Request,
) -> Result<Response, ApiError> {
    let spec = body::read_spec(request, Endpoint::Preview, &service, &exchange).await?;
    let Rendered { outcome: preview, stages } = service.renderer.preview(spec, tenant).await;
    exchange.notes().stages.page = stages;
    service.note_device(&preview);
    let preview = preview?;
    let own = PreviewMembers { preview_width: preview.width, preview_height: preview.height };
    PageResponse::of(&preview.page, &exchange.id, own, || service.elapsed(&exchange)).held(&service.answers)
}
