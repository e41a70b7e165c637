//! `POST /api/v1/generate`: one page at full quality. `/generate/png`, `/generate/pdf`
//! and `/generate/svg` always answer the file.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};

use super::body;
use crate::access::{Reservation, StoreError};
use crate::http::Service;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::responses::accept::PageForm;
use crate::http::responses::file_body::{FileBody, file_parts};
use crate::http::responses::file_response;
use crate::http::responses::page_response::{PageMembers, PageResponse};
use crate::http::routes::admission::GenerateAdmission;
use crate::pipeline::{FileStart, Rendered, Tenant};
use crate::spec::RenderSpec;
use crate::telemetry;

/// Reads the body, renders the page, charges for it. After an error, or if the client
/// hangs up, the reservation is dropped and thereby released.
pub(in crate::http) async fn generate(
    State(service): State<Arc<Service>>,
    Extension(context): Extension<RequestContext>,
    GenerateAdmission { reservation, tenant }: GenerateAdmission,
    request: Request,
) -> Result<Response, ApiError> {
    let accepted = request.headers().clone();
    let (endpoint, spec) = body::read_spec(request, &service, &context).await?;
    let format = spec.output.name();
    let form = PageForm::preferred(&accepted, &PageForm::possible(endpoint, format))?;
    if !format.facts().is_image {
        return generate_file(&service, &context, reservation, tenant, spec).await;
    }
    let (characters, file_stem) = (spec.characters(), spec.file_stem());
    let Rendered { outcome: rendered_file, stages } = service.renderer.generate(spec, tenant).await;
    context.record_page(stages);
    service.note_device(&rendered_file);
    let rendered_file = rendered_file?;
    let page = if form == PageForm::Json {
        let own = PageMembers { characters_processed: characters };
        let page = PageResponse::of(&rendered_file, &context.id, own, || context.elapsed());
        page.held(&service.response_budget, &context)?
    } else {
        let (bytes, headers) = file_response::page(rendered_file, format, &file_stem, characters);
        (headers, service.response_budget.hold(context.key_id().as_ref(), bytes)?).into_response()
    };
    charge(&context, reservation).await?;
    Ok(page)
}

/// Sends a file. A file of one part is charged before it is sent. A file of several parts is sent while they are made,
/// and charged as [`FileBody`] says.
async fn generate_file(
    service: &Arc<Service>,
    context: &RequestContext,
    reservation: Reservation,
    tenant: Tenant,
    spec: RenderSpec,
) -> Result<Response, ApiError> {
    let (format, characters, file_stem) = (spec.output.name(), spec.characters(), spec.file_stem());
    let key = context.key_id();
    let (sink, parts) = file_parts(&service.response_budget, key.clone());
    let Rendered { outcome: start, stages } = service.renderer.generate_file(spec, tenant, sink).await;
    context.record_page(stages);
    service.note_device(&start);
    let FileStart { rendered_file, is_whole } = start?;
    let (bytes, headers) = file_response::page(rendered_file, format, &file_stem, characters);
    let first = service.response_budget.hold(key.as_ref(), bytes)?;
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
    telemetry::quota(if charged.is_ok() { "charged" } else { "failed" });
    charged
}
