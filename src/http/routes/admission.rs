//! Extractors that admit or refuse a request from its head, before its body is read.
//!
//! A handler with one of these extractors runs only for a client that is authenticated, has quota left (`/generate`)
//! and is within the rate limit of the route, checked in that order. The rate limit's decision is kept in the request's
//! context, so that every response has its headers.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse as _, IntoResponseParts, Response};

use crate::access::{ApiKey, Client, IdempotencyKey, QuotaError, RateOutcome, Reservation};
use crate::http::client_link::ClientLink;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::{Rendering, Service};
use crate::pipeline::{RenderError, Rendered, Tenant};
use crate::telemetry;

/// The client's name for a request, so that it can be sent again without being carried out twice.
pub(in crate::http) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Permission to ask for what the quota does not count, and what a handler needs to answer.
pub(in crate::http) struct Admission {
    pub(in crate::http) service: Arc<Service>,
    pub(in crate::http) context: RequestContext,
    /// The owner of the key.
    pub(in crate::http) client: Client,
}

/// Permission to generate one page.
pub(in crate::http) struct GenerateAdmission {
    pub(in crate::http) admission: Admission,
    /// The reservation in the monthly quota. Dropped without a charge, it is released. None for a request that was
    /// likely done before.
    pub(in crate::http) reservation: Option<Reservation>,
    /// The client's name for the request.
    pub(in crate::http) idempotency_key: Option<IdempotencyKey>,
}

/// Permission to see the page of a link, given by the client who sent the link.
pub(in crate::http) struct LinkAdmission {
    pub(in crate::http) admission: Admission,
    /// The request for a preview of the page, JSON.
    pub(in crate::http) request: Vec<u8>,
}

impl FromRequestParts<Arc<Service>> for Admission {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let admission = Self::authenticate(parts, service).await?;
        admission.check_rate().await?;
        Ok(admission)
    }
}

impl FromRequestParts<Arc<Service>> for GenerateAdmission {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let admission = Admission::authenticate(parts, service).await?;
        let idempotency_key = idempotency_key(&parts.headers)?;
        let is_known = match &idempotency_key {
            Some(key) => service.access.knows_attempt(&admission.client, key).await?,
            None => false,
        };
        let reservation = if is_known { None } else { Some(admission.reserve().await?) };
        admission.check_rate().await?;
        Ok(Self { admission, reservation, idempotency_key })
    }
}

impl FromRequestParts<Arc<Service>> for LinkAdmission {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        if !service.makes_links() {
            return Err(ApiError::NO_LINKS);
        }
        let (link, client) = counted(find_link(&parts.headers, service).await)?;
        let admission = Admission::of(parts, service, client)?;
        admission.check_rate().await?;
        Ok(Self { admission, request: link.request })
    }
}

