//! `GET /api/v1/usage`: what the key of the request used this month.

use axum::Json;
use schemars::JsonSchema;
use serde::Serialize;

use crate::access::Usage;
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;

/// The monthly quota of the key, and what is left of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Usage")]
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
}

impl Report {
    /// The report for a key with this quota.
    pub(in crate::http) fn of(limit: Option<u64>, usage: Usage) -> Self {
        let Usage { used, reset_at } = usage;
        Self { limit, used, remaining: limit.map(|limit| limit.saturating_sub(used)), period: "monthly", reset_at }
    }
}

pub(in crate::http) async fn usage(Admission { service, client, .. }: Admission) -> Result<Json<Report>, ApiError> {
    let usage = service.access.usage(&client).await?;
    Ok(Json(Report::of(client.monthly_quota, usage)))
}
