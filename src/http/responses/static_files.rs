//! Responses with files that are embedded in the binary. A browser that has a file gets 304, and one that takes gzip
//! gets the file compressed.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

const HTML: &str = "text/html; charset=utf-8";

/// Of HTML, which may load only what this service serves. Pictures come from memory.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob: data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A text with its name and content type. Its tag and its compressed form are made once, for the first request.
#[derive(Debug)]
pub(in crate::http) struct StaticFile {
    name: &'static str,
    content_type: &'static str,
    text: Cow<'static, str>,
    forms: OnceLock<Forms>,
}

#[derive(Debug)]
struct Forms {
    /// Weak, as both forms share it.
    tag: HeaderValue,
    compressed: Bytes,
}

impl StaticFile {
    pub(in crate::http) const fn new(name: &'static str, content_type: &'static str, text: Cow<'static, str>) -> Self {
        Self { name, content_type, text, forms: OnceLock::new() }
    }

    /// A file of this repository. The end of its name tells its type; a page has no name.
    pub(in crate::http) const fn embedded(name: &'static str, text: &'static str) -> Self {
        let content_type = match name.as_bytes() {
            [.., b'.', b'c', b's', b's'] => "text/css; charset=utf-8",
            [.., b'.', b'j', b's'] => "text/javascript; charset=utf-8",
            _ => HTML,
        };
        Self::new(name, content_type, Cow::Borrowed(text))
    }

    /// The response to a request with these headers.
    pub(in crate::http) fn answer(&'static self, request: &HeaderMap) -> Response {
        let forms = self.forms.get_or_init(|| Forms::of(&self.text));
        let mut response = if has_current(request, &forms.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else if accepts_gzip(request) {
            let encoding = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            (encoding, Body::from(forms.compressed.clone())).into_response()
        } else {
            Body::from(Bytes::from_static(self.text.as_bytes())).into_response()
        };
        response.headers_mut().extend([
            (CONTENT_TYPE, HeaderValue::from_static(self.content_type)),
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (ETAG, forms.tag.clone()),
            (VARY, HeaderValue::from_static("accept-encoding")),
        ]);
        if self.content_type == HTML {
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        }
        response
    }
}

impl Forms {
    fn of(text: &str) -> Self {
        let tag = format!("W/\"{:08x}-{:x}\"", crc32fast::hash(text.as_bytes()), text.len());
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to memory does not fail.
        let compressed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default();
        // The tag is visible ASCII.
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""));
        Self { tag, compressed: compressed.into() }
    }
}

/// The response with the file of this name, if there is one.
pub(in crate::http) fn find(files: &'static [StaticFile], name: &str, request: &HeaderMap) -> Option<Response> {
    files.iter().find(|file| file.name == name).map(|file| file.answer(request))
}

/// Whether the client has the file with this tag.
fn has_current(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let tag = tag.to_str().unwrap_or_default().trim_start_matches("W/");
    items(request, &IF_NONE_MATCH).any(|item| item == "*" || item.trim_start_matches("W/") == tag)
}

fn accepts_gzip(request: &HeaderMap) -> bool {
    items(request, &ACCEPT_ENCODING).any(|item| {
        let (coding, weight) = item.split_once(';').unwrap_or((item, ""));
        let refused = weight
            .trim()
            .strip_prefix("q=")
            .and_then(|weight| weight.parse().ok())
            .is_some_and(|weight: f32| weight <= 0.0);
        coding.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// The items of a header that is a list.
fn items<'request>(request: &'request HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'request str> {
    request
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn request(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[rstest]
    #[case("gzip", true)]
    #[case("br, GZIP;q=0.5", true)]
    #[case("gzip;q=0, br", false)]
    #[case("gzip; q=0.000", false)]
    #[case("x-gzipped, identity", false)]
    #[case("", false)]
    fn gzip_is_sent_if_the_client_accepts_it(#[case] header: &'static str, #[case] accepted: bool) {
        assert_eq!(accepts_gzip(&request(ACCEPT_ENCODING, header)), accepted);
    }

    #[rstest]
    #[case("W/\"1-a\"", true)]
    #[case("\"1-a\"", true)]
    #[case("\"2-a\", W/\"1-a\"", true)]
    #[case("*", true)]
    #[case("\"1\"", false)]
    fn a_tag_is_compared_weakly(#[case] header: &'static str, #[case] current: bool) {
        let tag = HeaderValue::from_static("W/\"1-a\"");
        assert_eq!(has_current(&request(IF_NONE_MATCH, header), &tag), current);
    }
}
