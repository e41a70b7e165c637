//! `GET /api/v1/usage`: what the key of the request used this month, and its limits.

use axum::Json;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::access::{HIGHEST_RATE, LimitedEndpoint, RateLimits, Usage};
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::pipeline::PreviewMark;

/// The monthly quota of the key, what is left of it, and the key's limits.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Usage")]
#[expect(clippy::struct_excessive_bools, reason = "clients see each as a member of its own")]
pub(in crate::http) struct Report {
    /// Pages per month; null for a key without a quota.
    pub(in crate::http) limit: Option<u64>,
    /// Pages charged this month, and those of a key with a quota that are in progress.
    pub(in crate::http) used: u64,
    /// Pages left this month; null for a key without a quota.
    pub(in crate::http) remaining: Option<u64>,
    /// The period of the limit.
    #[schemars(extend("const" = "monthly"))]
    pub(in crate::http) period: &'static str,
    /// When the next month begins, UTC.
    #[schemars(extend("format" = "date-time"))]
    pub(in crate::http) reset_at: String,
    /// Requests of this key in any 60 seconds, by endpoint.
    #[schemars(schema_with = "rate_limits_schema")]
    pub(in crate::http) rate_limits: RateLimits,
    /// Whether previews for this key have a watermark.
    pub(in crate::http) preview_watermark: bool,
    /// Whether this key may make hands of pictures of a filled sheet, by `/api/v1/hands`.
    pub(in crate::http) makes_hands: bool,
    /// Whether this key may make links that show a page without a key, by `/api/v1/links`.
    pub(in crate::http) makes_links: bool,
    /// Whether this key may upload pictures, by `/api/v1/artwork`.
    pub(in crate::http) keeps_artwork: bool,
}

fn rate_limits_schema(_: &mut SchemaGenerator) -> Schema {
    let limit = || json!({"type": "integer", "minimum": 1, "maximum": HIGHEST_RATE});
    let names = LimitedEndpoint::ALL.map(LimitedEndpoint::name);
    let properties: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), limit())).collect();
    json_schema!({"type": "object", "properties": properties, "required": names})
}

impl Report {
    /// The report for a key with this quota and these limits, where hands are made and artwork is kept or not.
    pub(in crate::http) fn of(
        limit: Option<u64>,
        Usage { used, reset_at }: Usage,
        rate_limits: RateLimits,
        mark: PreviewMark,
        [makes_hands, makes_links, keeps_artwork]: [bool; 3],
    ) -> Self {
        Self {
            limit,
            used,
            remaining: limit.map(|limit| limit.saturating_sub(used)),
            period: "monthly",
            reset_at,
            rate_limits,
            preview_watermark: mark == PreviewMark::Watermark,
            makes_hands,
            makes_links,
            keeps_artwork,
        }
    }
}

pub(in crate::http) async fn usage(Admission { service, client, .. }: Admission) -> Result<Json<Report>, ApiError> {
    let usage = service.access.usage(&client).await?;
    let (limits, mark) = (service.access.rate_limits(&client), service.preview_mark(&client));
    let offers = [service.hands.is_some(), service.makes_links(), service.uploads.is_some()];
    Ok(Json(Report::of(client.monthly_quota, usage, limits, mark, offers)))
}
