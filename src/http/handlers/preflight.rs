//! `POST /api/v1/preflight`: what a page would be and what is wrong with it, without drawing it. Free.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::body;
use crate::http::Service;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::responses::preflight_report::PreflightReport;
use crate::http::routes::admission::Admission;
use crate::pipeline::Rendered;

/// Reads the body of a generation request and lays it out.
pub(in crate::http) async fn preflight(
    State(service): State<Arc<Service>>,
    Extension(context): Extension<RequestContext>,
    admission: Admission,
    request: Request,
) -> Result<Response, ApiError> {
    let (_, spec) = body::read_spec(request, &service, &context).await?;
    let Rendered { outcome: preflight, stages } = service.renderer.preflight(spec, admission.tenant()).await;
    context.record_page(stages);
    let preflight = preflight?;
    let report = serde_json::to_vec(&PreflightReport::of(&preflight))
        .map_err(|error| ApiError::GenerationFailed(error.to_string()))?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, service.response_budget.hold(context.key_id().as_ref(), report)?).into_response())
}
