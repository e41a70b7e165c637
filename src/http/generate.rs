//! `POST /api/v1/generate`: one page at full quality.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};

use super::Service;
use super::admission::GenerateAdmission;
use super::body;
use super::error::ApiError;
use super::exchange::Exchange;
use super::page_response::{Kind, PageResponse};
use super::pdf_response::PdfResponse;
use crate::pipeline::Rendered;
use crate::spec::{Endpoint, OutputFormat};
use crate::telemetry::{self, QuotaEvent};

/// Body, specification, page, charge: a failure on the way, or a caller who hangs up, drops the reservation and so
/// gives it back.
pub(super) async fn generate(
    State(service): State<Arc<Service>>,
    Extension(exchange): Extension<Exchange>,
    GenerateAdmission { reservation, tenant }: GenerateAdmission,
    request: Request,
) -> Result<Response, ApiError> {
    let spec = body::read_spec(request, Endpoint::Generate, &service, &exchange).await?;
    let characters = spec.text.chars().count();
    let file_stem = matches!(spec.output, OutputFormat::Pdf(_)).then(|| spec.file_stem());
    let Rendered { outcome: artifact, stages } = service.renderer.generate(spec, tenant).await;
    exchange.notes().stages.page = stages;
    service.note_device(&artifact);
    let artifact = artifact?;
    let page = if let Some(file_stem) = file_stem {
        PdfResponse::of(artifact, &file_stem).into_response()
    } else {
        let kind = Kind::Page { characters_processed: characters };
        PageResponse::of(&artifact, &exchange.id, kind, || service.elapsed(&exchange)).into_response()
    };
    let (charged, took) = service.timed(reservation.charge()).await;
    exchange.notes().stages.charge = Some(took);
    telemetry::quota(if charged.is_ok() { QuotaEvent::Charged } else { QuotaEvent::Failed });
    charged?;
    Ok(page)
}