impl Admission {
    /// The path of the route, with the names of what varies in it.
    pub(in crate::http) fn path(&self) -> &'static str {
        self.context.route.map_or("", |route| route.path)
    }

    /// The tenant in the queue. Each key is one: tenants take turns.
    pub(in crate::http) fn tenant(&self) -> Tenant {
        Tenant::from(self.client.key_id.as_str())
    }

    /// Awaits a rendering and records its stages.
    pub(in crate::http) async fn rendered<T>(&self, rendering: Rendering<'_, T>) -> Result<T, RenderError> {
        let Rendered { outcome, stages } = rendering.await;
        self.context.record_page(stages);
        outcome
    }

    /// As [`rendered`](Self::rendered), for a rendering that needs the device: notes whether it was available.
    pub(in crate::http) async fn drawn<T>(&self, rendering: Rendering<'_, T>) -> Result<T, RenderError> {
        let outcome = self.rendered(rendering).await;
        self.service.note_device(&outcome);
        outcome
    }

    /// The response with these headers and bytes, which take their memory from the budget of responses.
    ///
    /// # Errors
    /// The budget has no room for them.
    pub(in crate::http) fn answer(
        &self,
        headers: impl IntoResponseParts,
        bytes: Vec<u8>,
    ) -> Result<Response, ApiError> {
        let bytes = self.service.response_budget.hold(Some(&self.client.key_id), bytes)?;
        Ok((headers, bytes).into_response())
    }

    async fn authenticate(parts: &Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let client = counted(find_client(&parts.headers, service).await)?;
        Self::of(parts, service, client)
    }

    fn of(parts: &Parts, service: &Arc<Service>, client: Client) -> Result<Self, ApiError> {
        let context = parts.extensions.get::<RequestContext>().cloned();
        let context = context.ok_or_else(|| ApiError::GenerationFailed("the request has no context".to_owned()))?;
        context.record().key_id = Some(client.key_id.clone());
        Ok(Self { service: Arc::clone(service), context, client })
    }

    /// Reserves a place in the monthly quota.
    pub(in crate::http) async fn reserve(&self) -> Result<Reservation, QuotaError> {
        let outcome = self.service.access.reserve(&self.client).await;
        telemetry::quota(match &outcome {
            Ok(_) => "reserved",
            Err(QuotaError::Exhausted { .. }) => "exhausted",
            Err(QuotaError::Store(_)) => "failed",
        });
        outcome
    }

    /// Counts the request toward the limit of its route.
    async fn check_rate(&self) -> Result<(), ApiError> {
        let endpoint = self.context.route.and_then(|route| route.limit);
        let endpoint = endpoint.ok_or_else(|| ApiError::GenerationFailed("the route has no rate limit".to_owned()))?;
        let decision = self.service.access.check_rate(&self.client, endpoint).await?;
        self.context.record().rate = Some(decision);
        let is_allowed = decision.outcome == RateOutcome::Allowed;
        telemetry::rate(endpoint.name(), if is_allowed { "allowed" } else { "refused" });
        match decision.outcome {
            RateOutcome::Allowed => Ok(()),
            RateOutcome::Refused { retry_after_seconds } => {
                Err(ApiError::RateLimited { endpoint, limit: decision.limit, retry_after_seconds })
            }
        }
    }
}

/// Counts whether a client was found.
fn counted<T>(found: Result<T, ApiError>) -> Result<T, ApiError> {
    telemetry::authenticated(match &found {
        Ok(_) => "accepted",
        Err(ApiError::MissingKey) => "missing",
        Err(ApiError::InvalidKeyFormat) => "malformed",
        Err(ApiError::InvalidKey | ApiError::InvalidLink) => "unknown",
        Err(_) => "failed",
    });
    found
}

/// The link of the header `Authorization`, and the client who sent it.
async fn find_link(headers: &HeaderMap, service: &Service) -> Result<(ClientLink, Client), ApiError> {
    let now = service.clock.timestamp().as_second();
    ClientLink::read(bearer_token(headers)?, &service.access, now).await
}

async fn find_client(headers: &HeaderMap, service: &Service) -> Result<Client, ApiError> {
    Ok(service.access.authenticate(&api_key(headers)?).await?)
}

/// The key of the header `Authorization`.
pub(in crate::http) fn api_key(headers: &HeaderMap) -> Result<ApiKey, ApiError> {
    ApiKey::parse(bearer_token(headers)?).map_err(|_| ApiError::InvalidKeyFormat)
}

/// The key of the header `Idempotency-Key`, if there is one.
pub(in crate::http) fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.to_str().ok().and_then(IdempotencyKey::parse).filter(|_| values.next().is_none());
    key.map(Some).ok_or(ApiError::InvalidIdempotencyKey)
}

/// The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1), the scheme in any case (RFC 9110, 11.1).
fn bearer_token(headers: &HeaderMap) -> Result<&str, ApiError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(ApiError::MissingKey)?;
    if values.next().is_some() {
        return Err(ApiError::InvalidKeyFormat);
    }
    let value = value.to_str().map_err(|_| ApiError::InvalidKeyFormat)?.trim();
    match value.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim_start()),
        _ => Err(ApiError::MissingKey),
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
