//! `POST /api/v1/preview`: the page 1200 px wide, watermarked and free.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};

use super::body;
use crate::http::Service;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::responses::accept::PageForm;
use crate::http::responses::file_response;
use crate::http::responses::page_response::{PageResponse, PreviewMembers};
use crate::http::routes::admission::Admission;
use crate::pipeline::Rendered;
use crate::spec::OutputName;

/// Reads the body and renders the preview.
pub(in crate::http) async fn preview(
    State(service): State<Arc<Service>>,
    Extension(context): Extension<RequestContext>,
    admission: Admission,
    request: Request,
) -> Result<Response, ApiError> {
    let accepted = request.headers().clone();
    let (endpoint, spec) = body::read_spec(request, &service, &context).await?;
    let (form, file_stem) =
        (PageForm::preferred(&accepted, &PageForm::possible(endpoint, OutputName::Png))?, spec.file_stem());
    let Rendered { outcome: preview, stages } = service.renderer.preview(spec, admission.tenant()).await;
    context.record_page(stages);
    service.note_device(&preview);
    let preview = preview?;
    if form != PageForm::Json {
        let (bytes, headers) = file_response::preview(preview, &file_stem);
        return Ok((headers, service.response_budget.hold(context.key_id().as_ref(), bytes)?).into_response());
    }
    let own = PreviewMembers { preview_width: preview.width, preview_height: preview.height };
    PageResponse::of(&preview.page, &context.id, own, || context.elapsed()).held(&service.response_budget, &context)
}
