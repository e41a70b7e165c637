//! `POST /api/v1/generate`: one page at full quality. `/generate/png`, `/generate/pdf` and `/generate/svg` always answer
//! the file. `POST /api/v1/preview`: one of its pages 1200 px wide, watermarked if the operator does not say otherwise, and
//! free. `POST /api/v1/preflight`: what a page
//! would be and what is wrong with it, without drawing it. Free.

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use super::body::{form_of, parse, read_page, read_request, read_spec};
use super::idempotency::{Repeatable, Start, begin, mark_replayed};
use crate::access::{Attempt, Reservation, StoreError};
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::responses::accept::PageForm;
use crate::http::responses::file_body::{FileBody, file_parts};
use crate::http::responses::file_response::file_headers;
use crate::http::responses::page_response::{PageMembers, PageResponse, PreviewMembers, WirePlace, WireRules};
use crate::http::responses::preflight_report::PreflightReport;
use crate::http::responses::response_headers::UNCACHED_JSON;
use crate::http::routes::admission::{Admission, GenerateAdmission};
use crate::pipeline::{FileStart, RenderedFile};
use crate::spec::RenderSpec;
use crate::telemetry;

/// How a page is paid for.
enum Payment {
    /// By a request of the quota, and with the attempt that ends with it.
    Charge(Box<Reservation>, Option<Attempt>),
    /// It was paid for before.
    Paid,
}

impl Payment {
    /// Charges for the page of this seed.
    async fn make(self, context: &RequestContext, seed: u32) -> Result<(), StoreError> {
        let reservation = match self {
            Self::Paid => return Ok(()),
            Self::Charge(reservation, None) => *reservation,
            Self::Charge(reservation, Some(attempt)) => reservation.answering(attempt, &seed.to_string()),
        };
        let charged = context.stage("charge", reservation.charge()).await;
        telemetry::quota(if charged.is_ok() { "charged" } else { "failed" });
        charged
    }
}

/// Reads the body, renders the page, charges for it. After an error, or if the client hangs up, the reservation is
/// dropped and thereby released. A request that was done before is rendered again from the same seed, and not charged.
pub(in crate::http) async fn generate(
    GenerateAdmission { admission, reservation, idempotency_key }: GenerateAdmission,
    request: Request,
) -> Result<Response, ApiError> {
    let accepted = request.headers().clone();
    let (endpoint, body) = read_request(request, &admission).await?;
    let spec = parse(&admission, endpoint, &body, None)?;
    let form = form_of(&accepted, endpoint, &spec)?;
    match begin(&admission, Repeatable::of(idempotency_key, admission.path(), &[&body])).await? {
        Start::First(attempt) => {
            let reservation = match reservation {
                Some(reservation) => reservation,
                // The earlier request failed meanwhile.
                None => admission.reserve().await?,
            };
            generate_page(&admission, form, spec, Payment::Charge(Box::new(reservation), attempt)).await
        }
        Start::Again(seed) => {
            let spec = parse(&admission, endpoint, &body, seed.parse().ok())?;
            let mut answer = generate_page(&admission, form, spec, Payment::Paid).await?;
            mark_replayed(&mut answer);
            Ok(answer)
        }
    }
}

/// Renders the page and pays for it.
async fn generate_page(
    admission: &Admission,
    form: PageForm,
    spec: RenderSpec,
    payment: Payment,
) -> Result<Response, ApiError> {
    if !spec.output.name().facts().is_image {
        return generate_file(admission, payment, spec).await;
    }
    let (own, file_stem) = (PageMembers { characters_processed: spec.characters_of_sides() }, spec.file_stem());
    let page = admission.drawn(admission.service.renderer.generate(spec, admission.tenant())).await?;
    let seed = page.seed;
    let answer = answer(admission, form, page, own, &file_stem)?;
    payment.make(&admission.context, seed).await?;
    Ok(answer)
}

/// Reads the body and renders the preview.
pub(in crate::http) async fn preview(admission: Admission, request: Request) -> Result<Response, ApiError> {
    let (form, spec) = read_page(request, &admission).await?;
    answer_preview(&admission, form, spec).await
}

/// Renders the preview, with a mark if the client's previews have one.
pub(super) async fn answer_preview(
    admission: &Admission,
    form: PageForm,
    spec: RenderSpec,
) -> Result<Response, ApiError> {
    let (file_stem, mark) = (spec.file_stem(), admission.service.preview_mark(&admission.client));
    let preview = admission.drawn(admission.service.renderer.preview(spec, mark, admission.tenant())).await?;
    let own = PreviewMembers {
        preview_width: preview.width,
        preview_height: preview.height,
        page: preview.number,
        pages: preview.page.pages,
        places: preview.words.iter().map(WirePlace::from).collect(),
        hidden_rules: preview.hidden_rules.as_ref().map(WireRules::from),
    };
    answer(admission, form, preview.page, own, &file_stem)
}

/// Reads the body of a generation request and lays it out.
pub(in crate::http) async fn preflight(admission: Admission, request: Request) -> Result<Response, ApiError> {
    let (_, spec) = read_spec(request, &admission).await?;
    let preflight = admission.rendered(admission.service.renderer.preflight(spec, admission.tenant())).await?;
    let report = serde_json::to_vec(&PreflightReport::of(&preflight));
    admission.answer(UNCACHED_JSON, report.map_err(|error| ApiError::GenerationFailed(error.to_string()))?)
}

/// The response with a page in this form. `own` has the members that only a page or only a preview has.
fn answer(
    admission: &Admission,
    form: PageForm,
    page: RenderedFile,
    own: impl Serialize,
    file_stem: &str,
) -> Result<Response, ApiError> {
    let response = PageResponse::of(&page, &admission.context.id, own, admission.context.elapsed());
    match form {
        PageForm::Json => admission.answer(UNCACHED_JSON, response.json(&page.bytes)),
        PageForm::File(format) => admission.answer(file_headers(&response, format, file_stem), page.bytes),
    }
}

/// Sends a PDF or an SVG. A file of one part is charged before it is sent. A file of several parts is sent while they
/// are made, and charged as [`FileBody`] says.
async fn generate_file(admission: &Admission, payment: Payment, spec: RenderSpec) -> Result<Response, ApiError> {
    let Admission { service, context, client } = admission;
    let (format, file_stem) = (spec.output.name(), spec.file_stem());
    let own = PageMembers { characters_processed: spec.characters_of_sides() };
    let (sink, parts) = file_parts(&service.response_budget, client.key_id.clone());
    let start = admission.drawn(service.renderer.generate_file(spec, admission.tenant(), sink)).await?;
    let FileStart { rendered_file, is_whole } = start;
    let response = PageResponse::of(&rendered_file, &context.id, own, context.elapsed());
    let headers = file_headers(&response, format, &file_stem);
    let seed = rendered_file.seed;
    let first = service.response_budget.hold(Some(&client.key_id), rendered_file.bytes)?;
    let body = if is_whole {
        payment.make(context, seed).await?;
        first.into()
    } else {
        let context = context.clone();
        let charge = async move { payment.make(&context, seed).await };
        Body::new(FileBody::new(first, parts, charge))
    };
    Ok((headers, body).into_response())
}
