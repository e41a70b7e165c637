//! `POST /api/v1/links`: a link that shows a page to people without a key. `GET /api/v1/shared`: that page.

use axum::Json;
use axum::extract::{RawQuery, Request};
use axum::http::HeaderMap;
use axum::response::Response;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::body::{form_of, parse, read_request};
use super::pages::answer_preview;
use super::query;
use crate::clock::Timestamp;
use crate::http::client_link::{ClientLink, LONGEST_LINK};
use crate::http::errors::table::ApiError;
use crate::http::page::SHARED_PAGE;
use crate::http::routes::admission::{Admission, LinkAdmission};
use crate::spec::{Endpoint, ViolationKind};

/// Days that a link lasts, if none are asked for, and at most.
pub(in crate::http) const USUAL_DAYS: u32 = 14;
pub(in crate::http) const MOST_DAYS: u32 = 90;

const SECONDS_A_DAY: i64 = 86_400;

/// A link that shows one page, and nothing else, to people without a key.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Link {
    /// The address for people, on this service: put its scheme and host before it.
    pub(in crate::http) path: String,
    /// The link itself, for `GET /api/v1/shared`.
    #[serde(rename = "link")]
    pub(in crate::http) text: String,
    /// When it ends, UTC. It ends earlier if its key is revoked or gets a new secret.
    #[schemars(extend("format" = "date-time"))]
    pub(in crate::http) ends_at: String,
}

impl Link {
    pub(in crate::http) fn of(text: String, ends: i64) -> Self {
        let ends_at = Timestamp::from_second(ends).unwrap_or_default().to_string();
        Self { path: format!("/{SHARED_PAGE}#{text}"), text, ends_at }
    }
}

/// Makes a link to the page of a request for a preview, which must be one that can be made.
pub(in crate::http) async fn create(
    admission: Admission,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Json<Link>, ApiError> {
    let service = &admission.service;
    if !service.makes_links() {
        return Err(ApiError::NO_LINKS);
    }
    let days = days_of(query.as_deref().unwrap_or_default())?;
    let (endpoint, body) = read_request(request, &admission).await?;
    let spec = parse(&admission, endpoint, &body, None)?;
    // Everybody sees the same page.
    let mut wanted: Map<String, Value> =
        serde_json::from_slice(&body).map_err(|error| ApiError::InvalidRequest(error.to_string()))?;
    wanted.insert("seed".to_owned(), json!(spec.seed));
    let mark = service.preview_mark(&admission.client);
    admission.drawn(service.renderer.preview(spec, mark, admission.tenant())).await?;
    let ends = service.clock.timestamp().as_second() + i64::from(days) * SECONDS_A_DAY;
    let link = ClientLink {
        key_id: admission.client.key_id.clone(),
        ends: u32::try_from(ends).unwrap_or(u32::MAX),
        request: Value::Object(wanted).to_string().into_bytes(),
    };
    let text = link.signed(&service.access).await?.ok_or_else(|| {
        let most = LONGEST_LINK / 1024;
        let message = format!("A link has {most} KiB, and the request does not fit; shorten the text");
        ApiError::refused("text", ViolationKind::StringTooLong, message)
    })?;
    Ok(Json(Link::of(text, i64::from(link.ends))))
}

/// Shows a page of a link, as a preview for its sender.
pub(in crate::http) async fn show(
    LinkAdmission { admission, request }: LinkAdmission,
    RawQuery(query): RawQuery,
    accepted: HeaderMap,
) -> Result<Response, ApiError> {
    let mut wanted: Map<String, Value> =
        serde_json::from_slice(&request).map_err(|error| ApiError::GenerationFailed(error.to_string()))?;
    if let Some(page) = number(query.as_deref().unwrap_or_default(), "page", u32::MAX)? {
        wanted.insert("page".to_owned(), json!(page));
    }
    let body = Value::Object(wanted).to_string();
    let spec = parse(&admission, Endpoint::Preview, body.as_bytes(), None)?;
    let form = form_of(&accepted, Endpoint::Preview, &spec)?;
    answer_preview(&admission, form, spec).await
}

fn days_of(query: &str) -> Result<u32, ApiError> {
    Ok(number(query, "days", MOST_DAYS)?.unwrap_or(USUAL_DAYS))
}

/// The number from 1 to `most` of the only parameter that a query may have.
fn number(query: &str, wanted: &str, most: u32) -> Result<Option<u32>, ApiError> {
    let mut found = None;
    for (name, value) in query::pairs(query) {
        if name != wanted {
            return Err(query::unknown(name));
        }
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        let message = || format!("Input should be a whole number from 1 to {most}");
        found = Some(number.ok_or_else(|| ApiError::refused(name, ViolationKind::IntType, message()))?);
    }
    Ok(found)
}
