//! Reads the body of a request, after admission. The body must be declared as JSON, and has limits of size and time.

use std::time::Duration;

use axum::body::{BodyDataStream, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use futures_util::StreamExt as _;
use tokio::time;

use crate::http::errors::table::{ApiError, LARGEST_BODY};
use crate::http::responses::accept::PageForm;
use crate::http::routes::admission::Admission;
use crate::http::routes::route::Route;
use crate::spec::{self, Endpoint, RenderSpec};

/// The longest time for a body of many MiB.
pub(super) const LONGEST_BODY: Duration = Duration::from_secs(300);

/// Reads the specification in the body, and chooses the form in which the client gets the page.
pub(super) async fn read_page(request: Request, admission: &Admission) -> Result<(PageForm, RenderSpec), ApiError> {
    let accepted = request.headers().clone();
    let (endpoint, spec) = read_spec(request, admission).await?;
    Ok((form_of(&accepted, endpoint, &spec)?, spec))
}

/// The form in which a client that accepts so gets the page.
pub(super) fn form_of(accepted: &HeaderMap, endpoint: Endpoint, spec: &RenderSpec) -> Result<PageForm, ApiError> {
    PageForm::preferred(accepted, &PageForm::possible(endpoint, spec.output.name()))
}

/// Reads the specification in the body, of the kind that the route takes. Without a seed in it, it gets a random one.
pub(super) async fn read_spec(request: Request, admission: &Admission) -> Result<(Endpoint, RenderSpec), ApiError> {
    let (endpoint, body) = read_request(request, admission).await?;
    Ok((endpoint, parse(admission, endpoint, &body, None)?))
}

/// The specification of a request that the route takes. Without a seed in it, it gets this one, or else a random one.
pub(super) fn parse(
    Admission { service, client, .. }: &Admission,
    endpoint: Endpoint,
    body: &[u8],
    seed: Option<u32>,
) -> Result<RenderSpec, ApiError> {
    let seed = seed.map_or_else(getrandom::u32, Ok);
    let seed = seed.map_err(|error| ApiError::GenerationFailed(format!("no seed: {error}")))?;
    Ok(spec::parse_request_for(service.known_to(&client.key_id), body, endpoint, || seed)?)
}

/// Reads the body of a request, and the kind that the route takes.
pub(super) async fn read_request(
    request: Request,
    Admission { service, context, .. }: &Admission,
) -> Result<(Endpoint, Bytes), ApiError> {
    let endpoint = context.route.and_then(Route::page_body);
    let endpoint = endpoint.ok_or_else(|| ApiError::GenerationFailed("the route has no body".to_owned()))?;
    let body = context.stage("body", read_json(request, service.body_timeout)).await?;
    context.record().body_bytes = Some(body.len() as u64);
    Ok((endpoint, body))
}

/// Reads the whole body. It must be JSON by its `Content-Type`, not compressed, at most [`LARGEST_BODY`] bytes long,
/// and complete within `timeout`. A body with a larger `Content-Length` is refused unread.
pub(super) async fn read_json(request: Request, timeout: Duration) -> Result<Bytes, ApiError> {
    read_whole(check_json(request)?, LARGEST_BODY, timeout).await
}

/// The request, if its body is declared as JSON.
pub(super) fn check_json(request: Request) -> Result<Request, ApiError> {
    if is_declared_json(&request) { Ok(request) } else { Err(ApiError::NOT_JSON) }
}

/// Reads the whole body, which must not be compressed, at most `most` bytes long, and complete within `timeout`. A body with
/// a larger `Content-Length` is refused unread.
pub(super) async fn read_whole(request: Request, most: usize, timeout: Duration) -> Result<Bytes, ApiError> {
    let mut pieces = Pieces::of(request, most)?;
    let reading = async {
        let mut body = Vec::new();
        while let Some(piece) = pieces.next(timeout).await? {
            body.extend_from_slice(&piece);
        }
        Ok(body.into())
    };
    time::timeout(timeout, reading).await.unwrap_or(Err(ApiError::RequestTimeout))
}

/// A body as it arrives.
pub(super) struct Pieces {
    stream: BodyDataStream,
    most: usize,
    /// Bytes that may still arrive.
    left: usize,
}

impl Pieces {
    /// The body of a request, which must not be compressed, and has at most `most` bytes. A body with a larger
    /// `Content-Length` is refused unread.
    pub(super) fn of(request: Request, most: usize) -> Result<Self, ApiError> {
        if is_encoded(&request) {
            return Err(ApiError::UnsupportedContentEncoding);
        }
        if request.body().size_hint().lower() > most as u64 {
            return Err(ApiError::PayloadTooLarge { most });
        }
        Ok(Self { stream: request.into_body().into_data_stream(), most, left: most })
    }

    /// The next piece, which must arrive within `patience`; `None` at the end.
    pub(super) async fn next(&mut self, patience: Duration) -> Result<Option<Bytes>, ApiError> {
        let next = time::timeout(patience, self.stream.next()).await.map_err(|_| ApiError::RequestTimeout)?;
        let piece = next.transpose();
        let piece =
            piece.map_err(|_| ApiError::InvalidRequest("the request body broke off; send it again".to_owned()))?;
        let length = piece.as_ref().map_or(0, Bytes::len);
        self.left = self.left.checked_sub(length).ok_or(ApiError::PayloadTooLarge { most: self.most })?;
        Ok(piece)
    }
}

/// Whether there is one `Content-Type`, and it is `application/json` with any parameters. An empty body needs none: it
/// fails later because it is not JSON.
fn is_declared_json(request: &Request) -> bool {
    let mut types = request.headers().get_all(CONTENT_TYPE).iter();
    match (types.next(), types.next()) {
        (None, _) => request.body().is_end_stream(),
        (Some(declared), None) => {
            let essence = declared.to_str().ok().and_then(|value| value.split(';').next());
            essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
        }
        (Some(_), Some(_)) => false,
    }
}

/// Whether the body has a content coding other than `identity` (RFC 9110, section 8.4).
fn is_encoded(request: &Request) -> bool {
    let mut codings = request.headers().get_all(CONTENT_ENCODING).iter();
    codings.any(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn declared(content_type: Option<&str>, body: &'static str) -> bool {
        let request = axum::http::Request::builder();
        let request = content_type.into_iter().fold(request, |request, value| request.header(CONTENT_TYPE, value));
        is_declared_json(&request.body(Body::from(body)).unwrap())
    }

    #[test]
    fn json_is_json_in_any_case_and_with_parameters() {
        for content_type in ["application/json", "Application/JSON", "application/json; charset=utf-8"] {
            assert!(declared(Some(content_type), "{}"), "{content_type}");
        }
    }

    #[test]
    fn nothing_else_is_taken_for_json() {
        for content_type in ["", "text/plain", "application/problem+json", "application/jsonp", "application/x-json"] {
            assert!(!declared(Some(content_type), "{}"), "{content_type}");
        }
        assert!(!declared(None, "{}"));
        assert!(declared(None, ""));
    }
}
