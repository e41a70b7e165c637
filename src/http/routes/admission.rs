//! Extractors that admit or refuse a request from its head, before its body is read.
//!
//! A handler with one of these extractors runs only for a client that is authenticated, has quota left (`/generate`)
//! and is within the rate limit of the route, checked in that order. The rate limit's decision is kept in the request's
//! context, so that every response has its headers.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::access::{ApiKey, Client, QuotaError, RateOutcome, Reservation};
use crate::http::Service;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::pipeline::Tenant;
use crate::telemetry::{self, QuotaEvent};

/// Permission to generate one page.
pub(in crate::http) struct GenerateAdmission {
    /// The reservation in the monthly quota. Dropped without a charge, it is released.
    pub(in crate::http) reservation: Reservation,
    /// The tenant in the queue.
    pub(in crate::http) tenant: Tenant,
}

/// Permission to ask for what the quota does not count.
pub(in crate::http) struct Admission {
    /// The owner of the key.
    pub(in crate::http) client: Client,
}

impl Admission {
    /// The tenant in the queue.
    pub(in crate::http) fn tenant(&self) -> Tenant {
        tenant_of(&self.client)
    }
}

impl FromRequestParts<Arc<Service>> for GenerateAdmission {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let client = authenticate(parts, service).await?;
        let reservation = reserve(&client, service).await?;
        within_rate(&client, parts, service).await?;
        Ok(Self { reservation, tenant: tenant_of(&client) })
    }
}

impl FromRequestParts<Arc<Service>> for Admission {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let client = authenticate(parts, service).await?;
        within_rate(&client, parts, service).await?;
        Ok(Self { client })
    }
}

/// Each key is a tenant of the queue: tenants take turns.
fn tenant_of(client: &Client) -> Tenant {
    Tenant::from(client.key_id.as_str())
}

async fn authenticate(parts: &Parts, service: &Service) -> Result<Client, ApiError> {
    let outcome = find_client(&parts.headers, service).await;
    telemetry::authenticated(match &outcome {
        Ok(_) => "accepted",
        Err(ApiError::MissingKey) => "missing",
        Err(ApiError::InvalidKeyFormat) => "malformed",
        Err(ApiError::InvalidKey) => "unknown",
        Err(_) => "failed",
    });
    if let (Ok(client), Some(context)) = (&outcome, parts.extensions.get::<RequestContext>()) {
        context.record().key_id = Some(client.key_id.clone());
    }
    outcome
}

async fn find_client(headers: &HeaderMap, service: &Service) -> Result<Client, ApiError> {
    let token = bearer_token(headers)?;
    let key = ApiKey::parse(token).map_err(|_| ApiError::InvalidKeyFormat)?;
    Ok(service.access.authenticate(&key).await?)
}

/// The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1), the scheme in any case (RFC 9110, 11.1).
fn bearer_token(headers: &HeaderMap) -> Result<&str, ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(ApiError::MissingKey)?;
    if values.next().is_some() {
        return Err(ApiError::InvalidKeyFormat);
    }
    let (scheme, token) = split_scheme(value.as_bytes());
    if !scheme.eq_ignore_ascii_case(b"bearer") || token.is_empty() {
        return Err(ApiError::MissingKey);
    }
    std::str::from_utf8(token).map_err(|_| ApiError::InvalidKeyFormat)
}

fn split_scheme(value: &[u8]) -> (&[u8], &[u8]) {
    let value = value.trim_ascii();
    let end = value.iter().position(|byte| *byte == b' ').unwrap_or(value.len());
    let (scheme, token) = value.split_at(end);
    (scheme, token.trim_ascii_start())
}

async fn reserve(client: &Client, service: &Service) -> Result<Reservation, ApiError> {
    let outcome = service.access.reserve(client).await;
    telemetry::quota(match &outcome {
        Ok(_) => QuotaEvent::Reserved,
        Err(QuotaError::Exhausted { .. }) => QuotaEvent::Exhausted,
        Err(QuotaError::Store(_)) => QuotaEvent::Failed,
    });
    Ok(outcome?)
}

/// Counts the request toward the limit of its route.
async fn within_rate(client: &Client, parts: &Parts, service: &Service) -> Result<(), ApiError> {
    let context = parts.extensions.get::<RequestContext>();
    let (context, endpoint) = context
        .and_then(|context| Some((context, context.route?.limit?)))
        .ok_or_else(|| ApiError::GenerationFailed("the route has no rate limit".to_owned()))?;
    let decision = service.access.check_rate(&client.key_id, endpoint).await?;
    context.record().rate = Some(decision);
    let is_allowed = decision.outcome == RateOutcome::Allowed;
    telemetry::rate(endpoint.name(), if is_allowed { "allowed" } else { "refused" });
    match decision.outcome {
        RateOutcome::Allowed => Ok(()),
        RateOutcome::Refused { retry_after_seconds } => Err(ApiError::RateLimited { endpoint, retry_after_seconds }),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn token_of(values: &[&str]) -> Result<String, ApiError> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        bearer_token(&headers).map(str::to_owned)
    }

    #[test]
    fn the_scheme_is_read_in_any_case_and_with_any_space_after_it() {
        for value in ["Bearer k", "bearer k", "BEARER   k", " BeArEr k "] {
            assert_eq!(token_of(&[value]).unwrap(), "k", "{value:?}");
        }
    }

    #[test]
    fn no_header_no_token_and_another_scheme_are_a_missing_key() {
        for values in [&[][..], &[""], &["Bearer"], &["Bearer "], &["Basic k"], &["k"], &["Bearerk"]] {
            assert!(matches!(token_of(values), Err(ApiError::MissingKey)), "{values:?}");
        }
    }

    #[test]
    fn two_keys_are_no_key() {
        assert!(matches!(token_of(&["Bearer a", "Bearer b"]), Err(ApiError::InvalidKeyFormat)));
    }
}
