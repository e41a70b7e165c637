//! `POST /api/v1/generate`: one page at full quality.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;

use super::Service;
use super::admission::GenerateAdmission;
use super::body;
use super::error::ApiError;
use super::file_body::{FileBody, file_parts};
use super::page_response::{PageMembers, PageResponse};
use super::pdf_response;
use super::request_context::RequestContext;
use crate::access::{Reservation, StoreError};
use crate::pipeline::{FileStart, Rendered, Tenant};
use crate::spec::{Endpoint, OutputFormat, RenderSpec};
use crate::telemetry::{self, QuotaEvent};

/// Reads the body, renders the page, charges for it. After an error, or if the client hangs up, the reservation is
/// dropped and thereby released.
pub(super) async fn generate(
    State(service): State<Arc<Service>>,
    Extension(context): Extension<RequestContext>,
    GenerateAdmission { reservation, tenant }: GenerateAdmission,
    request: Request,
) -> Result<Response, ApiError> {
    let spec = body::read_spec(request, Endpoint::Generate, &service, &context).await?;
    if matches!(spec.output, OutputFormat::Pdf(_)) {
        return generate_pdf(&service, &context, reservation, tenant, spec).await;
    }
    let characters = spec.text.chars().count();
    let Rendered { outcome: rendered_file, stages } = service.renderer.generate(spec, tenant).await;
    context.record_page(stages);
    service.note_device(&rendered_file);
    let own = PageMembers { characters_processed: characters };
    let page = PageResponse::of(&rendered_file?, &context.id, own, || context.elapsed());
    let page = page.held(&service.response_budget)?;
    charge(&context, reservation).await?;
    Ok(page)
}

/// Sends a file. A file of one page is charged before it is sent. A file of several pages is sent while they are made,
/// and charged before its last bytes are sent.
async fn generate_pdf(
    service: &Arc<Service>,
    context: &RequestContext,
    reservation: Reservation,
    tenant: Tenant,
    spec: RenderSpec,
) -> Result<Response, ApiError> {
    let file_stem = spec.file_stem();
    let (sink, parts) = file_parts(&service.response_budget);
    let Rendered { outcome: start, stages } = service.renderer.generate_file(spec, tenant, sink).await;
    context.record_page(stages);
    service.note_device(&start);
    let FileStart { rendered_file, is_whole } = start?;
    let (bytes, headers) = pdf_response::parts(rendered_file, &file_stem);
    let first = service.response_budget.hold(bytes)?;
    let body = if is_whole {
        charge(context, reservation).await?;
        first.into()
    } else {
        let context = context.clone();
        let charge = async move { charge(&context, reservation).await };
        Body::new(FileBody::new(first, parts, charge))
    };
    let mut response = Response::new(body);
    response.headers_mut().extend(headers);
    Ok(response)
}

async fn charge(context: &RequestContext, reservation: Reservation) -> Result<(), StoreError> {
    let charged = context.stage("charge", reservation.charge()).await;
    telemetry::quota(if charged.is_ok() { QuotaEvent::Charged } else { QuotaEvent::Failed });
    charged
}
