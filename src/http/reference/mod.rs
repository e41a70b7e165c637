//! `GET /docs`: the API reference.
//!
//! Input: nothing. Output: Swagger UI, embedded in the binary, which shows `/openapi.json` in the browser. Parts:
//! `index.html`, `start.js` (its options), `swagger-ui` (its files, unchanged). The content security policy allows only
//! files and calls of this service, and no inline code. The module knows nothing of the API: the page shows only what
//! the document says.

use axum::http::HeaderMap;
use axum::response::Response;

use super::responses::static_files::{StaticFile, find};

/// The page.
pub(super) static PAGE: StaticFile = StaticFile::embedded("", include_str!("index.html"));

static FILES: [StaticFile; 3] = [
    StaticFile::embedded("start.js", include_str!("start.js")),
    StaticFile::embedded("swagger-ui-bundle.js", include_str!("swagger-ui/swagger-ui-bundle.js")),
    StaticFile::embedded("swagger-ui.css", include_str!("swagger-ui/swagger-ui.css")),
];

/// Answers `GET /docs/{name}`.
pub(super) fn part(name: &str, request: &HeaderMap) -> Option<Response> {
    find(&FILES, name, request)
}
